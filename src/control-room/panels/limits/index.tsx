import { Anchor, Box, Group, Portal, RingProgress, Stack, Switch, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { Policy } from '../../../core/operations/get-rate-limits-policy/types.ts';
import type { QuotaGroup, QuotaInfo } from '../../../core/quotas/quotas.ts';
import { Action, act } from '../../act.tsx';
import { control } from '../../connection.ts';
import { linkTo } from '../../kinds.ts';
import { Loading, Section } from '../../parts.tsx';
import { toHash } from '../../route.ts';
import { countOf, Foreign, formatCount, formatSpan, isolate } from '../../text.tsx';
import { useNow } from '../../use-clock.ts';
import { useQuery } from '../../use-query.ts';
import { advance } from '../clock/commands.ts';
import { describePolicy } from '../data/columns.tsx';
import { enforce, lift, refill } from './commands.ts';
import { NewLimit } from './new-limit.tsx';

/** The active policies: what of each is used, by whom, and until when; and those that limit nothing, with the reason. */
export const Panel = () => {
  const now = useNow();
  const { value } = useQuery('quotas', async ({ quotas, records }) => ({
    isEnforced: await quotas.isEnforced(),
    quotas: await quotas.list(),
    policies: await records.policies.list(),
  }));
  if (value === undefined || now === undefined) return <Loading />;
  const { isEnforced, quotas, policies } = value;
  const policyOf = ({ policy }: QuotaInfo) => policies.find(({ id }) => id === policy);
  const whyIdle = (quota: QuotaInfo): string | null => {
    const conditions = policyOf(quota)?.conditions ?? [];
    if (quota.never !== null || quota.matched > 0 || !isEnforced || conditions.length === 0)
      return quota.never;
    return `No call so far had ${conditions.map(({ key, value }) => `${key} = ${value}`).join(' and ')}.`;
  };
  const idle = quotas.filter((quota) => whyIdle(quota) !== null);
  const counting = quotas.filter((quota) => !idle.includes(quota));
  const archived = policies.filter(({ status }) => status === 'archived').length;
  const isFrozen = isEnforced && now.speed === 0;
  return (
    <Stack>
      <Portal target="#panel-tools">
        <Switch
          label="Enforced"
          checked={isEnforced}
          onChange={() => void act(isEnforced ? lift : enforce)}
        />
        <Action {...refill} Icon={IconRefresh} disabled={quotas.every(({ groups }) => groups.length === 0)}>
          Refill all
        </Action>
      </Portal>
      <NewLimit />
      <Section
        title="Active"
        side={
          <>
            <Text size="xs" c="dimmed">
              {!isEnforced && 'Off: calls are neither counted nor refused.'}
              {isFrozen && 'The clock is frozen: nothing resets until it moves.'}
            </Text>
            {isFrozen && <Action {...advance('1m')}>+ 1 min</Action>}
          </>
        }
      >
        {counting.length === 0 && <Text c="dimmed">There is no active policy that can limit a call.</Text>}
        {counting.flatMap((quota) =>
          (quota.groups.length === 0 ? [undefined] : quota.groups).map((group) => (
            <Limit
              key={`${quota.policy} ${JSON.stringify(group?.group)}`}
              quota={quota}
              policy={policyOf(quota)}
              group={group}
              now={now.seconds}
            />
          )),
        )}
      </Section>
      {idle.length > 0 && (
        <Section title="Active, but no call matches" note="These limit nothing.">
          {idle.map((quota) => (
            <Group key={quota.policy} gap="4px 16px" className="row" py="xs" mt="xs">
              <Name quota={quota} policy={policyOf(quota)} />
              <Text size="xs" c="dimmed" className="wrap" flex="1 1 260px">
                <Foreign text={whyIdle(quota) ?? ''} />
              </Text>
              <Action
                run={() => control.records.policies.update(quota.policy, { conditions: [], group_by: [] })}
                done={`${quota.name ?? quota.policy}: limits everyone`}
              >
                Limit everyone instead
              </Action>
            </Group>
          ))}
        </Section>
      )}
      {archived > 0 && (
        <Text size="xs" c="dimmed">
          <Anchor inherit href={toHash('data', ['policies'], { status: 'archived' })}>
            {countOf(archived, 'archived policy', 'archived policies')}
          </Anchor>
          : they never limit
        </Text>
      )}
    </Stack>
  );
};

interface LimitProps {
  readonly quota: QuotaInfo;
  readonly policy: Policy | undefined;
}

const Name = ({ quota: { policy: id, name }, policy }: LimitProps) => (
  <Box w={240} className="wrap">
    <Anchor inherit href={linkTo('policies', id)} title={isolate(id)}>
      <Foreign text={name ?? id} />
    </Anchor>
    <Text size="xs" c="dimmed">
      <Foreign text={policy ? describePolicy(policy) : ''} />
    </Text>
  </Box>
);

interface UseProps extends LimitProps {
  /** Undefined if nothing is used. */
  readonly group: QuotaGroup | undefined;
  readonly now: number;
}

/** What a group of callers has used of a limit. */
const Limit = ({ quota, policy, group, now }: UseProps) => {
  const { limit, type, name, matched } = quota;
  const { used = 0, remaining = limit, resets_at } = group ?? {};
  const left = resets_at === undefined ? 0 : Date.parse(resets_at) / 1000 - now;
  const percent = limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
  const color = remaining <= 0 ? 'red' : percent >= 80 ? 'orange' : 'teal';
  // A credential is its mask and a fingerprint.
  const whom = Object.entries(group?.group ?? {}).map(
    ([key, value]) => `${key}=${value.replace(/ key_\w{16}$/, '')}`,
  );
  return (
    <Group
      gap="4px 16px"
      className="row"
      py={6}
      mt="xs"
      role="group"
      aria-label={isolate([name ?? quota.policy, ...whom].join(' '))}
    >
      <RingProgress
        size={40}
        thickness={4}
        sections={[{ value: percent, color }]}
        label={
          <Text size="10px" ta="center" fw={600}>
            {Math.round(percent)}%
          </Text>
        }
        aria-hidden
      />
      <Name quota={quota} policy={policy} />
      <Cell
        title={`${formatCount(used)} of ${formatCount(limit)}`}
        note={
          remaining <= 0 ? 'the next gets 429' : `${countOf(remaining, type.replace(/s$/, ''), type)} left`
        }
      />
      <Text size="xs" c="dimmed" className="wrap" flex="1 1 160px">
        <Foreign text={whom.join(' ') || `all callers, ${countOf(matched, 'call')} so far`} />
      </Text>
      {left > 0 && <Cell title={formatSpan(left)} note="until it resets" />}
    </Group>
  );
};

const Cell = ({ title, note }: { readonly title: string; readonly note: string }) => (
  <Box w={130}>
    <b>{title}</b>
    <Text size="xs" c="dimmed">
      {note}
    </Text>
  </Box>
);
