// Assumptions that show in the records and pages of lists.
import type * as z from 'zod';
import { batchSchema } from '../../operations/list-batches/contract.ts';
import { batchLifecycle } from '../../operations/list-batches/lifecycle.ts';
import { runSchema } from '../../operations/list-runs/contract.ts';
import { runLifecycle } from '../../operations/list-runs/lifecycle.ts';
import { batchStates, runStates } from '../../protocol/record-states.ts';
import { finalStates } from '../../world/lifecycle.ts';
import { policyCall } from '../calls.ts';
import { type CheckTarget, describeCall, formatValue, NotCheckable } from '../check.ts';
import { findBatchMistakes } from '../contradictions/batches.ts';
import { findRunMistakes } from '../contradictions/runs.ts';
import {
  batches,
  type CheckedList,
  checkpoints,
  expectRecords,
  formatIds,
  idsOf,
  type ListQuery,
  lists,
  ordersOf,
  readPage,
  runs,
  type SeenPage,
  type SeenRecord,
  type Walk,
  walkList,
} from '../lists.ts';
import { fieldOf, ignoreNotCheckable, itemsOf, readObject } from '../replies.ts';
import type { AssumptionEntries, Look } from './look.ts';
import { findDisorder } from './ordering.ts';

/** Reads the given lists in all orders. @throws NotCheckable if none of them has a record */
const readLists = async (
  target: CheckTarget,
  candidates: readonly CheckedList[],
): Promise<readonly Walk[]> => {
  const walks: Walk[] = [];
  for (const list of candidates.filter(
    ({ owner }) => owner === undefined || target.samples[owner.sample] !== undefined,
  ))
    for (const order of ordersOf(list)) {
      const walk = await walkList(target, list, order).catch(ignoreNotCheckable);
      if (walk !== undefined && walk.records.length > 0) walks.push(walk);
    }
  if (walks.length === 0) throw new NotCheckable('none of the lists has a record.');
  return walks;
};

/**
 * Looks at something of each walk or page: the first one where it differs decides.
 *
 * @param find what is not as the default value says; undefined if it is
 */
const inEach =
  <Part extends { readonly request: string }>(
    read: (target: CheckTarget) => Promise<readonly Part[]>,
    value: string,
    find: (part: Part) => string | undefined,
    expected?: string,
  ): Look =>
  async (target) => {
    const parts = await read(target);
    for (const part of parts) {
      const actual = find(part);
      if (actual !== undefined) return { request: part.request, value: undefined, actual, expected };
    }
    const [first] = parts;
    return { request: first?.request ?? '', value, actual: 'the same', expected };
  };

/** Compares the runs of a page with those that the first page of the thread leads to expect. */
const comparesRuns =
  (
    count: number,
    value: string,
    toQuery: (ids: readonly string[]) => ListQuery,
    toWanted: (ids: readonly string[]) => readonly string[],
  ): Look =>
  async (target) => {
    const start = await readPage(target, runs, { limit: 10 }, { fresh: true });
    expectRecords(start, count);
    const ids = idsOf(start);
    const { request, ...page } = await readPage(target, runs, toQuery(ids), { fresh: true });
    const isSame = idsOf(page).join() === toWanted(ids).join();
    return { request, value: isSame ? value : undefined, actual: formatIds(idsOf(page)) };
  };

const isAnyTime = (name: string, time: unknown): time is number =>
  /_at$/.test(name) && typeof time === 'number';

/** The first timestamp that cannot be in seconds. As seconds, the bound is in the year 5138; as milliseconds, in 1973. */
const findOtherUnit = (record: SeenRecord): string | undefined => {
  const other = Object.entries(record).find(([name, time]) => isAnyTime(name, time) && time >= 1e11);
  return other && `${other[0]} ${other[1]} in ${record.id}`;
};

const ended = [...finalStates(runLifecycle), ...finalStates(batchLifecycle)];

/** A time at which the record may be in its state, as the target's clock is unknown: for an ended record any, for others its latest timestamp. */
const timeOf = (record: SeenRecord): number => {
  if (ended.includes(String(record.status))) return Number.POSITIVE_INFINITY;
  const times = Object.entries(record).flatMap(([name, time]) =>
    name !== 'expires_at' && isAnyTime(name, time) ? [time] : [],
  );
  return Math.max(...times);
};

/** Finds the first record whose state the mock does not know, or whose fields do not fit its state. */
const statesOf =
  <Shape extends z.core.$ZodShape>(
    list: CheckedList,
    states: readonly string[],
    schema: z.ZodObject<Shape>,
    findMistakes: (record: z.output<z.ZodObject<Shape>>, now: number) => Iterable<string>,
  ): Look =>
  async (target) => {
    const { request, records } = await walkList(target, list);
    expectRecords({ records }, 1);
    const nulls = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, null]));
    for (const record of records) {
      if (findOtherUnit(record) !== undefined)
        throw new NotCheckable('some timestamps are not in seconds: see assumed:timestamp-unit.');
      if (!states.includes(String(record.status)))
        return {
          request,
          value: 'any',
          actual: `${record.id}: unknown status ${formatValue(record.status)}`,
        };
      const { success, data } = schema.safeParse({ ...nulls, ...record });
      const mistakes = success ? [...findMistakes(data, timeOf(record))] : []; // the check of the schema reports why
      if (mistakes.length > 0)
        return { request, value: undefined, actual: `${record.id}: ${mistakes.join(', ')}` };
    }
    return { request, value: 'known', actual: 'the same states' };
  };

/** The contract's fields that are null or missing in a list. */
const countGaps = ({ list, records }: Walk) => {
  const names = records.flatMap((record) =>
    Object.keys(list.record.shape).filter((name) => record[name] == null),
  );
  const nulls = records.flatMap((record) =>
    Object.keys(list.record.shape).filter((name) => record[name] === null),
  );
  return { nulls: nulls.length, missing: names.length - nulls.length, names: [...new Set(names)] };
};

const absentValues: Look = async (target) => {
  const walks = await readLists(target, [runs, batches]);
  const gaps = walks.map(countGaps);
  const sum = (name: 'nulls' | 'missing'): number => gaps.reduce((total, one) => total + one[name], 0);
  const value = sum('missing') === 0 ? 'null' : sum('nulls') === 0 ? 'omitted' : undefined;
  const actual = `${sum('nulls')} fields null, ${sum('missing')} missing`;
  return { request: walks.map(({ request }) => request).join(' and '), value, actual };
};

const totalOrder: Look = async (target) => {
  const [desc, asc] = [await walkList(target, runs, 'desc'), await walkList(target, runs, 'asc')];
  expectRecords(desc, 2);
  for (const { isWhole, reason } of [desc, asc])
    if (!isWhole) throw new NotCheckable(`failed to read all runs: ${reason}`);
  const reverse = asc.ids.filter((id) => desc.placeOf.has(id)).reverse();
  const isSame = reverse.join() === desc.ids.join();
  return {
    request: asc.request,
    value: isSame ? 'creation-sequence' : undefined,
    actual: formatIds(asc.ids),
  };
};

/** Every page of every list, in both orders, and one before a cursor. */
const readPages = async (target: CheckTarget): Promise<readonly SeenPage[]> => {
  const walks = await readLists(target, lists);
  const ofRuns = walks.find(({ list }) => list === runs);
  const before = ofRuns?.ids[3] && (await readPage(target, runs, { limit: 2, before: ofRuns.ids[3] }));
  return [...walks.flatMap(({ pages }) => pages), ...(before ? [before] : [])].filter(
    ({ records }) => records.length > 0,
  );
};

/** Finds first_id or last_id that is not the end of data. They may be missing from batches. */
const findOtherEnds = ({ envelope, records }: SeenPage): string | undefined => {
  const { first_id: first, last_id: last } = envelope;
  const isSame = first === records[0]?.id && last === records.at(-1)?.id;
  return isSame ? undefined : `first_id ${formatValue(first)}, last_id ${formatValue(last)}`;
};

/** An empty page: that of an empty thread, or the one after its last run. */
const emptyRunEnds: Look = async (target) => {
  const { ids, isWhole, reason } = await walkList(target, runs);
  if (!isWhole) throw new NotCheckable(reason);
  const { request, records, envelope } = await readPage(target, runs, { after: ids.at(-1) });
  if (records.length > 0) throw new NotCheckable('the page after the last run is not empty: see runs-end.');
  const ends = [fieldOf(envelope, 'first_id'), fieldOf(envelope, 'last_id')];
  const value = [null, ''].find((end) => ends.every((id) => id === end));
  return {
    request,
    value: value === undefined ? undefined : value === null ? 'null' : 'empty-string',
    actual: `first_id and last_id ${ends.map(formatValue).join(', ')}`,
  };
};

const firstPageBefore: Look = async (target) => {
  const start = await readPage(target, runs, { limit: 10 }, { fresh: true });
  expectRecords(start, 3);
  const { request, hasMore } = await readPage(
    target,
    runs,
    { limit: 10, before: idsOf(start)[2] },
    { fresh: true },
  );
  const expected = 'has_more false on the first page of the list';
  return { request, value: hasMore ? undefined : 'adjacent', actual: `has_more ${hasMore}`, expected };
};

const knownKeys = /^(?:api_key|workspace_id|organisation_id|metadata\..+)$/;

const policyKeys: Look = async (target) => {
  const call = policyCall(target.samples.policy ?? '', 'active');
  const policy = await readObject(target, call);
  const keys = ['conditions', 'group_by']
    .flatMap((name) => itemsOf(policy, name))
    .map((item) => String(fieldOf(item, 'key')));
  if (keys.length === 0) throw new NotCheckable('the policy has neither conditions nor group_by.');
  const unknown = keys.filter((key) => !knownKeys.test(key));
  return {
    request: describeCall(call),
    value: unknown.length === 0 ? 'known' : undefined,
    actual: `the keys ${formatValue(unknown.length === 0 ? keys : unknown)}`,
  };
};

/** The metrics that every checkpoint has by default. */
const measured = ['step', 'train_loss', 'train_mean_token_accuracy'];

const readCheckpoints = async (target: CheckTarget): Promise<readonly Walk[]> => {
  const walk = await walkList(target, checkpoints);
  expectRecords(walk, 1);
  return [walk];
};

export const assumedRecords = {
  'total-order': [runs.needs, totalOrder],
  'newest-first': [
    ['virtualKey'],
    inEach(
      (target) => readLists(target, [batches, checkpoints]),
      'desc',
      (walk) => (findDisorder(walk, 'desc') === undefined ? undefined : 'another order'),
    ),
  ],
  'before-page': [
    runs.needs,
    comparesRuns(
      6,
      'adjacent',
      (ids) => ({ limit: 2, before: ids[5] }),
      (ids) => ids.slice(3, 5),
    ),
    firstPageBefore,
  ],
  'after-and-before': [
    runs.needs,
    comparesRuns(
      5,
      'between',
      (ids) => ({ limit: 10, after: ids[0], before: ids[4] }),
      (ids) => ids.slice(1, 4),
    ),
  ],
  'page-ends': [['virtualKey'], inEach(readPages, 'ends-of-data', findOtherEnds)],
  'empty-run-ends': [runs.needs, emptyRunEnds],
  'absent-values': [
    ['virtualKey'],
    absentValues,
    async (target) => {
      if (target.samples.job === undefined) return undefined;
      const read = (): Promise<readonly Walk[]> => readLists(target, [checkpoints]).catch(() => []);
      const findGaps = (walk: Walk): string | undefined =>
        countGaps(walk).names.length > 0 ? `null or missing: ${countGaps(walk).names.join(', ')}` : undefined;
      return inEach(read, 'null', findGaps, 'all fields of checkpoints present')(target);
    },
  ],
  'timestamp-unit': [
    ['virtualKey'],
    inEach(
      (target) => readLists(target, lists),
      'seconds',
      ({ records }) => records.map(findOtherUnit).find((other) => other !== undefined),
    ),
  ],
  'absent-metrics': [
    checkpoints.needs,
    inEach(readCheckpoints, 'validation', ({ records }) => {
      const isAbsent = (name: string): boolean =>
        records.some(({ metrics }) => typeof fieldOf(metrics, name) !== 'number');
      const absent = measured.filter(isAbsent);
      return absent.length === 0 ? undefined : `checkpoints without ${absent.join(', ')}`;
    }),
  ],
  'run-states': [runs.needs, statesOf(runs, runStates, runSchema, findRunMistakes)],
  'batch-states': [batches.needs, statesOf(batches, batchStates, batchSchema, findBatchMistakes)],
  'policy-keys': [['policy'], policyKeys],
} satisfies AssumptionEntries;
