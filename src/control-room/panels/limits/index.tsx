import { Anchor, Box, Portal, RingProgress, Stack, Switch, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { Policy } from '../../../core/operations/get-rate-limits-policy/types.ts';
import type { QuotaGroup, QuotaInfo } from '../../../core/quotas/quotas.ts';
import { Action, Actions, act } from '../../act.tsx';
import { linkTo } from '../../kinds.ts';
import { Loading, Note, Row, Section } from '../../parts.tsx';
import { toHash } from '../../route.ts';
import { countOf, Foreign, formatCount, formatSpan, isolate } from '../../text.tsx';
import { useNow } from '../../use-clock.ts';
import { useQuery } from '../../use-query.ts';
import { advance } from '../clock/commands.ts';
import { describePolicy } from '../data/columns.tsx';
import { enforce, lift, refill, toLimitEveryone } from './commands.ts';
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
        <Switch label="Enforced" checked={isEnforced} onChange={() => act(isEnforced ? lift : enforce)} />
        <Action
          text="Refill all"
          {...refill}
          Icon={IconRefresh}
          disabled={quotas.every(({ groups }) => groups.length === 0)}
        />
      </Portal>
      <NewLimit />
      <Section
        title="Active"
        side={
          <>
            <Note>
              {!isEnforced && 'Off: calls are neither counted nor refused.'}
              {isFrozen && 'The clock is frozen: nothing resets until it moves.'}
            </Note>
            {isFrozen && <Action text="+ 1 min" {...advance('1m')} />}
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
            <Row
              key={quota.policy}
              wrap="wrap"
              px={0}
              name={<Name quota={quota} policy={policyOf(quota)} />}
              side={<Actions of={[toLimitEveryone(quota)]} />}
            >
              <Note>
                <Foreign text={whyIdle(quota) ?? ''} />
              </Note>
            </Row>
          ))}
        </Section>
      )}
      {archived > 0 && (
        <Note>
          <Anchor inherit href={toHash('data', ['policies'], { status: 'archived' })}>
            {countOf(archived, 'archived policy', 'archived policies')}
          </Anchor>
          : they never limit
        </Note>
      )}
    </Stack>
  );
};

interface NameProps {
  readonly quota: QuotaInfo;
  readonly policy: Policy | undefined;
}

const Name = ({ quota: { policy: id, name }, policy }: NameProps) => (
  <Box w={240} className="wrap">
    <Anchor inherit href={linkTo('policies', id)} title={isolate(id)}>
      <Foreign text={name ?? id} />
    </Anchor>
    <Note>
      <Foreign text={policy ? describePolicy(policy) : ''} />
    </Note>
  </Box>
);

interface LimitProps extends NameProps {
  /** Undefined if nothing is used. */
  readonly group: QuotaGroup | undefined;
  readonly now: number;
}

/** What a group of callers has used of a limit. */
const Limit = ({ quota, policy, group, now }: LimitProps) => {
  const { limit, type, name, matched } = quota;
  const { used = 0, remaining = limit, resets_at } = group ?? {};
  const left = resets_at === undefined ? 0 : Date.parse(resets_at) / 1000 - now;
  const percent = limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
  const color = remaining <= 0 ? 'red' : percent >= 80 ? 'orange' : 'teal';
  // A credential is its mask and a fingerprint.
  const whom = Object.entries(group?.group ?? {}).map(
    ([key, value]) => `${key}=${value.replace(/ key_\w{16}$/, '')}`,
  );
  const unused = countOf(remaining, type.replace(/s$/, ''), type);
  return (
    <Row
      wrap="wrap"
      px={0}
      role="group"
      aria-label={isolate([name ?? quota.policy, ...whom].join(' '))}
      name={
        <>
          <RingProgress
            size={40}
            thickness={4}
            sections={[{ value: percent, color }]}
            label={<Text size="10px" ta="center">{`${Math.round(percent)}%`}</Text>}
            aria-hidden
          />
          <Name quota={quota} policy={policy} />
          <Cell
            title={`${formatCount(used)} of ${formatCount(limit)}`}
            note={remaining <= 0 ? 'the next gets 429' : `${unused} left`}
          />
        </>
      }
      side={left > 0 && <Cell title={formatSpan(left)} note="until it resets" />}
    >
      <Note>
        <Foreign text={whom.join(' ') || `all callers, ${countOf(matched, 'call')} so far`} />
      </Note>
    </Row>
  );
};

const Cell = ({ title, note }: { readonly title: string; readonly note: string }) => (
  <Box w={130}>
    <b>{title}</b>
    <Note>{note}</Note>
  </Box>
);
