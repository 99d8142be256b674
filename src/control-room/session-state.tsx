// What is not normal in the session: the bar below the header and the counts of the menu say the same.
import { Anchor, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Action } from './act.tsx';
import { control } from './connection.ts';
import { journal } from './journal.ts';
import { hasFailed } from './panels/requests/filter.ts';
import { isSwitched } from './parts.tsx';
import { toHash } from './route.ts';
import { countOf } from './text.tsx';
import { useNow } from './use-clock.ts';
import { useQuery } from './use-query.ts';

interface SessionState {
  /** What the menu shows beside each panel, by its id. */
  readonly counts: Readonly<Record<string, number>>;
  /** What is not normal, by the panel where it is changed. */
  readonly unusual: Readonly<Record<string, string>>;
}

export const useSessionState = (): SessionState => {
  const { value } = useQuery('session state', async ({ faults, quotas, assumptions, sessions }) => ({
    faults: (await faults.list()).filter(({ off, spent }) => !off && !spent).length,
    isEnforced: await quotas.isEnforced(),
    limits: (await quotas.list()).length,
    assumptions: (await assumptions.list()).filter(isSwitched).length,
    sessions: (await sessions.list()).length,
  }));
  const failed = journal.use((state) => state.requests).filter(hasFailed).length;
  const speed = useNow()?.speed ?? 0;
  if (value === undefined) return { counts: {}, unusual: {} };
  const { faults, isEnforced, limits, assumptions, sessions } = value;
  return {
    counts: {
      requests: failed,
      faults,
      limits: isEnforced ? limits : 0,
      assumptions,
      sessions: sessions > 1 ? sessions : 0, // there is always one
    },
    unusual: {
      ...(faults > 0 && { faults: `${countOf(faults, 'fault')} on` }),
      ...(isEnforced && { limits: 'limits enforced' }),
      ...(assumptions > 0 && { assumptions: `${countOf(assumptions, 'assumption')} switched` }),
      ...(speed > 0 && { clock: `clock runs ${speed}×` }),
    },
  };
};

export const StateBar = ({ of }: { readonly of: SessionState['unusual'] }) => (
  <Group
    component="section"
    aria-label="What is not normal"
    gap={6}
    wrap="nowrap"
    h={28}
    px={16}
    bg="var(--warn-soft)"
    c="var(--warn)"
  >
    <IconAlertTriangle size={14} aria-hidden style={{ flex: 'none' }} />
    <Text inherit truncate flex={1}>
      {Object.entries(of).map(([panel, text], at) => (
        <Fragment key={panel}>
          {at > 0 && ' · '}
          <Anchor inherit c="inherit" underline="always" href={toHash(panel)}>
            {text}
          </Anchor>
        </Fragment>
      ))}
    </Text>
    <Action
      text="Back to normal"
      variant="transparent"
      px={0}
      c="inherit"
      td="underline"
      run={() => control.state.normalize()}
      done="Back to normal: faults off, limits not enforced, assumptions as documented, clock frozen"
    />
  </Group>
);
