// Records keep their order: sorted by created_at (contract: Endpoints, 2), and none is left out between two others.
import { checkEach, type Findings, failed, NotCheckable } from '../check.ts';
import { type CheckedList, listCall, runs } from '../lists.ts';
import { fieldOf, itemsOf, parseReply } from '../replies.ts';
import type { CheckCall, CheckTarget, InspectReply } from '../types.ts';
import { formatIds, idsOf, type ListPage, readPage, type SeenRecord, type Walk, walkList } from '../walk.ts';

/**
 * Finds records that a page skips although an earlier and a later page have them between the same two records. Without the
 * later page, the record may have been deleted.
 */
export const watchLost = (list: CheckedList): InspectReply => {
  const nextOf = new Map<string, string>();
  const missed = new Map<string, { readonly call: CheckCall; readonly between: string }>();
  return function* (call, reply, samples) {
    if (reply.status !== 200 || call.mayFail || call.path !== listCall(list, samples).path) return;
    const order = new URLSearchParams(call.query).get('order');
    const ids = itemsOf(parseReply(reply), 'data').flatMap((record) => {
      const id = fieldOf(record, 'id');
      return typeof id === 'string' ? [`${order ?? ''} ${id}`] : [];
    });
    const shown = new Set(ids);
    for (const id of shown) {
      const miss = missed.get(id);
      if (miss === undefined) continue;
      missed.delete(id);
      const about = order === null ? undefined : `order=${order}`;
      const expected = `${nameOf(id)} between ${miss.between}, as before and later`;
      yield failed(miss.call, expected, 'a page without it', about);
    }
    for (const [at, latter] of ids.entries()) {
      const former = ids[at - 1];
      if (former === undefined) continue;
      const skipped: string[] = [];
      let id = nextOf.get(former);
      for (; id !== undefined && id !== latter && skipped.length < maxLost; id = nextOf.get(id))
        skipped.push(id);
      const between = `${nameOf(former)} and ${nameOf(latter)}`;
      if (id === latter)
        for (const lost of skipped) if (!shown.has(lost)) missed.set(lost, { call, between });
    }
    for (const [at, id] of ids.entries()) if (at > 0) nextOf.set(ids[at - 1] ?? '', id);
  };
};

/** How many consecutive lost records are detected. */
const maxLost = 100;
const nameOf = (id: string): string => id.replace(/^\w* /, '');

const timeOf = (record: SeenRecord): number => {
  const time = record.created_at;
  if (typeof time === 'number') return time;
  throw new NotCheckable(`created_at of ${record.id} is not a number: see runs-schema.`);
};

/** The first two neighbours in the wrong order; undefined if all records are sorted. */
export const findDisorder = ({ records }: Pick<ListPage, 'records'>, order: 'asc' | 'desc') => {
  const sign = order === 'asc' ? 1 : -1;
  const at = records.findIndex((record, index) => {
    const next = records[index + 1];
    return next !== undefined && (timeOf(next) - timeOf(record)) * sign < 0;
  });
  const [record, next] = records.slice(at, at + 2);
  return at >= 0 && record && next ? ([record, next] as const) : undefined;
};

/** @throws NotCheckable if all records were created at the same time, so that there is no order */
function* findDisorders({ records, pages }: Pick<Walk, 'records' | 'pages'>, order: 'asc' | 'desc') {
  if (new Set(records.map(timeOf)).size < 2) throw new NotCheckable('all runs have the same created_at.');
  const pair = findDisorder({ records }, order);
  if (pair === undefined) return;
  const page = pages.find((candidate) => idsOf(candidate).includes(pair[1].id));
  const [former, latter] = pair.map((record) => `${record.id} (${timeOf(record)})`);
  const expected = `created_at ${order === 'asc' ? 'rising' : 'falling'}`;
  yield failed(page?.request ?? '', expected, `${former} before ${latter}`, `order=${order}`);
}

/** Both orders have the same runs. The first page of desc is read again, to find runs that were created meanwhile. */
export async function* checkOrders(target: CheckTarget): Findings {
  yield* checkEach(['desc', 'asc'] as const, async function* (order) {
    yield* findDisorders(await walkList(target, runs, order), order);
  });
  const [desc, asc] = [await walkList(target, runs, 'desc'), await walkList(target, runs, 'asc')];
  if (!desc.isComplete || !asc.isComplete) return;
  const isNew = asc.ids.some((id) => !desc.placeOf.has(id));
  const query = { ...desc.pages[0]?.query };
  const newer = new Set(isNew ? idsOf(await readPage(target, runs, query, { fresh: true })) : []);
  const missing = desc.ids.filter((id) => !asc.placeOf.has(id));
  const added = asc.ids.filter((id) => !desc.placeOf.has(id) && !newer.has(id));
  for (const [what, ids] of Object.entries({ without: missing, also: added }))
    if (ids.length > 0)
      yield failed(asc.request, 'the runs of order=desc', `${what} ${formatIds(ids)}`, 'both orders');
}

export async function* checkDefaultOrder(target: CheckTarget): Findings {
  const page = await readPage(target, runs);
  yield* findDisorders({ records: [...page.records], pages: [page] }, 'desc');
}
