// Assumptions that show in the records and pages of lists.
import { batchStates, runStates } from '../../../core/assumptions/record-states.ts';
import { policyCall } from '../calls.ts';
import { formatValue, NotCheckable } from '../check.ts';
import { batches, type CheckedList, checkpoints, type ListQuery, lists, ordersOf, runs } from '../lists.ts';
import { fieldOf, ignoreNotCheckable, itemsOf } from '../replies.ts';
import type { CheckTarget } from '../types.ts';
import type { SeenPage, SeenRecord, Walk } from '../walk.ts';
import { expectRecords, formatIds, idsOf, readPage, walkList } from '../walk.ts';
import { type Comparison, entryOf, type FindOther } from './comparison.ts';
import { findDisorder } from './order.ts';

/** Reads lists in all their orders. @throws NotCheckable if none of them has a record */
const readLists =
  (...candidates: readonly CheckedList[]) =>
  async (target: CheckTarget): Promise<readonly Walk[]> => {
    const walks: Walk[] = [];
    for (const list of candidates.filter(({ owner }) => !owner || target.samples[owner.sample] !== undefined))
      for (const order of ordersOf(list)) {
        const walk = await walkList(target, list, order).catch(ignoreNotCheckable);
        if (walk !== undefined && walk.records.length > 0) walks.push(walk);
      }
    if (walks.length === 0) throw new NotCheckable('none of the lists has a record.');
    return walks;
  };

/** Looks at each walk or page: the first that differs decides. */
const inEach =
  <Part extends { readonly request: string }>(
    read: (target: CheckTarget) => Promise<readonly Part[]>,
    find: (part: Part) => string | undefined,
    expected?: string,
  ): Comparison =>
  async (target) => {
    for (const part of await read(target)) {
      const actual = find(part);
      if (actual !== undefined) return { request: part.request, actual, expected };
    }
    return undefined;
  };

type ToQuery = (ids: readonly string[]) => ListQuery;

/** Compares a page of runs with a part of the walk, before which new runs may appear. */
const comparesRuns =
  (least: number, toQuery: ToQuery, toWanted: (ids: readonly string[]) => readonly string[]): Comparison =>
  async (target) => {
    const walk = await walkList(target, runs);
    expectRecords(walk, least);
    const page = await readPage(target, runs, toQuery(walk.ids), { fresh: true });
    const [expected, actual] = [formatIds(toWanted(walk.ids)), formatIds(idsOf(page))];
    return actual === expected ? undefined : { request: page.request, actual, expected };
  };

/** The first timestamp that cannot be in seconds. In seconds, the bound is in the year 5138; in milliseconds, it is in 1973. */
const findOtherUnit = ({ id, ...fields }: SeenRecord): string | undefined => {
  const other = Object.entries(fields).find(([name, time]) => name.endsWith('_at') && Number(time) >= 1e11);
  return other && `${other[0]} ${other[1]} in ${id}`;
};

/** Finds the first record whose state the mock does not know. */
const statesOf =
  (list: CheckedList, states: readonly string[]): Comparison =>
  async (target) => {
    const { request, records } = await walkList(target, list);
    expectRecords({ records }, 1);
    const other = records.find(({ status }) => !states.includes(String(status)));
    if (other === undefined) return undefined;
    return { request, value: 'any', actual: `${other.id}: unknown status ${formatValue(other.status)}` };
  };

/** The contract's fields that are null or missing in a list. */
const findGaps = ({ list, records }: Walk): readonly { name: string; isNull: boolean }[] =>
  records.flatMap((record) =>
    Object.keys(list.record.shape).flatMap((name) =>
      record[name] == null ? [{ name, isNull: record[name] === null }] : [],
    ),
  );

const absentValues: Comparison = async (target) => {
  const walks = await readLists(runs, batches)(target);
  const gaps = walks.flatMap(findGaps);
  const nulls = gaps.filter(({ isNull }) => isNull).length;
  if (nulls === gaps.length) return undefined;
  const actual = `${nulls} fields null, ${gaps.length - nulls} missing`;
  const request = walks.map((walk) => walk.request).join(' and ');
  return { request, value: nulls === 0 ? 'omitted' : undefined, actual };
};

/** The job may have no checkpoint. */
const presentValues: Comparison = inEach(
  (target) => readLists(checkpoints)(target).catch(() => []),
  (walk) => {
    const names = new Set(findGaps(walk).map(({ name }) => name));
    return names.size > 0 ? `null or missing: ${[...names].join(', ')}` : undefined;
  },
  'all fields of checkpoints present',
);

const totalOrder: Comparison = async (target) => {
  const [desc, asc] = [await walkList(target, runs, 'desc'), await walkList(target, runs, 'asc')];
  expectRecords(desc, 2);
  for (const { isComplete, reason } of [desc, asc])
    if (!isComplete) throw new NotCheckable(`failed to read all runs: ${reason}`);
  const reverse = asc.ids.filter((id) => desc.placeOf.has(id)).reverse();
  const isSame = reverse.join() === desc.ids.join();
  return isSame ? undefined : { request: asc.request, actual: formatIds(asc.ids) };
};

/** All pages of all lists, in both orders, and a page before a cursor. */
const readPages = async (target: CheckTarget): Promise<readonly SeenPage[]> => {
  const walks = await readLists(...lists)(target);
  const before = walks.find(({ list }) => list === runs)?.ids[3];
  const more = before === undefined ? [] : [await readPage(target, runs, { limit: 2, before })];
  return [...walks.flatMap(({ pages }) => pages), ...more].filter(({ records }) => records.length > 0);
};

/** Finds first_id or last_id that is not the end of data. They may be missing from batches. */
const findOtherEnds = ({ envelope, records }: SeenPage): string | undefined => {
  const { first_id: first, last_id: last } = envelope;
  const isSame = first === records[0]?.id && last === records.at(-1)?.id;
  return isSame ? undefined : `first_id ${formatValue(first)}, last_id ${formatValue(last)}`;
};

/** An empty page: of an empty thread, or after the last run of a thread. */
const emptyRunEnds: Comparison = async (target) => {
  const { ids, isComplete, reason } = await walkList(target, runs);
  if (!isComplete) throw new NotCheckable(reason);
  const { request, records, envelope } = await readPage(target, runs, { after: ids.at(-1) });
  if (records.length > 0) throw new NotCheckable('the page after the last run is not empty: see runs-end.');
  const ends = [fieldOf(envelope, 'first_id'), fieldOf(envelope, 'last_id')];
  const values = { '""': 'empty-string', null: 'null' } as const;
  const [first, last] = ends.map(formatValue);
  const value = first === last ? values[first as keyof typeof values] : undefined; // undefined for other texts
  return { request, value, actual: `first_id and last_id ${first}, ${last}` };
};

const firstPageBefore: Comparison = async (target) => {
  const start = await readPage(target, runs, { limit: 10 }, { fresh: true });
  expectRecords(start, 3);
  const before = idsOf(start)[2];
  const { request, hasMore } = await readPage(target, runs, { limit: 10, before }, { fresh: true });
  const expected = 'has_more false on the first page of the list';
  return hasMore ? { request, actual: 'has_more true', expected } : undefined;
};

const unknownKeys: FindOther = (policy) => {
  const items = ['conditions', 'group_by'].flatMap((name) => itemsOf(policy, name));
  if (items.length === 0) throw new NotCheckable('the policy has neither conditions nor group_by.');
  const keys = items.map((item) => String(fieldOf(item, 'key')));
  const unknown = keys.filter((key) => !/^(?:api_key|workspace_id|organisation_id|metadata\..+)$/.test(key));
  return unknown.length === 0 ? undefined : `the keys ${formatValue(unknown)}`;
};

/** The metrics that every checkpoint has by default. */
const measured = ['step', 'train_loss', 'train_mean_token_accuracy'];

const findUnmeasured = ({ records }: Walk): string | undefined => {
  const absent = measured.filter((name) =>
    records.some(({ metrics }) => typeof fieldOf(metrics, name) !== 'number'),
  );
  return absent.length === 0 ? undefined : `checkpoints without ${absent.join(', ')}`;
};

const beforeSixth: ToQuery = (ids) => ({ limit: 2, before: ids[5] });
const beforeLast: ToQuery = (ids) => ({ limit: 2, before: ids.at(-1) });
const betweenFive: ToQuery = (ids) => ({ limit: 10, after: ids[0], before: ids[4] });

const onLists = entryOf(['virtualKey']);
const onRuns = entryOf(runs.needs);

export const assumedRecords = {
  'total-order': onRuns(totalOrder),
  'newest-first': onLists(
    inEach(readLists(batches, checkpoints), (walk) => findDisorder(walk, 'desc') && 'another order'),
  ),
  'before-page': onRuns(
    comparesRuns(6, beforeSixth, (ids) => ids.slice(3, 5)),
    comparesRuns(3, beforeLast, (ids) => ids.slice(-3, -1)),
    firstPageBefore,
  ),
  'after-and-before': onRuns(comparesRuns(5, betweenFive, (ids) => ids.slice(1, 4))),
  'page-ends': onLists(inEach(readPages, findOtherEnds)),
  'empty-run-ends': onRuns(emptyRunEnds),
  'absent-values': onLists(absentValues, presentValues),
  'timestamp-unit': onLists(
    inEach(readLists(...lists), ({ records }) => records.map(findOtherUnit).find((other) => other)),
  ),
  'absent-metrics': entryOf(checkpoints.needs)(inEach(readLists(checkpoints), findUnmeasured)),
  'run-states': onRuns(statesOf(runs, runStates)),
  'batch-states': onLists(statesOf(batches, batchStates)),
  'policy-keys': entryOf(['policy'])([({ policy = '' }) => policyCall(policy, 'active'), 200, unknownKeys]),
} as const;
