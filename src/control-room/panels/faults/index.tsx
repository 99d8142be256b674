import { Button, Group, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Action } from '../../act.tsx';
import { control } from '../../connection.ts';
import { fieldError, inputFirst, Section } from '../../parts.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { Rich } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { take } from './commands.ts';
import { FaultFields } from './fault-fields.tsx';
import { readFault, writeFault } from './fault-line.ts';
import { FaultList } from './fault-list.tsx';
import { Quotas } from './quotas.tsx';

const focusLine = (): void => document.getElementById('fault-line')?.focus();

/** The line in the editor, and the id of the fault that it replaces, are in the link: they survive a reload. */
export const Panel = () => {
  const { value: faults } = useQuery('faults', (own) => own.faults.list());
  const [failed, setFailed] = useState<{ readonly line: string; readonly message: string }>();
  const { line = '', edit } = useRoute().query;
  const edited = faults?.find(({ id }) => id === edit);
  const setLine = (text: string): void => setQuery({ line: text });
  const save = async (): Promise<void> => {
    const fault = writeFault(readFault(line)); // also what the fields show before a line is written
    await (edited ? control.faults.update(edited.id, { fault }) : control.faults.add(fault));
    take('');
  };
  const fail = (message: string | undefined): void => {
    setFailed(message === undefined ? undefined : { line, message });
    focusLine();
  };
  return (
    <Stack>
      <Section
        title={edited ? 'Edit the fault' : 'Add a fault'}
        note={
          <Rich text='If several faults match a call, the first one is used, with all delays listed above it. Put a value with spaces in quotes: `message="Try again"`. Delays use real time, not the clock of the session.' />
        }
      >
        <form onSubmit={(event) => event.preventDefault()}>
          <Stack gap="sm" mt="xs">
            <TextInput
              id="fault-line"
              label="The fault, in one line"
              description={
                <Rich text="Which calls it affects, a colon, and what happens to them: `OPERATION[#CALLS] [CONDITION…]: KIND [OPTION…]`" />
              }
              inputWrapperOrder={inputFirst}
              classNames={{ input: 'mono' }}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              placeholder="listRuns#3: reset"
              value={line}
              error={fieldError(failed?.line === line ? failed.message : undefined)}
              onChange={(event) => setLine(event.currentTarget.value)}
            />
            <FaultFields line={line} setLine={setLine} />
            <Group gap="xs">
              <Action
                type="submit"
                variant="filled"
                Icon={edited ? undefined : IconPlus}
                run={save}
                fail={fail}
                done={edited ? 'The fault was saved' : 'The fault was added'}
              >
                {edited ? 'Save' : 'Add'}
              </Action>
              {(edited !== undefined || line !== '') && (
                <Button variant="default" onClick={() => take('')}>
                  {edited ? 'Cancel' : 'Clear'}
                </Button>
              )}
            </Group>
          </Stack>
        </form>
      </Section>
      <FaultList faults={faults} />
      <Quotas />
    </Stack>
  );
};
