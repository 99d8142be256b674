import { Anchor, Badge, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { defaultSession } from '../../../core/protocol/session-name.ts';
import { pageOf, refresh, session } from '../../connection.ts';
import { Lines, Section, TextForm } from '../../parts.tsx';
import { countOf, isolate, Rich } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { baseUrlOf, sessionCommands, toCreate } from './commands.ts';
import { SessionComparison } from './comparison.tsx';

export const Panel = () => {
  const { value } = useQuery('sessions', (own) => own.sessions.list());
  // Clients create sessions by calling them, without an event.
  useInterval(() => document.visibilityState === 'visible' && refresh(), 3000, { autoInvoke: true });
  const rank = (name: string): number => (name === defaultSession ? 0 : 1);
  const names = value?.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return (
    <Stack>
      <Text c="dimmed" maw={820}>
        <Rich text="Each session is a world of its own: its records, clock, faults and requests. A client picks one by its base URL, or by the header `x-mock-session`." />
      </Text>
      <NewSession names={names ?? []} />
      {names === undefined ? <Skeleton height={44} /> : <SessionList names={names} />}
      <SessionComparison />
    </Stack>
  );
};

interface SessionsProps {
  /** The default session first. */
  readonly names: readonly string[];
}

/** Creates a session from the state of another one, or from a scenario; one of the same name is replaced. */
const NewSession = ({ names }: SessionsProps) => {
  const { value: scenarios = [] } = useQuery('scenarios', (own) => own.scenario.list());
  const [from, setFrom] = useState(`session:${session}`);
  const [kind = '', start = ''] = from.split(/:(.*)/s);
  return (
    <Section title="Create a session">
      <Stack gap="sm" maw={560} mt="xs">
        <NativeSelect
          label="From the current state of a session, or the start of a scenario"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
          data={[
            {
              group: 'The current state of',
              items: [session, ...names.filter((one) => one !== session)].map((one) => ({
                value: `session:${one}`,
                label: one === session ? `${one} (open here)` : one,
              })),
            },
            {
              group: 'The start of the scenario',
              items: scenarios.map((one) => ({ value: `scenario:${one.name}`, label: isolate(one.name) })),
            },
          ]}
        />
        <TextForm
          name="session"
          label="Name"
          placeholder="checkout"
          action="Create"
          Icon={IconPlus}
          toTask={(name) => toCreate(name, { [kind]: start }, names)}
        />
      </Stack>
    </Section>
  );
};

const SessionList = ({ names }: SessionsProps) => (
  <Section title={countOf(names.length, 'session')}>
    <Lines label="Sessions" first={50} of={names} commandsOf={sessionCommands}>
      {(name) => (
        <>
          {name === session ? (
            <Group gap="xs">
              {name} <Badge color="teal">open here</Badge>
              {name !== defaultSession && 'To delete this session, open another one first.'}
            </Group>
          ) : (
            <Anchor inherit href={pageOf(name)} aria-label={`Go to the session ${name}`}>
              {name}
            </Anchor>
          )}
          <Text c="dimmed" className="mono">
            {baseUrlOf(name)}
          </Text>
        </>
      )}
    </Lines>
  </Section>
);
