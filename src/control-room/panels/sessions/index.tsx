import { Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { defaultSession } from '../../../protocol/session-name.ts';
import type { Route } from '../../route.ts';
import { Rich } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { NewSession } from './new-session.tsx';
import { SessionList } from './session-list.tsx';

export const SessionsPanel = ({ route }: { readonly route: Route }) => {
  const { value, reload } = useQuery('sessions', (own) => own.sessions.list());
  useEffect(() => {
    // Clients create sessions by calling them, without an event.
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), 3000);
    return () => clearInterval(timer);
  }, []);
  const rank = (name: string): number => (name === defaultSession ? 0 : 1);
  const names = value?.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return (
    <Stack>
      <Text c="dimmed" maw={820}>
        <Rich text="Each session is a world of its own: its records, clock, faults and requests. A client picks one by its base URL, or by the header `x-mock-session`." />
      </Text>
      <NewSession names={names ?? []} reload={reload} />
      <SessionList names={names} reload={reload} route={route} />
    </Stack>
  );
};
