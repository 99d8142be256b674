import { Button, Chip, Group, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { RecordedRequest } from '../../../journal/recorded-request.ts';
import { formatCount } from '../../format.ts';
import { operationIds } from '../../operations.ts';
import { go, type Route, setQuery, toHash } from '../../route.ts';
import { chips, filterNames, findMistake, isPressed, pressChip } from './filter.ts';

interface BarProps {
  readonly route: Route;
  /** What the chips choose from. */
  readonly base: readonly RecordedRequest[];
  /** What is at the end of the bar. */
  readonly children: ReactNode;
}

export const FilterBar = ({ route, base, children }: BarProps) => {
  const filters = route.query;
  const input = useRef<HTMLInputElement>(null);
  useSearchKeys(input);
  const mistake = findMistake(filters.status);
  return (
    <search>
      <Group gap="xs" align="flex-start">
        <TextInput
          ref={input}
          className="request-search"
          type="search"
          aria-label="Search"
          placeholder="Any words of requests and replies"
          title="Ctrl+F or /: searches paths, statuses, faults, ids, headers and bodies"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={filters.search ?? ''}
          onChange={(event) => setQuery(route, { search: event.currentTarget.value })}
        />
        <NativeSelect
          className="request-filter"
          aria-label="Operation"
          data={[{ value: '', label: 'All operations' }, ...operationIds.toSorted()]}
          value={filters.operation ?? ''}
          onChange={(event) => setQuery(route, { operation: event.currentTarget.value })}
        />
        <TextInput
          className="request-filter"
          aria-label="Status"
          placeholder="Status: >=400"
          autoComplete="off"
          value={filters.status ?? ''}
          onChange={(event) => setQuery(route, { status: event.currentTarget.value })}
          error={mistake && <span role="alert">{mistake}</span>}
        />
        <Group gap="xs" ml="auto" mih={36}>
          {children}
        </Group>
      </Group>
      <Chips route={route} base={base} />
    </search>
  );
};

const Chips = ({ route, base }: Pick<BarProps, 'route' | 'base'>) => {
  const filters = route.query;
  const isAny = ['status', 'faulted', 'unmatched'].some((name) => filters[name]);
  const rest = Object.fromEntries(Object.entries(filters).filter(([name]) => name === 'sort'));
  return (
    <Group gap={6} mt="xs" role="group" aria-label="Filters">
      <Chip
        size="xs"
        icon={null}
        checked={!isAny}
        onChange={() => setQuery(route, { status: '', faulted: '', unmatched: '' })}
      >
        All {formatCount(base.length)}
      </Chip>
      {chips.map(({ label, filter, test }) => (
        <Chip
          key={label}
          size="xs"
          checked={isPressed(filters, filter)}
          onChange={() => setQuery(route, pressChip(filters, filter))}
        >
          {label} {formatCount(base.filter(test).length)}
        </Chip>
      ))}
      {filterNames.some((name) => filters[name]) && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconX size={14} aria-hidden />}
          onClick={() => go(toHash('requests', route.rest, rest))}
        >
          Clear the filters
        </Button>
      )}
    </Group>
  );
};

/** Ctrl+F and / go to the search, since the browser's own finds only the visible rows. A second Ctrl+F is the browser's. */
const useSearchKeys = (input: { readonly current: HTMLInputElement | null }): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { ctrlKey, metaKey, altKey, shiftKey, key, target } = event;
      const isTyping = target instanceof Element && target.matches('input, textarea, select');
      const isInDialog = target instanceof Element && target.closest('[role="dialog"]') !== null;
      const isFind = (ctrlKey || metaKey) && !altKey && !shiftKey && key === 'f';
      const isSlash = key === '/' && !ctrlKey && !metaKey && !isTyping;
      if (document.activeElement === input.current || isInDialog || !(isFind || isSlash)) return;
      event.preventDefault();
      event.stopPropagation();
      input.current?.select();
      input.current?.focus();
    };
    const isFirst = true; // ahead of the page's own meaning of /
    addEventListener('keydown', onKeyDown, isFirst);
    return () => removeEventListener('keydown', onKeyDown, isFirst);
  }, []);
};
