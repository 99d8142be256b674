// That the run list is sorted as it was asked to be (contract: Endpoints, 2).
import { broken, type Finding, type Law, NotCheckable } from './law.ts';
import { idsOf, readHead, readPage, runs, type SeenPage, type SeenRecord, showIds } from './lists.ts';

type Order = 'asc' | 'desc';

const timeOf = (record: SeenRecord): number => {
  const time = record.created_at;
  if (typeof time === 'number') return time;
  throw new NotCheckable(`the created_at of ${record.id} is no number: see runs-schema.`);
};

/** The first two neighbours that stand the wrong way round; undefined where the page is sorted. */
export const findDisorder = (
  { records }: Pick<SeenPage, 'records'>,
  order: Order,
): readonly [SeenRecord, SeenRecord] | undefined => {
  const sign = order === 'asc' ? 1 : -1;
  for (const [index, record] of records.entries()) {
    const next = records[index + 1];
    if (next !== undefined && (timeOf(next) - timeOf(record)) * sign < 0) return [record, next];
  }
  return undefined;
};

function* findDisorders(page: SeenPage, order: Order): Generator<Finding> {
  const pair = findDisorder(page, order);
  if (pair === undefined) return;
  const [former, latter] = pair.map((record) => `${record.id} (${timeOf(record)})`);
  yield broken(
    page.asked,
    `created_at ${order === 'asc' ? 'rising' : 'falling'}`,
    `${former} ahead of ${latter}`,
  );
}

/** @throws NotCheckable where all records were created at once, so that no order can be told */
const expectSeveralTimes = ({ records }: SeenPage): void => {
  if (new Set(records.map(timeOf)).size < 2)
    throw new NotCheckable('the runs have fewer than two different times of creation.');
};

export const orderingLaws: readonly Law[] = [
  {
    id: 'runs-order',
    section: runs.section,
    says: 'order sorts by created_at, asc or desc, and both show the same runs.',
    needs: runs.needs,
    async *check(target) {
      const [desc, asc] = [await readHead(target, runs, 'desc'), await readHead(target, runs, 'asc')];
      expectSeveralTimes(desc);
      yield* findDisorders(desc, 'desc');
      yield* findDisorders(asc, 'asc');
      if (desc.hasMore || asc.hasMore) return;
      const [fromDesc, fromAsc] = [new Set(idsOf(desc)), new Set(idsOf(asc))];
      const missing = [...fromDesc].filter((id) => !fromAsc.has(id));
      const added = [...fromAsc].filter((id) => !fromDesc.has(id));
      if (missing.length > 0)
        yield broken(asc.asked, 'the runs of order=desc', `without ${showIds(missing)}`);
      if (added.length > 0) yield broken(asc.asked, 'the runs of order=desc', `besides, ${showIds(added)}`);
    },
  },
  {
    id: 'runs-default-order',
    section: runs.section,
    says: 'Without order, the runs are sorted desc.',
    needs: runs.needs,
    async *check(target) {
      const page = await readPage(target, runs);
      expectSeveralTimes(page);
      yield* findDisorders(page, 'desc');
    },
  },
];
