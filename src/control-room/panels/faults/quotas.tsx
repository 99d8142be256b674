import { Anchor, Group, Progress, Switch } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { QuotaGroup, QuotaInfo } from '../../../core/quotas/quotas.ts';
import { Action, act } from '../../act.tsx';
import { linkTo } from '../../kinds.ts';
import { Lines, Section } from '../../parts.tsx';
import { toHash } from '../../route.ts';
import { Foreign, formatCount, formatSpan, formatTime, isolate } from '../../text.tsx';
import { useNow } from '../../use-clock.ts';
import { useQuery } from '../../use-query.ts';
import { enforce, lift, refill } from './commands.ts';

/** How much of each policy is used, by group, in the present window. */
export const Quotas = () => {
  const { value } = useQuery('quotas', async (own) => ({
    isEnforced: await own.quotas.isEnforced(),
    quotas: await own.quotas.list(),
  }));
  const { isEnforced = false, quotas = [] } = value ?? {};
  const note = !isEnforced
    ? 'Off: policies are not enforced, and calls are not counted. Turn on “Enforced” to apply the active ones.'
    : quotas.length === 0 && 'There is no active policy: no call is limited.';
  return (
    <Section
      title="Quotas"
      note={
        value &&
        note && (
          <>
            {note}{' '}
            <Anchor inherit underline="always" href={toHash('data', ['policies'])}>
              Policies
            </Anchor>
          </>
        )
      }
      side={
        <Group>
          <Switch
            label="Enforced"
            checked={isEnforced}
            disabled={!value}
            onChange={() => void act(isEnforced ? lift : enforce)}
          />
          <Action
            {...refill}
            disabled={!isEnforced || quotas.every(({ groups }) => groups.length === 0)}
            Icon={IconRefresh}
          >
            Refill
          </Action>
        </Group>
      }
    >
      <Lines label="Quotas" first={20} of={isEnforced ? quotas : []}>
        {(quota) => <Quota quota={quota} />}
      </Lines>
    </Section>
  );
};

const Quota = ({ quota }: { readonly quota: QuotaInfo }) => {
  const { policy, name, groups, matched, never } = quota;
  return (
    <>
      <Anchor inherit href={linkTo('policies', policy)} title={isolate(policy)} className="wrap">
        <Foreign text={name ?? policy} />
      </Anchor>
      {groups.map((use) => (
        <Use key={JSON.stringify(use.group)} quota={quota} use={use} />
      ))}
      {groups.length === 0 && (
        <div className="dimmed wrap">
          {never === null ? (
            `Nothing is used in the current window. Calls matched so far: ${formatCount(matched)}.`
          ) : (
            <Foreign text={never} />
          )}
        </div>
      )}
    </>
  );
};

/** What a group of callers has used. */
const Use = ({ quota, use }: { readonly quota: QuotaInfo; readonly use: QuotaGroup }) => {
  const { policy, name, type, limit } = quota;
  const { group, used, remaining, resets_at } = use;
  const now = useNow();
  const left = now === undefined ? 0 : Date.parse(resets_at) / 1000 - now.seconds;
  const isFull = remaining <= 0;
  const fill = `${formatCount(used)} of ${formatCount(limit)} ${type} used`;
  // A credential is its mask and a fingerprint.
  const groups = Object.entries(group).map(([key, value]) => `${key}=${value.replace(/ key_\w{16}$/, '')}`);
  return (
    <>
      <div className="mono dimmed">
        <Foreign text={groups.join(' ')} />
      </div>
      <Progress
        my={4}
        size="lg"
        style={{ forcedColorAdjust: 'none' }}
        aria-label={isolate(`Policy ${[name ?? policy, ...groups].join(' ')}`)}
        value={limit === 0 ? 100 : Math.min(100, (used / limit) * 100)}
        color={isFull ? 'red' : 'teal'}
      />
      <Group justify="space-between" gap="2px 8px">
        <span>
          {fill}
          {isFull && ', limit reached'}
        </span>
        <span className="dimmed">
          Resets at {formatTime(resets_at)}
          {left > 0 && `, in ${formatSpan(left)}`}
        </span>
      </Group>
    </>
  );
};
