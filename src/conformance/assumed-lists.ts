// Assumptions about the order, pages and envelope of lists.
import type { AssumptionId } from '../protocol/assumptions.ts';
import type { AssumptionCheck } from './assumption-check.ts';
import { fieldOf, ignoreNotCheckable } from './calls.ts';
import { type CheckTarget, formatValue, NotCheckable } from './check.ts';
import {
  batches,
  type CheckedList,
  checkpoints,
  formatIds,
  idsOf,
  lists,
  readHead,
  readPage,
  runs,
  type SeenPage,
} from './lists.ts';
import { findDisorder } from './ordering.ts';
import { isWhole, type Walk, walkLarge } from './walk.ts';

/** Reads the lists that meet a condition. @throws NotCheckable if none does */
export const readAny = async (
  target: CheckTarget,
  candidates: readonly CheckedList[],
  isFit: (walk: Walk) => boolean,
  what: string,
): Promise<[Walk, ...Walk[]]> => {
  const walks: Walk[] = [];
  for (const list of candidates) {
    const isGiven = list.owner === undefined || target.samples[list.owner.sample] !== undefined;
    const walk = isGiven ? await walkLarge(target, list).catch(ignoreNotCheckable) : undefined;
    if (walk !== undefined && isFit(walk)) walks.push(walk);
  }
  const [first, ...others] = walks;
  if (first === undefined) throw new NotCheckable(`none of the lists has ${what}.`);
  return [first, ...others];
};

/** Counts the contract's fields that are null or missing in a list, with their names. */
const countGaps = ({ list, records }: Walk) => {
  const counts = { nulls: 0, missing: 0 };
  const names = new Set<string>();
  for (const record of records)
    for (const name of Object.keys(list.record.shape)) {
      if (record[name] !== null && record[name] !== undefined) continue;
      names.add(name);
      counts[record[name] === null ? 'nulls' : 'missing'] += 1;
    }
  return { ...counts, names: [...names] };
};

const compareIds = (page: Pick<Walk, 'request' | 'records'>, wanted: readonly string[], value: string) => ({
  request: page.request,
  value: idsOf(page).join() === wanted.join() ? value : undefined,
  actual: formatIds(idsOf(page)),
});

const readRuns = async (target: CheckTarget, count: number): Promise<SeenPage> => {
  const page = await readHead(target, runs);
  if (page.records.length < count) throw new NotCheckable(`the thread has fewer than ${count} runs.`);
  return page;
};

export const assumedLists = {
  'total-order': {
    needs: runs.needs,
    observe: async (target) => {
      const [desc, asc] = [await walkLarge(target, runs, 'desc'), await walkLarge(target, runs, 'asc')];
      if (desc.records.length < 2) throw new NotCheckable('the thread has fewer than 2 runs.');
      const cut = [desc, asc].find((walk) => !isWhole(walk));
      if (cut?.end === 'bound')
        throw new NotCheckable('the thread has too many runs to read the whole list.');
      if (cut !== undefined) throw new NotCheckable(`failed to read all runs: ${cut.reason}`);
      const ids = new Set(idsOf(desc));
      const both = { request: asc.request, records: asc.records.filter(({ id }) => ids.has(id)) };
      return compareIds(both, idsOf(desc).reverse(), 'creation-sequence');
    },
  },
  'newest-first': {
    needs: [],
    observe: async (target) => {
      const [walk, ...others] = await readAny(
        target,
        [batches, checkpoints],
        ({ records }) => new Set(records.map((record) => record.created_at)).size > 1,
        'records with different times',
      );
      const oldestFirst = [walk, ...others].find((one) => findDisorder(one, 'desc') !== undefined);
      return oldestFirst === undefined
        ? { request: walk.request, value: 'desc', actual: 'newest first' }
        : { request: oldestFirst.request, value: undefined, actual: 'another order' };
    },
  },
  'before-page': {
    needs: runs.needs,
    observe: async (target) => {
      const ids = idsOf(await readRuns(target, 6));
      const page = await readPage(target, runs, { limit: 2, before: ids[5] });
      const choice = compareIds(page, ids.slice(3, 5), 'adjacent');
      return page.hasMore
        ? choice
        : { ...choice, value: undefined, actual: `${choice.actual}, has_more false` };
    },
    observeAgain: async (target) => {
      const start = await readPage(target, runs, { limit: 10 }, 'fresh');
      if (start.records.length < 3) throw new NotCheckable('the thread has fewer than 3 runs.');
      const { request, hasMore } = await readPage(
        target,
        runs,
        { limit: 10, before: start.records[2]?.id },
        'fresh',
      );
      const expected = 'has_more false on the first page of the list';
      return { request, value: hasMore ? undefined : 'adjacent', actual: `has_more ${hasMore}`, expected };
    },
  },
  'after-and-before': {
    needs: runs.needs,
    observe: async (target) => {
      const ids = idsOf(await readRuns(target, 5));
      const page = await readPage(target, runs, { limit: 10, after: ids[0], before: ids[4] });
      return compareIds(page, ids.slice(1, 4), 'between');
    },
  },
  'page-ends': {
    needs: [],
    observe: async (target) => {
      const walks = await readAny(target, lists, ({ records }) => records.length > 0, 'a record');
      const pages = walks.flatMap((walk) => walk.pages).filter(({ records }) => records.length > 0);
      const other = pages.find(
        ({ envelope, records }) =>
          fieldOf(envelope, 'first_id') !== records[0]?.id ||
          fieldOf(envelope, 'last_id') !== records.at(-1)?.id,
      );
      const { request, envelope } = other ?? (pages[0] as SeenPage); // a list with a record has such a page
      const actual = `first_id ${formatValue(envelope.first_id)}, last_id ${formatValue(envelope.last_id)}`;
      return { request, value: other === undefined ? 'ends-of-data' : undefined, actual };
    },
  },
  'empty-run-ends': {
    needs: runs.needs,
    observe: async (target) => {
      const { request, records, envelope } = await readPage(target, runs);
      if (records.length > 0)
        throw new NotCheckable('the thread has runs: this check needs an empty thread.');
      const ends = [fieldOf(envelope, 'first_id'), fieldOf(envelope, 'last_id')];
      const value = ends.every((id) => id === null)
        ? 'null'
        : ends.every((id) => id === '')
          ? 'empty-string'
          : undefined;
      return { request, value, actual: `first_id and last_id ${ends.map(formatValue).join(', ')}` };
    },
  },
  'absent-values': {
    needs: [],
    observe: async (target) => {
      const walks = await readAny(target, lists, ({ records }) => records.length > 0, 'a record');
      const incomplete = walks.find((walk) => walk.list === checkpoints && countGaps(walk).names.length > 0);
      if (incomplete !== undefined) {
        const actual = `null or missing: ${countGaps(incomplete).names.join(', ')}`;
        return {
          request: incomplete.request,
          value: undefined,
          actual,
          expected: 'all fields of checkpoints present',
        };
      }
      const others = walks.filter(({ list }) => list !== checkpoints);
      if (others.length === 0) throw new NotCheckable('there are no runs or batches to read.');
      const gaps = others.map(countGaps);
      const nulls = gaps.reduce((sum, one) => sum + one.nulls, 0);
      const missing = gaps.reduce((sum, one) => sum + one.missing, 0);
      const value = missing === 0 ? 'null' : nulls === 0 ? 'omitted' : undefined;
      const actual = `${nulls} fields null, ${missing} missing`;
      return { request: others.map(({ request }) => request).join(' and '), value, actual };
    },
  },
} satisfies Partial<Record<AssumptionId, AssumptionCheck>>;
