import { Paper } from '@mantine/core';
import { type Kind, recordsOf } from '../../kinds.ts';
import { Loading } from '../../parts.tsx';
import { setQuery } from '../../route.ts';
import { formatCount, isolate, toneOf } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';

interface SharesProps {
  readonly kind: Kind;
  /** The owner, if only its records are listed. */
  readonly matching: object;
  /** The status that the list is filtered by. */
  readonly current: string;
}

/** How many records have each status, as a bar whose parts filter the list. */
export const StatusShares = ({ kind: { name, states = [] }, matching, current }: SharesProps) => {
  const { value: shares } = useQuery(['shares', name, matching], async (own) => {
    const counts = states.map((status) => recordsOf(name, own).count({ ...matching, status }));
    // A status is not counted for too many records that may still change.
    return await Promise.all(counts).then(
      (all) => states.flatMap((status, at) => (all[at] ? [{ status, count: all[at] }] : [])),
      () => [],
    );
  });
  if (shares === undefined) return <Loading />;
  if (shares.length === 0) return null;
  return (
    <Paper p="8px 12px" className="shares" role="group" aria-label="Status">
      {shares.map(({ status, count }) => (
        <button
          key={status}
          type="button"
          aria-pressed={status === current}
          style={{ flexGrow: count }}
          onClick={() => setQuery({ status: status === current ? '' : status })}
        >
          <i style={{ background: `var(--${toneOf(status)}-fill)` }} />
          {isolate(status)} <span className="dimmed">{formatCount(count)}</span>
        </button>
      ))}
    </Paper>
  );
};
