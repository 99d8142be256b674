import type { QuotaInfo } from '../../quotas/quotas.ts';
import { Name } from '../name.tsx';
import { now as clock } from '../now.ts';
import { Action, Card, Empty, formatCount, formatSpan, formatTime, RecordLink } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { toHash } from '../route.ts';
import { control } from '../session.ts';
import { texts } from '../texts.ts';
import { isolate } from '../visible.ts';

const t = texts.quotas;

export const Quotas = () => {
  const { value: known } = useQuery('quotas', async (control) => ({
    isEnforced: await control.quotas.isEnforced(),
    quotas: await control.quotas.list(),
  }));
  if (known === undefined)
    return (
      <Card title={t.title}>
        <Empty>{texts.common.loading}</Empty>
      </Card>
    );
  const { isEnforced, quotas } = known;
  return (
    <Card
      title={t.title}
      aside={
        <>
          <Action
            role="switch"
            aria-checked={isEnforced}
            class="switch"
            run={() => (isEnforced ? control.quotas.lift() : control.quotas.enforce())}
          >
            {t.enforced}
          </Action>
          <Action run={() => control.quotas.refill()} done={t.refilled} disabled={quotas.length === 0}>
            {t.refill}
          </Action>
        </>
      }
    >
      {quotas.length === 0 ? (
        <Empty>
          {isEnforced ? t.noneCounted : t.notEnforced} <a href={toHash('data', ['policies'])}>{t.policies}</a>
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
  quota: { policy, name, type, group, limit, used, remaining, resets_at },
}: {
  readonly quota: QuotaInfo;
}) => {
  const now = clock.value;
  const left = now === undefined ? 0 : Date.parse(resets_at) / 1000 - now.seconds;
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const fill = t.used(formatCount(used), formatCount(limit), type);
  // A credential is its mask and a fingerprint.
  const groups = Object.entries(group).map(
    ([key, value]) => [key, value.replace(/ key_\w{16}$/, '')] as const,
  );
  return (
    <li>
      <div class="row">
        {name === null ? (
          <RecordLink kind="policies" id={policy} />
        ) : (
          <a href={toHash('data', ['policies', policy])} title={isolate(policy)}>
            <Name text={name} />
          </a>
        )}
        {groups.map(([key, value]) => (
          <span key={key} class="mono muted" title={isolate(group[key] ?? '')}>
            <Name text={`${key}=${value}`} />
          </span>
        ))}
      </div>
      <div
        class={`meter ${remaining <= 0 ? 'full' : ''}`}
        role="meter"
        aria-label={t.policy([name ?? policy, ...groups.map((pair) => pair.join('='))].join(' '))}
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
          {remaining <= 0 && <b>{t.noMore}</b>}
        </span>
        <span class="muted">
          {t.resets(formatTime(resets_at))}
          {left > 0 && t.resetsIn(formatSpan(left))}
        </span>
      </div>
    </li>
  );
};
