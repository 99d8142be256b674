import { Anchor, Group, Progress, Switch } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { QuotaInfo } from '../../../core/quotas/quotas.ts';
import { Action, act } from '../../act.tsx';
import { useNow } from '../../clock.ts';
import { linkTo } from '../../kinds.ts';
import { Lines, Section } from '../../parts.tsx';
import { toHash } from '../../route.ts';
import { Foreign, formatCount, formatSpan, formatTime, isolate } from '../../text.tsx';
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
    : quotas.length === 0 && 'No calls have been counted yet in the current minute, hour or day.';
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
          <Action {...refill} disabled={!isEnforced || quotas.length === 0} Icon={IconRefresh}>
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
  const { policy, name, type, group, limit, used, remaining, resets_at } = quota;
  const now = useNow();
  const left = now === undefined ? 0 : Date.parse(resets_at) / 1000 - now.seconds;
  const isFull = remaining <= 0;
  const fill = `${formatCount(used)} of ${formatCount(limit)} ${type} used`;
  // A credential is its mask and a fingerprint.
  const groups = Object.entries(group).map(([key, value]) => `${key}=${value.replace(/ key_\w{16}$/, '')}`);
  return (
    <>
      <Group gap="xs">
        <Anchor inherit href={linkTo('policies', policy)} title={isolate(policy)} className="wrap">
          <Foreign text={name ?? policy} />
        </Anchor>
        <span className="mono dimmed">
          <Foreign text={groups.join(' ')} />
        </span>
      </Group>
      <Progress
        my={4}
        size="lg"
        style={{ forcedColorAdjust: 'none' }}
        aria-label={isolate(`Policy ${[name ?? policy, ...groups].join(' ')}`)}
        value={limit === 0 ? 100 : Math.min(100, (used / limit) * 100)}
        color={isFull ? 'red' : 'indigo'}
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
