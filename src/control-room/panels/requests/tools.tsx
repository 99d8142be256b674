import { Chip, Group, Kbd } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { Action } from '../../act.tsx';
import { SearchField } from '../../parts.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { formatCount } from '../../text.tsx';
import { clearRequests } from './commands.ts';
import { applySearch, chips, hasTerm, parseSearch, toggleTerm } from './filter.ts';

interface ToolsProps {
  readonly requests: readonly RecordedRequest[];
  readonly error: string | undefined;
  readonly isPaused: boolean;
  readonly togglePause: () => void;
}

/** The line above the list. */
export const Tools = ({ requests, error, isPaused, togglePause }: ToolsProps) => {
  const { q = '' } = useRoute().query;
  return (
    <Group component="search" gap={6} mih={44} px={{ base: 12, sm: 16 }} py={8}>
      <SearchField
        flex="1 1 200px"
        placeholder="Search, or status:5xx op:listRuns outcome:lost"
        error={error !== undefined}
        aria-invalid={error !== undefined}
      />
      <Group className="chips" role="group" aria-label="Filters" gap={6}>
        <Chip checked={q === ''} onChange={() => setQuery({ q: '' })}>
          All {formatCount(requests.length)}
        </Chip>
        {chips.map(({ label, term }) => (
          <Chip key={term} checked={hasTerm(q, term)} onChange={() => setQuery({ q: toggleTerm(q, term) })}>
            {label} {formatCount(applySearch(requests, parseSearch(term), undefined).length)}
          </Chip>
        ))}
      </Group>
      <Action
        text={isPaused ? 'Continue' : 'Pause'}
        run={togglePause}
        Icon={isPaused ? IconPlayerPlay : IconPlayerPause}
        rightSection={<Kbd visibleFrom="lg">Space</Kbd>}
      />
      <Action {...clearRequests} Icon={IconTrash} aria-label="Clear" title="Clear the requests" />
    </Group>
  );
};
