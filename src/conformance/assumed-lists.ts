// How the mock orders its lists and what it puts into records where the contract is silent, and what a target does.
import type { AssumptionId } from '../protocol/assumptions.ts';
import type { AssumptionCheck } from './assumption-check.ts';
import { fieldOf, ignoreNotCheckable } from './calls.ts';
import { NotCheckable, show, type Target } from './check.ts';
import {
  batches,
  checkpoints,
  idsOf,
  type ListParameters,
  type ListUnderLaw,
  lists,
  readHead,
  readPage,
  runs,
  type SeenPage,
  showIds,
} from './lists.ts';
import { findDisorder } from './ordering.ts';
import { isWhole, type Walk, walkLarge } from './walk.ts';

/** The lists of which something can be said. @throws NotCheckable where there is none */
export const readAny = async (
  target: Target,
  candidates: readonly ListUnderLaw[],
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
  if (first === undefined) throw new NotCheckable(`no list to look at has ${what}.`);
  return [first, ...others];
};

/** How many fields of the contract's table are null in a list, how many are missing, and which. */
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

const compareIds = (page: Pick<Walk, 'asked' | 'records'>, wanted: readonly string[], value: string) => ({
  asked: page.asked,
  value: idsOf(page).join() === wanted.join() ? value : undefined,
  came: showIds(idsOf(page)),
});

const readRuns = async (target: Target, count: number, query: ListParameters = {}): Promise<SeenPage> => {
  const page = await readHead(target, runs, query.order);
  if (page.records.length < count) throw new NotCheckable(`the thread has fewer than ${count} runs.`);
  return page;
};

export const assumedLists = {
  'total-order': {
    needs: runs.needs,
    look: async (target) => {
      const [desc, asc] = [await walkLarge(target, runs, 'desc'), await walkLarge(target, runs, 'asc')];
      if (desc.records.length < 2) throw new NotCheckable('the thread has fewer than 2 runs.');
      const cut = [desc, asc].find((walk) => !isWhole(walk));
      if (cut?.end === 'bound')
        throw new NotCheckable('the thread has too many runs to see both ends of the list.');
      if (cut !== undefined) throw new NotCheckable(`the walk through the runs broke: ${cut.why}`);
      const ids = new Set(idsOf(desc));
      const both = { asked: asc.asked, records: asc.records.filter(({ id }) => ids.has(id)) };
      return compareIds(both, idsOf(desc).reverse(), 'creation-sequence');
    },
  },
  'newest-first': {
    needs: [],
    look: async (target) => {
      const [walk, ...others] = await readAny(
        target,
        [batches, checkpoints],
        ({ records }) => new Set(records.map((record) => record.created_at)).size > 1,
        'records of several moments',
      );
      const oldestFirst = [walk, ...others].find((one) => findDisorder(one, 'desc') !== undefined);
      return oldestFirst === undefined
        ? { asked: walk.asked, value: 'desc', came: 'the newest first' }
        : { asked: oldestFirst.asked, value: undefined, came: 'another order' };
    },
  },
  'before-page': {
    needs: runs.needs,
    look: async (target) => {
      const ids = idsOf(await readRuns(target, 6));
      const page = await readPage(target, runs, { limit: 2, before: ids[5] });
      const choice = compareIds(page, ids.slice(3, 5), 'adjacent');
      return page.hasMore ? choice : { ...choice, value: undefined, came: `${choice.came}, has_more false` };
    },
    lookAgain: async (target) => {
      const start = await readPage(target, runs, { limit: 10 }, 'fresh');
      if (start.records.length < 3) throw new NotCheckable('the thread has fewer than 3 runs.');
      const { asked, hasMore } = await readPage(
        target,
        runs,
        { limit: 10, before: start.records[2]?.id },
        'fresh',
      );
      const expected = 'has_more false on the page that begins the list';
      return { asked, value: hasMore ? undefined : 'adjacent', came: `has_more ${hasMore}`, expected };
    },
  },
  'after-and-before': {
    needs: runs.needs,
    look: async (target) => {
      const ids = idsOf(await readRuns(target, 5));
      const page = await readPage(target, runs, { limit: 10, after: ids[0], before: ids[4] });
      return compareIds(page, ids.slice(1, 4), 'between');
    },
  },
  'page-ends': {
    needs: [],
    look: async (target) => {
      const walks = await readAny(target, lists, ({ records }) => records.length > 0, 'a record');
      const pages = walks.flatMap((walk) => walk.pages).filter(({ records }) => records.length > 0);
      const other = pages.find(
        ({ envelope, records }) =>
          fieldOf(envelope, 'first_id') !== records[0]?.id ||
          fieldOf(envelope, 'last_id') !== records.at(-1)?.id,
      );
      const { asked, envelope } = other ?? (pages[0] as SeenPage); // a list with a record has such a page
      const came = `first_id ${show(envelope.first_id)}, last_id ${show(envelope.last_id)}`;
      return { asked, value: other === undefined ? 'ends-of-data' : undefined, came };
    },
  },
  'empty-run-ends': {
    needs: runs.needs,
    look: async (target) => {
      const { asked, records, envelope } = await readPage(target, runs);
      if (records.length > 0) throw new NotCheckable('the thread has runs: an empty one is needed.');
      const ends = [fieldOf(envelope, 'first_id'), fieldOf(envelope, 'last_id')];
      const value = ends.every((id) => id === null)
        ? 'null'
        : ends.every((id) => id === '')
          ? 'empty-string'
          : undefined;
      return { asked, value, came: `first_id and last_id ${ends.map(show).join(', ')}` };
    },
  },
  'absent-values': {
    needs: [],
    look: async (target) => {
      const walks = await readAny(target, lists, ({ records }) => records.length > 0, 'a record');
      const incomplete = walks.find((walk) => walk.list === checkpoints && countGaps(walk).names.length > 0);
      if (incomplete !== undefined) {
        const came = `null or missing: ${countGaps(incomplete).names.join(', ')}`;
        return { asked: incomplete.asked, value: undefined, came, expected: 'every field of a checkpoint' };
      }
      const others = walks.filter(({ list }) => list !== checkpoints);
      if (others.length === 0) throw new NotCheckable('no list to look at has a run or a batch.');
      const gaps = others.map(countGaps);
      const nulls = gaps.reduce((sum, one) => sum + one.nulls, 0);
      const missing = gaps.reduce((sum, one) => sum + one.missing, 0);
      const value = missing === 0 ? 'null' : nulls === 0 ? 'omitted' : undefined;
      const came = `${nulls} fields null, ${missing} missing`;
      return { asked: others.map(({ asked }) => asked).join(' and '), value, came };
    },
  },
} satisfies Partial<Record<AssumptionId, AssumptionCheck>>;
