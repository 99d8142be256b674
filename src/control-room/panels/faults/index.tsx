import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Action } from '../../act.tsx';
import { control } from '../../connection.ts';
import { fieldError, Section } from '../../parts.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { Foreign } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { take } from './commands.ts';
import { recipesFor } from './effects.ts';
import { readFault } from './fault-line.ts';
import { FaultList } from './fault-list.tsx';
import { Sentence } from './sentence.tsx';

const focusLine = (): void => document.getElementById('fault-line')?.focus();

/** The line in the editor, and the id of the fault that it replaces, are in the link: they survive a reload. */
export const Panel = () => {
  const { value: faults } = useQuery('faults', (own) => own.faults.list());
  const [failed, setFailed] = useState<{ readonly line: string; readonly message: string }>();
  const { line = '', edit } = useRoute().query;
  const edited = faults?.find(({ id }) => id === edit);
  const setLine = (text: string): void => setQuery({ line: text });
  const { operation, effect } = readFault(line);
  const save = async (): Promise<void> => {
    await (edited ? control.faults.update(edited.id, { fault: line }) : control.faults.add(line));
    take('');
  };
  const fail = (message: string | undefined): void => {
    setFailed(message === undefined ? undefined : { line, message });
    focusLine();
  };
  return (
    <Stack>
      <Section title={edited ? 'Edit the fault' : 'Add a fault'}>
        <form onSubmit={(event) => event.preventDefault()}>
          <Stack gap="sm" mt="xs">
            <Sentence line={line} setLine={setLine} />
            <Group gap="xs" align="flex-start">
              <TextInput
                id="fault-line"
                flex="1 1 300px"
                aria-label="The fault, in one line"
                leftSection={<span className="dimmed">As a line</span>}
                leftSectionWidth={80}
                classNames={{ input: 'mono' }}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                placeholder="listRuns#3: reset"
                value={line}
                error={fieldError(failed?.line === line ? failed.message : undefined)}
                onChange={(event) => setLine(event.currentTarget.value)}
              />
              <Action
                type="submit"
                variant="filled"
                Icon={edited ? undefined : IconPlus}
                disabled={effect === ''}
                run={save}
                fail={fail}
                done={`${line} ${edited ? 'saved' : 'added'}`}
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
      <Section title="Recipes" note="They fill the sentence. Nothing is added yet.">
        <SimpleGrid mt="xs" cols={{ base: 1, xs: 2, md: 3 }} spacing="xs">
          {recipesFor(operation === '*' ? 'listBatches' : operation).map(([title, recipe]) => (
            <Button
              key={title}
              variant="default"
              h={52}
              justify="flex-start"
              styles={{
                label: {
                  display: 'block',
                  height: 'auto',
                  overflow: 'visible',
                  lineHeight: 1.5,
                  textAlign: 'left',
                },
              }}
              onClick={() => {
                setLine(recipe);
                focusLine();
              }}
            >
              {title}
              <Text size="xs" lh={1.5} c="dimmed" className="mono">
                <Foreign text={recipe} />
              </Text>
            </Button>
          ))}
        </SimpleGrid>
      </Section>
      <FaultList faults={faults} />
    </Stack>
  );
};
