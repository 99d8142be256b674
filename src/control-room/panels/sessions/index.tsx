import { Anchor, Badge, Paper, Stack, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { defaultSession } from '../../../core/protocol/session-name.ts';
import { linkOf, refresh, session } from '../../connection.ts';
import { Lines, Loading, Note, Section, Slot, TextForm } from '../../parts.tsx';
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
  if (names === undefined) return <Loading />;
  return (
    <Stack>
      <NewSession names={names} />
      <Section title={countOf(names.length, 'session')}>
        <Lines label="Sessions" first={50} of={names} commandsOf={sessionCommands}>
          {(name) => (
            <>
              {name === session ? (
                <>
                  <b>{name}</b> <Badge>open here</Badge>
                </>
              ) : (
                <Anchor inherit href={linkOf(name)} aria-label={`Go to the session ${name}`}>
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
      {names.length > 1 && <SessionComparison names={names} />}
    </Stack>
  );
};

/** Creates a session from the state of another one, or from a scenario; one of the same name is replaced. */
const NewSession = ({ names }: { readonly names: readonly string[] }) => {
  const { value: scenarios = [] } = useQuery('scenarios', (own) => own.scenario.list());
  const [from, setFrom] = useState(`session:${session}`);
  const [kind = '', start = ''] = from.split(/:(.*)/s);
  return (
    <Paper className="sentence" py="sm" component="section" aria-label="New session">
      New session from
      <Slot
        aria-label="From"
        value={from}
        choices={[
          ...[session, ...names].map((name) => [`session:${name}`, `${name} as it is now`] as const),
          ...scenarios.map(({ name }) => [`scenario:${name}`, `the scenario ${isolate(name)}`] as const),
        ]}
        choose={setFrom}
      />
      named
      <TextForm
        name="session"
        aria-label="Name"
        placeholder="checkout"
        action="Create"
        Icon={IconPlus}
        toTask={(name) => toCreate(name, { [kind]: start }, names)}
      />
      <Note ml="auto">
        <Rich text="or by a client, with the header `x-mock-session`" />
      </Note>
    </Paper>
  );
};
