// That the run list is sorted as it was asked to be (contract: Endpoints, 2).
import { broken, checkEach, type Finding, type Law, NotCheckable, type Target } from './check.ts';
import { idsOf, readPage, runs, type SeenPage, type SeenRecord, showIds } from './lists.ts';
import { aboutOrder, isWhole, walkLarge } from './walk.ts';

const timeOf = (record: SeenRecord): number => {
  const time = record.created_at;
  if (typeof time === 'number') return time;
  throw new NotCheckable(`the created_at of ${record.id} is no number: see runs-schema.`);
};

/** Records as they stand in a list, and the calls that showed them. */
type Seen = Pick<SeenPage, 'records'>;

/** The first two neighbours that stand the wrong way round; undefined where all are sorted. */
export const findDisorder = (
  { records }: Seen,
  order: 'asc' | 'desc',
): readonly [SeenRecord, SeenRecord] | undefined => {
  const sign = order === 'asc' ? 1 : -1;
  for (const [index, record] of records.entries()) {
    const next = records[index + 1];
    if (next !== undefined && (timeOf(next) - timeOf(record)) * sign < 0) return [record, next];
  }
  return undefined;
};

function* findDisorders(seen: Seen, pages: readonly SeenPage[], order: 'asc' | 'desc'): Generator<Finding> {
  const pair = findDisorder(seen, order);
  if (pair === undefined) return;
  const page = pages.find(({ records }) => records.some(({ id }) => id === pair[1].id));
  const [former, latter] = pair.map((record) => `${record.id} (${timeOf(record)})`);
  yield broken(
    page?.asked ?? '',
    `created_at ${order === 'asc' ? 'rising' : 'falling'}`,
    `${former} ahead of ${latter}`,
    aboutOrder(order),
  );
}

/** @throws NotCheckable where all records were created at once, so that no order can be seen */
const expectSeveralTimes = ({ records }: Seen): void => {
  if (new Set(records.map(timeOf)).size < 2)
    throw new NotCheckable('the runs have fewer than two different times of creation.');
};

/** Whether both orders show the same runs. What is new since desc was read, its first page shows by now. */
async function* compareOrders(target: Target): AsyncGenerator<Finding> {
  const [desc, asc] = [await walkLarge(target, runs, 'desc'), await walkLarge(target, runs, 'asc')];
  if (!isWhole(desc) || !isWhole(asc)) return;
  const fromAsc = new Set(idsOf(asc));
  const fromDesc = new Set(idsOf(desc));
  if ([...fromAsc].some((id) => !fromDesc.has(id)))
    for (const id of idsOf(await readPage(target, runs, { ...desc.pages[0]?.query }, 'fresh')))
      fromDesc.add(id);
  const missing = idsOf(desc).filter((id) => !fromAsc.has(id));
  const added = idsOf(asc).filter((id) => !fromDesc.has(id));
  const compare = (found: string): Finding =>
    broken(asc.asked, 'the runs of order=desc', found, 'both orders');
  if (missing.length > 0) yield compare(`without ${showIds(missing)}`);
  if (added.length > 0) yield compare(`besides, ${showIds(added)}`);
}

export const orderingLaws: readonly Law[] = [
  {
    id: 'runs-order',
    section: runs.section,
    says: 'order sorts by created_at, asc or desc, and both show the same runs.',
    needs: runs.needs,
    async *check(target) {
      yield* checkEach(['desc', 'asc'] as const, async function* (order) {
        const walk = await walkLarge(target, runs, order);
        expectSeveralTimes(walk);
        yield* findDisorders(walk, walk.pages, order);
      });
      yield* compareOrders(target);
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
      yield* findDisorders(page, [page], 'desc');
    },
  },
];
