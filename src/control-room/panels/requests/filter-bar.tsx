import { Button, Chip, Group, NativeSelect, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { listOperations } from '../../connection.ts';
import { fieldError, SearchField } from '../../parts.tsx';
import { go, setQuery, toHash, useParam, useRoute } from '../../route.ts';
import { formatCount } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { chips, filterNames, findError, isPressed, pressChip } from './filter.ts';

interface BarProps {
  /** What the chips choose from. */
  readonly base: readonly RecordedRequest[];
  /** What is at the end of the bar. */
  readonly children: ReactNode;
}

export const FilterBar = ({ base, children }: BarProps) => {
  const { query: filters, rest } = useRoute();
  const { value: operations = [] } = useQuery('operations', listOperations);
  return (
    <search>
      <Group gap="xs" align="flex-start">
        <SearchField flex="10 1 220px" label="Search" placeholder="Any words of requests and replies" />
        <NativeSelect
          flex="1 1 150px"
          label="Operation"
          data={[{ value: '', label: 'all' }, ...operations]}
          {...useParam('operation')}
        />
        <TextInput
          flex="1 1 150px"
          label="Status"
          placeholder="404, 5xx or >=400"
          autoComplete="off"
          error={fieldError(findError(filters.status))}
          {...useParam('status')}
        />
      </Group>
      <Group gap={6} mt="xs" role="group" aria-label="Filters">
        <Chip
          size="xs"
          icon={null}
          checked={!['status', 'faulted', 'unmatched'].some((name) => filters[name])}
          onChange={() => setQuery({ status: '', faulted: '', unmatched: '' })}
        >
          All {formatCount(base.length)}
        </Chip>
        {chips.map(({ label, filter, test }) => (
          <Chip
            key={label}
            size="xs"
            checked={isPressed(filters, filter)}
            onChange={() => setQuery(pressChip(filters, filter))}
          >
            {label} {formatCount(base.filter(test).length)}
          </Chip>
        ))}
        {filterNames.some((name) => filters[name]) && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconX size={14} aria-hidden />}
            onClick={() => go(toHash('requests', rest))}
          >
            Clear the filters
          </Button>
        )}
        <Group gap="xs" ml="auto">
          {children}
        </Group>
      </Group>
    </search>
  );
};
