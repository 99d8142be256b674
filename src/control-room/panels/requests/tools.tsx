import { ActionIcon, Button, Chip, Group, Kbd } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { act } from '../../act.tsx';
import { SearchField } from '../../parts.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { formatCount } from '../../text.tsx';
import { clearRequests } from './commands.ts';
import { chips, hasTerm, parseSearch, toggleTerm } from './filter.ts';

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
    <div className="tools">
      <search>
        <SearchField
          placeholder="Search, or status:5xx op:listRuns outcome:lost"
          error={error !== undefined}
          aria-invalid={error !== undefined}
        />
      </search>
      <Group role="group" aria-label="Filters" gap={6} flex="none" maw="100%">
        <Chip checked={q === ''} onChange={() => setQuery({ q: '' })}>
          All {formatCount(requests.length)}
        </Chip>
        {chips.map(({ label, term }) => (
          <Chip key={term} checked={hasTerm(q, term)} onChange={() => setQuery({ q: toggleTerm(q, term) })}>
            {label} {formatCount(requests.filter((request) => parseSearch(term).tests[0]?.(request)).length)}
          </Chip>
        ))}
      </Group>
      <Button
        variant="default"
        flex="none"
        aria-pressed={isPaused}
        leftSection={
          isPaused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />
        }
        onClick={togglePause}
      >
        {isPaused ? 'Continue' : 'Pause'}
        <Kbd ml={6} visibleFrom="lg">
          Space
        </Kbd>
      </Button>
      <ActionIcon aria-label="Clear" title="Clear the requests" onClick={() => void act(clearRequests)}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
};
