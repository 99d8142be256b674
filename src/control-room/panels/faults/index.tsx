import { Badge, Group, SimpleGrid, Stack, Switch, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconCheck, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { FaultInfo } from '../../../core/faults/fault.ts';
import { Action, act } from '../../act.tsx';
import { control } from '../../connection.ts';
import { fieldError, Lines, Loading, Note, Section } from '../../parts.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { countOf, Foreign, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { clear, commandsOf, fillEditor, toggle } from './commands.ts';
import { recipesFor } from './effects.ts';
import { readFault } from './fault-line.ts';
import { Sentence } from './sentence.tsx';

const framed = { bd: '1px solid var(--mantine-color-default-border)', bdrs: 'sm', px: 'sm', py: 6, fw: 500 };

/** The line in the editor, and the id of the fault that it replaces, are in the link: they survive a reload. */
export const Panel = () => {
  const { value: faults } = useQuery('faults', (own) => own.faults.list());
  const [failed, setFailed] = useState<{ readonly line: string; readonly message: string }>();
  const { line = '', edit } = useRoute().query;
  const edited = faults?.find(({ id }) => id === edit);
  const { operation, effect } = readFault(line);
  const save = async (): Promise<void> => {
    await (edited ? control.faults.update(edited.id, { fault: line }) : control.faults.add(line));
    fillEditor('');
  };
  const fail = (message = ''): void => {
    setFailed({ line, message });
    document.getElementById('fault-line')?.focus();
  };
  return (
    <Stack>
      <Section title={edited ? 'Edit the fault' : 'Add a fault'}>
        <form onSubmit={(event) => event.preventDefault()}>
          <Stack gap="sm" mt="xs">
            <Sentence />
            <Group gap="xs" align="flex-start">
              <TextInput
                id="fault-line"
                flex="1 1 300px"
                aria-label="The fault, in one line"
                leftSection={<span className="dimmed">As a line</span>}
                leftSectionWidth={80}
                classNames={{ input: 'mono' }}
                autoCapitalize="off"
                spellCheck={false}
                placeholder="listRuns#3: reset"
                value={line}
                error={fieldError(failed?.line === line ? failed.message : '')}
                onChange={(event) => setQuery({ line: event.currentTarget.value })}
              />
              <Action
                text={edited ? 'Save' : 'Add'}
                type="submit"
                variant="filled"
                Icon={edited ? undefined : IconPlus}
                disabled={effect === ''}
                run={save}
                fail={fail}
                done={`${line} ${edited ? 'saved' : 'added'}`}
              />
              {(edited !== undefined || line !== '') && (
                <Action text={edited ? 'Cancel' : 'Clear'} run={() => fillEditor('')} />
              )}
            </Group>
          </Stack>
        </form>
      </Section>
      <Section title="Recipes" note="They fill the sentence. Nothing is added yet.">
        <SimpleGrid mt="xs" cols={{ base: 1, xs: 2, md: 3 }} spacing="xs">
          {recipesFor(operation === '*' ? 'listBatches' : operation).map(([title, recipe]) => (
            <UnstyledButton key={title} {...framed} onClick={() => fillEditor(recipe)}>
              {title}
              <Note className="mono">
                <Foreign text={recipe} />
              </Note>
            </UnstyledButton>
          ))}
        </SimpleGrid>
      </Section>
      <FaultList faults={faults} />
    </Stack>
  );
};

/** The faults in the order in which they are tried. */
const FaultList = ({ faults }: { readonly faults: readonly FaultInfo[] | undefined }) => {
  if (faults === undefined) return <Loading />;
  const isEmpty = faults.length === 0;
  return (
    <Section
      title="In this session"
      note={
        isEmpty
          ? 'No faults: every call gets its usual reply.'
          : 'The first that matches acts, with all delays above it. Delays are in real time.'
      }
      side={!isEmpty && <Action text="Remove all" {...clear} Icon={IconTrash} />}
    >
      <Lines label="Faults" first={20} of={faults} commandsOf={commandsOf}>
        {(fault) => <Fault fault={fault} />}
      </Lines>
    </Section>
  );
};

const Fault = ({ fault: info }: { readonly fault: FaultInfo }) => {
  const { fault, calls, hits, off, spent, unused } = info;
  const state = off ? 'off' : spent ? 'used up' : undefined;
  return (
    <Group wrap="nowrap" align="flex-start">
      {spent && !off ? (
        <IconCheck size={16} aria-hidden style={{ width: 32, marginTop: 2 }} />
      ) : (
        <Switch
          size="xs"
          mt={2}
          aria-label={`On: ${isolate(fault)}`}
          checked={!off}
          onChange={() => act(toggle(info))}
        />
      )}
      <div className="wrap">
        <Text className="mono" {...(state && { c: 'dimmed' })}>
          <Foreign text={fault} />
        </Text>
        <Group gap="2px 8px">
          {state && <Badge color="gray">{state}</Badge>}
          <Text size="xs" c="dimmed">
            {countOf(calls, 'call')}, {countOf(hits, 'hit')}.{' '}
            {unused !== null && !off && (
              <Foreign text={`${spent ? 'It never had an effect' : 'No effect yet'}: ${unused}.`} />
            )}
          </Text>
        </Group>
      </div>
    </Group>
  );
};
