import { Box, Group, Paper, UnstyledButton } from '@mantine/core';
import { type Kind, recordsOf } from '../../kinds.ts';
import { Loading } from '../../parts.tsx';
import { setQuery } from '../../route.ts';
import { colorOf, formatCount, isolate } from '../../text.tsx';
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
  const { value: counts } = useQuery(['shares', name, matching], (own) =>
    // A status is not counted for too many records that may still change.
    Promise.all(states.map((status) => recordsOf(name, own).count({ ...matching, status }))).catch(() => []),
  );
  if (counts === undefined) return <Loading />;
  if (!counts.some(Boolean)) return null;
  return (
    <Paper p={8} component={Group} gap="4px 2px" role="group" aria-label="Status">
      {states.map((status, at) => {
        const isCurrent = status === current;
        return (
          counts[at] !== 0 && (
            <UnstyledButton
              key={status}
              aria-pressed={isCurrent}
              fz="xs"
              p={4}
              flex={`${counts[at]} 1 100px`}
              bg={isCurrent ? 'var(--accent-soft)' : 'none'}
              onClick={() => setQuery({ status: isCurrent ? '' : status })}
            >
              <Box
                h={8}
                bg={`var(--mantine-color-${colorOf(status)}-filled)`}
                bdrs={2}
                bd="1px solid transparent"
              />
              {isolate(status)} <span className="dimmed">{formatCount(counts[at] ?? 0)}</span>
            </UnstyledButton>
          )
        );
      })}
    </Paper>
  );
};
