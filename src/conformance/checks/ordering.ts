// Runs are sorted by the order parameter (contract: Endpoints, 2).
import {
  type CheckFinding,
  type CheckTarget,
  checkEach,
  type Findings,
  failed,
  NotCheckable,
  toChecks,
} from '../check.ts';
import {
  formatIds,
  idsOf,
  type ListPage,
  readPage,
  runs,
  type SeenPage,
  type SeenRecord,
  walkList,
} from '../lists.ts';

const timeOf = (record: SeenRecord): number => {
  const time = record.created_at;
  if (typeof time === 'number') return time;
  throw new NotCheckable(`created_at of ${record.id} is not a number: see runs-schema.`);
};

/** Records in list order. */
type Seen = Pick<ListPage, 'records'>;

/** The first two neighbours in the wrong order; undefined if all are sorted. */
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

function* findDisorders(
  seen: Seen,
  pages: readonly SeenPage[],
  order: 'asc' | 'desc',
): Generator<CheckFinding> {
  const pair = findDisorder(seen, order);
  if (pair === undefined) return;
  const page = pages.find(({ records }) => records.some(({ id }) => id === pair[1].id));
  const [former, latter] = pair.map((record) => `${record.id} (${timeOf(record)})`);
  yield failed(
    page?.request ?? '',
    `created_at ${order === 'asc' ? 'rising' : 'falling'}`,
    `${former} before ${latter}`,
    `order=${order}`,
  );
}

/** @throws NotCheckable if all records were created at the same time, so that there is no order */
const expectSeveralTimes = ({ records }: Seen): void => {
  if (new Set(records.map(timeOf)).size < 2) throw new NotCheckable('all runs have the same created_at.');
};

/** Compares the runs of both orders. The first page of desc is read again, for runs that are new since. */
async function* compareOrders(target: CheckTarget): Findings {
  const [desc, asc] = [await walkList(target, runs, 'desc'), await walkList(target, runs, 'asc')];
  if (!desc.isWhole || !asc.isWhole) return;
  const fromAsc = new Set(idsOf(asc));
  const fromDesc = new Set(idsOf(desc));
  if ([...fromAsc].some((id) => !fromDesc.has(id)))
    for (const id of idsOf(await readPage(target, runs, { ...desc.pages[0]?.query }, { fresh: true })))
      fromDesc.add(id);
  const missing = idsOf(desc).filter((id) => !fromAsc.has(id));
  const added = idsOf(asc).filter((id) => !fromDesc.has(id));
  const compare = (found: string): CheckFinding =>
    failed(asc.request, 'the runs of order=desc', found, 'both orders');
  if (missing.length > 0) yield compare(`without ${formatIds(missing)}`);
  if (added.length > 0) yield compare(`also ${formatIds(added)}`);
}

async function* checkOrders(target: CheckTarget): Findings {
  yield* checkEach(['desc', 'asc'] as const, async function* (order) {
    const walk = await walkList(target, runs, order);
    expectSeveralTimes(walk);
    yield* findDisorders(walk, walk.pages, order);
  });
  yield* compareOrders(target);
}

async function* checkDefaultOrder(target: CheckTarget): Findings {
  const page = await readPage(target, runs);
  expectSeveralTimes(page);
  yield* findDisorders(page, [page], 'desc');
}

export const orderingChecks = toChecks(runs, runs.contract.section, {
  order: ['order=asc and order=desc sort by created_at, and return the same runs.', checkOrders],
  'default-order': ['Without order, the runs are sorted desc.', checkDefaultOrder],
});
