import { Group, Portal, Stack, Text, useMatches } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { batchLifecycle } from '../../../core/operations/list-batches/lifecycle.ts';
import { runLifecycle } from '../../../core/operations/list-runs/lifecycle.ts';
import { limits } from '../../../core/util/limits.ts';
import type { RecordQuery } from '../../../service/control/control-interface.ts';
import { Action, Actions } from '../../act.tsx';
import { Grid, type GridColumn } from '../../grid.tsx';
import { type AnyRecord, type Kind, linkTo, recordsOf } from '../../kinds.ts';
import { SearchField } from '../../parts.tsx';
import { go, toHash, useRoute } from '../../route.ts';
import { countOf, formatCount, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { maxHistories } from '../clock/spans.ts';
import { columnsOf } from './columns.tsx';
import { statusCommands } from './commands.ts';
import { StatusShares } from './status-shares.tsx';

/** Records are loaded in steps of this many, and at least so many around the visible ones. */
const step = 100;
const spare = 50;

/** How long the user must have typed nothing before a search begins, in milliseconds. */
const pause = 300;

/** The states that may follow each state of a run or batch: none for a final state. */
const nextStates: Readonly<Record<string, object>> = { ...runLifecycle.next, ...batchLifecycle.next };

/** The records of a kind, newest first; all, or those of the owner with an id. Only those around the visible ones are loaded. */
export const RecordList = ({ kind, owner }: { readonly kind: Kind; readonly owner?: string }) => {
  const { name, singular, states } = kind;
  const { q = '', status = '' } = useRoute().query;
  const search = q.trim();
  const isFiltered = status !== '' || search !== '';
  const [range, setRange] = useState({ offset: 0, limit: 2 * step });
  const owned = kind.owner && owner !== undefined ? { [kind.owner.field]: owner } : {};
  const matching = { ...owned, ...(status && { status }), ...(search && { search }) };
  const { value: page } = useQuery(
    ['list', name, matching],
    async (control) => {
      const records = recordsOf(name, control);
      const [listed, count, total] = await Promise.all([
        records.list({ ...matching, ...range }),
        records.count(matching),
        isFiltered ? records.count(owned) : undefined,
      ]);
      // The histories take long for many records, so they are loaded only if one of the listed may change.
      const isFinal = ({ status }: AnyRecord) => Object.keys(nextStates[String(status)] ?? {}).length === 0;
      const mayChange = kind.isLiving && !listed.every(isFinal);
      const histories = mayChange
        ? await control.clock.timeline({ limit: maxHistories }).catch(() => [])
        : [];
      return { listed, offset: range.offset, count, total: total ?? count, histories };
    },
    { details: range, wait: search === '' ? 0 : pause },
  );
  const onView = useCallback((first: number, last: number) => {
    const offset = Math.max(0, Math.floor((first - spare) / step)) * step;
    setRange({ offset, limit: Math.max(2, Math.ceil((last + spare - offset) / step)) * step });
  }, []);

  const [chosen, setChosen] = useState<readonly string[]>([]);
  useEffect(() => setChosen([]), [status, search]); // so that only listed records are changed
  const toggle = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  /** The checkbox is in the first cell. */
  const withBox = ({ show, ...rest }: GridColumn<AnyRecord>): GridColumn<AnyRecord> => ({
    ...rest,
    show: (record) => (
      <>
        <input
          type="checkbox" // the library's own would make the list slow
          style={{ margin: '0 8px 0 0', verticalAlign: 'middle', accentColor: 'var(--accent-fill)' }}
          tabIndex={-1} // the grid handles the keyboard
          aria-label={isolate(`Choose ${record.id}`)}
          checked={chosen.includes(record.id)}
          onChange={() => toggle(record.id)}
        />
        {show(record)}
      </>
    ),
  });

  const columnCount = useMatches({ base: 2, sm: 3, md: 4, lg: 9 });
  const columns = columnsOf(kind, owner !== undefined, page?.histories ?? [])
    .slice(0, columnCount)
    .map((column, at) => (at === 0 ? withBox(column) : column));
  const box = useRef<HTMLDivElement>(null);
  const focusGrid = (): void => box.current?.querySelector<HTMLElement>('[role=grid]')?.focus();
  return (
    <Stack gap="xs" ref={box}>
      <Portal target="#panel-tools">
        <Action
          text={`New ${singular}`}
          variant="filled"
          Icon={IconPlus}
          run={() => go(toHash('data', [name], { new: singular, owner }))}
        />
      </Portal>
      {states && <StatusShares kind={kind} matching={owned} current={status} />}
      <Group gap="sm" mih={28}>
        <SearchField
          placeholder="Id, or a part of it"
          aria-label="Id, or a part of it"
          w={{ base: '100%', xs: 280 }}
          classNames={{ input: 'mono' }}
          onKeyDown={({ key }) => key === 'Enter' && focusGrid()}
        />
        {page && chosen.length > 0 && (
          <Chosen kind={kind} ids={chosen} count={page.count} set={setChosen} matching={matching} />
        )}
        <Text c="dimmed" role="status" ml="auto">
          {page === undefined && (status ? `Computing the status of all ${name} …` : 'Searching …')}
          {page && isFiltered && `${formatCount(page.count)} of `}
          {page && countOf(page.total, singular, name)}
        </Text>
      </Group>
      {page?.count === 0 ? (
        <Text c="dimmed">
          {isFiltered
            ? `No ${singular} matches.`
            : `No ${name} yet. Create one with “New ${singular}”, or load another scenario.`}
        </Text>
      ) : (
        <Grid
          label={`List of ${name}`}
          columns={columns}
          rows={page?.listed ?? []}
          offset={page?.offset}
          count={page?.count ?? 8} // skeletons until they are loaded
          keyOf={({ id }) => id}
          height={`max(320px, 100vh - ${states ? 292 : 220}px)`}
          open={(key) => go(linkTo(name, key))}
          choose={toggle}
          onView={onView}
        />
      )}
    </Stack>
  );
};

interface ChosenProps {
  readonly kind: Kind;
  readonly ids: readonly string[];
  /** How many are listed. */
  readonly count: number;
  readonly set: (ids: readonly string[]) => void;
  /** The filter of the list. */
  readonly matching: RecordQuery;
}

/** What is done with all chosen records: one change, which one undo takes back. */
const Chosen = ({ kind, ids, count, set, matching }: ChosenProps) => {
  const records = recordsOf(kind.name);
  const chosen = countOf(ids.length, kind.singular, kind.name);
  const all = `Choose all ${formatCount(Math.min(count, limits.listed))}`;
  const chooseAll = async (): Promise<void> =>
    set((await records.list({ ...matching, limit: limits.listed })).map(({ id }) => id));
  const remove = async (): Promise<void> => {
    await records.deleteMany(ids);
    set([]);
  };
  return (
    <Group gap="xs" role="group" aria-label={`${chosen} chosen`}>
      <Text c="dimmed">
        {formatCount(ids.length)} of {formatCount(count)} chosen
      </Text>
      <Actions
        of={[
          { name: all, text: all, run: chooseAll },
          { name: 'Choose none', text: 'Choose none', run: () => set([]) },
          ...statusCommands(kind, ids),
          {
            name: `Delete ${chosen}`,
            text: 'Delete',
            Icon: IconTrash,
            run: remove,
            done: `${chosen}: deleted`,
          },
        ]}
      />
    </Group>
  );
};
