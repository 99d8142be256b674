// What is not normal in the session: the bar below the header and the counts of the menu say the same.
import { Anchor, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Action } from './act.tsx';
import { control } from './connection.ts';
import { journal } from './journal.ts';
import { hasFailed } from './panels/requests/filter.ts';
import { toHash } from './route.ts';
import { countOf } from './text.tsx';
import { useNow } from './use-clock.ts';
import { useQuery } from './use-query.ts';

export interface SessionState {
  readonly isEnforced: boolean;
  readonly speed: number;
  /** What the menu shows beside each panel, by its id. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Undefined until it is loaded. */
export const useSessionState = (): SessionState | undefined => {
  const { value } = useQuery('session state', async ({ faults, quotas, assumptions, sessions }) => ({
    faults: (await faults.list()).filter(({ off, spent }) => !off && !spent).length,
    limits: (await quotas.isEnforced()) ? (await quotas.list()).length : 0,
    isEnforced: await quotas.isEnforced(),
    assumptions: (await assumptions.list()).filter((one) => one.value !== one.choices[0]?.[0]).length,
    sessions: (await sessions.list()).length,
  }));
  const requests = journal.use((state) => state.requests).filter(hasFailed).length;
  const speed = useNow()?.speed ?? 0;
  if (value === undefined) return undefined;
  const { isEnforced, ...counts } = value;
  return { isEnforced, speed, counts: { ...counts, requests } };
};

interface Unusual {
  readonly text: string;
  /** Where it is changed. */
  readonly href: string;
}

/** What is not normal, each with its link. */
export const listUnusual = ({ isEnforced, speed, counts }: SessionState): readonly Unusual[] => {
  const { faults = 0, assumptions = 0 } = counts;
  return [
    ...(faults > 0 ? [{ text: `${countOf(faults, 'fault')} on`, href: toHash('faults') }] : []),
    ...(isEnforced ? [{ text: 'limits enforced', href: toHash('limits') }] : []),
    ...(assumptions > 0
      ? [{ text: `${countOf(assumptions, 'assumption')} switched`, href: toHash('assumptions') }]
      : []),
    ...(speed > 0 ? [{ text: `clock runs ${speed}×`, href: toHash('clock') }] : []),
  ];
};

export const StateBar = ({ of }: { readonly of: readonly Unusual[] }) => (
  <Group
    component="section"
    aria-label="What is not normal"
    gap={6}
    wrap="nowrap"
    h={28}
    px={16}
    bg="var(--warn-soft)"
    c="var(--warn)"
    style={{ overflow: 'hidden', whiteSpace: 'nowrap' }}
  >
    <IconAlertTriangle size={14} aria-hidden />
    {of.map(({ text, href }, at) => (
      <Fragment key={text}>
        {at > 0 && <span aria-hidden>·</span>}
        <Anchor inherit c="inherit" underline="always" href={href}>
          {text}
        </Anchor>
      </Fragment>
    ))}
    <Action
      variant="transparent"
      ml="auto"
      px={0}
      c="inherit"
      td="underline"
      run={() => control.state.normalize()}
      done="Back to normal: faults off, limits not enforced, assumptions as documented, clock frozen"
    >
      Back to normal
    </Action>
  </Group>
);
