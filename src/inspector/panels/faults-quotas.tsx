import type { QuotaInfo } from '../../quotas/quotas.ts';
import { useAsk } from '../ask.ts';
import { control } from '../live.ts';
import { useNow } from '../now.ts';
import { Action, Card, Empty, Failure, formatCount, formatSpan, formatTime, RecordLink } from '../parts.tsx';
import { toHash } from '../route.ts';

export const Quotas = () => {
  const { value: known, error } = useAsk(async () => ({
    isEnforced: await control.quotas.isEnforced(),
    quotas: await control.quotas.list(),
  }));
  if (known === undefined)
    return (
      <Card title="Quotas">
        <Failure message={error} />
      </Card>
    );
  const { isEnforced, quotas } = known;
  return (
    <Card
      title="Quotas"
      aside={
        <>
          <Action
            role="switch"
            aria-checked={isEnforced}
            class="switch"
            run={() => (isEnforced ? control.quotas.lift() : control.quotas.enforce())}
          >
            Enforced
          </Action>
          <Action
            run={() => control.quotas.refill()}
            done="The quotas are full again"
            disabled={quotas.length === 0}
          >
            Refill
          </Action>
        </>
      }
    >
      <Failure message={error} />
      {quotas.length === 0 ? (
        <Empty>
          {isEnforced
            ? 'No calls have been counted in the current windows yet.'
            : 'Policies are not enforced, and calls are not counted. Turn on “Enforced” to apply the active policies.'}{' '}
          <a href={toHash('data', ['policies'])}>Policies</a>
        </Empty>
      ) : (
        <ul class="quotas">
          {quotas.map((quota) => (
            <Quota key={`${quota.policy} ${JSON.stringify(quota.group)}`} quota={quota} />
          ))}
        </ul>
      )}
    </Card>
  );
};

const Quota = ({
  quota: { policy, type, group, limit, used, remaining, resets_at },
}: {
  readonly quota: QuotaInfo;
}) => {
  const now = useNow();
  const left = now === undefined ? 0 : Date.parse(resets_at) / 1000 - now.seconds;
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const fill = `${formatCount(used)} of ${formatCount(limit)} ${type} used`;
  const groups = Object.entries(group);
  return (
    <li>
      <div class="row">
        <RecordLink kind="policies" id={policy} />
        {groups.map(([name, value]) => (
          <span key={name} class="mono muted">
            {name}={value}
          </span>
        ))}
      </div>
      <div
        class={`meter ${remaining <= 0 ? 'full' : ''}`}
        role="meter"
        aria-label={`Policy ${[policy, ...groups.map((pair) => pair.join('='))].join(' ')}`}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={fill}
      >
        <div style={{ width: `${share * 100}%` }} />
      </div>
      <div class="row spread">
        <span>
          {fill}
          {remaining <= 0 && <b>: no more</b>}
        </span>
        <span class="muted">
          Resets at {formatTime(resets_at)}
          {left > 0 && `, in ${formatSpan(left)}`}
        </span>
      </div>
    </li>
  );
};
