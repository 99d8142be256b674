// Pages that mislead a client: a careless pager is found out by `requests.walk`, and a careful one passes.
import { describe, expect, test } from 'vitest';
import type { WalkReport } from '../../src/journal/walks.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { shareOf } from '../support/transports.ts';

/** A page of ids, or an error. */
interface Page {
  readonly status: number;
  readonly ids: readonly string[];
  readonly hasMore: boolean;
}

type GetPage = (after: string | undefined) => Page;

const maxCalls = 60;
const limit = 10;

/** What most clients do: the length of a page, an empty page and `has_more` each end it; an error starts it again. */
const walkCarelessly = (getPage: GetPage): string[] => {
  const seen: string[] = [];
  let after: string | undefined;
  for (let calls = 0; calls < maxCalls; calls += 1) {
    const { status, ids, hasMore } = getPage(after);
    if (status !== 200) {
      after = undefined;
      continue;
    }
    seen.push(...ids);
    if (!hasMore || ids.length < limit) break;
    after = ids.at(-1);
  }
  return seen;
};

/** Takes each record once, asks again where a page brings nothing, and goes round a cursor that is refused. */
const walkCarefully = (getPage: GetPage): string[] => {
  const seen: string[] = [];
  let after: string | undefined;
  let patience = 3;
  for (let calls = 0; calls < maxCalls; calls += 1) {
    const { status, ids, hasMore } = getPage(after);
    if (status !== 200) {
      patience -= 1;
      after = patience < 0 ? undefined : seen[seen.indexOf(after ?? '') - 1];
      continue;
    }
    const fresh = ids.filter((id) => !seen.includes(id));
    seen.push(...fresh);
    if (!hasMore) break;
    patience = fresh.length > 0 ? 3 : patience - 1;
    if (fresh.length > 0 || patience < 0) after = ids.at(-1);
  }
  return [...readNew(getPage, seen), ...seen];
};

/** What came to the head of the list while it was walked. */
const readNew = (getPage: GetPage, seen: readonly string[]): string[] => {
  const fresh: string[] = [];
  let after: string | undefined;
  for (let calls = 0; calls < maxCalls; calls += 1) {
    const { ids, hasMore } = getPage(after);
    const known = ids.findIndex((id) => seen.includes(id));
    fresh.push(...(known === -1 ? ids : ids.slice(0, known)));
    if (known !== -1 || !hasMore) break;
    after = ids.at(-1);
  }
  return fresh;
};

const lists = [
  { operation: 'listRuns', path: '/threads/thread_demo/runs' },
  { operation: 'listBatches', path: '/batches' },
  { operation: 'listCheckpoints', path: '/fine_tuning/jobs/ftjob_demo/checkpoints' },
] as const;

/** Each with what the careless client is found out by. */
const kinds: { readonly fault: string; readonly error: Partial<Record<keyof WalkReport, unknown>> }[] = [
  { fault: '#2: cursor-loop', error: { exactlyOnce: false } },
  { fault: '#3: cursor-loop', error: { exactlyOnce: false } },
  { fault: ': cursor-loop', error: { exactlyOnce: false, stopped: false, calls: maxCalls } },
  { fault: '#2: empty-page', error: { exactlyOnce: false, stopped: false, calls: 2 } },
  { fault: '#1: empty-page', error: { exactlyOnce: false, stopped: false, calls: 1 } },
  { fault: '#2: repeat-record', error: { exactlyOnce: false, stopped: true } },
  { fault: ': repeat-record', error: { exactlyOnce: false, stopped: true } },
  { fault: '#2: vanish-record', error: { exactlyOnce: false, stopped: true, missed: [] } },
  { fault: '#2: insert-records', error: { exactlyOnce: false, stopped: true, repeated: [] } },
  { fault: '#3: insert-records 25', error: { exactlyOnce: false, stopped: true, repeated: [] } },
  { fault: '#2: clamp-limit', error: { exactlyOnce: false, stopped: false, calls: 2 } },
  { fault: ': clamp-limit 7', error: { exactlyOnce: false, stopped: false, calls: 1 } },
  { fault: '#2: expire-cursor', error: { exactlyOnce: false, stopped: true, missed: [] } },
];

const pagerOf =
  ({ send }: OpenGateway, path: string, query = `limit=${limit}`): GetPage =>
  (after) => {
    const cursor = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
    const { status, body } = send({ path: `${path}?${query}${cursor}` });
    const page: { data?: { id: string }[]; has_more?: boolean } = JSON.parse(body ?? '');
    const ids = (Array.isArray(page.data) ? page.data : []).map(({ id }) => id);
    return { status, ids, hasMore: page.has_more === true };
  };

describe.each(lists)('misleading pages of $operation', ({ operation, path }) => {
  // Each kind on one list, unless everything is tried.
  const place = lists.findIndex((list) => list.operation === operation);
  const shared = shareOf(kinds, place, lists.length);

  test('an honest list is walked by both clients, and the walk says so', async () => {
    const opened = openGateway({});
    for (const walkPages of [walkCarelessly, walkCarefully]) {
      await opened.gateway.requests.clear();
      const seen = walkPages(pagerOf(opened, path));
      expect(await opened.gateway.requests.walk(operation, { seen })).toMatchObject({
        exactlyOnce: true,
        stopped: true,
        records: new Set(seen).size,
        missed: [],
        repeated: [],
        faults: [],
      });
    }
  });

  test.each(shared)('the careless client is found out by "$fault"', async ({ fault, error }) => {
    const opened = openGateway({ faults: [operation + fault] });
    const seen = walkCarelessly(pagerOf(opened, path));
    const walk = await opened.gateway.requests.walk(operation, { seen });
    expect(walk).toMatchObject({ ...error, faults: [operation + fault] });
    expect(walk.missed.length + walk.repeated.length).toBeGreaterThan(0);
    // On the wire, the first page in the place of the second looks like one that was asked for again.
    const isTold = fault !== '#2: cursor-loop';
    const onTheWire = await opened.gateway.requests.walk(operation);
    expect(onTheWire.exactlyOnce && onTheWire.stopped).toBe(!isTold);
  });

  // A cursor that never leads on lets no client through.
  test.each(shared.filter(({ fault }) => fault !== ': cursor-loop'))(
    'the careful client passes under "$fault"',
    async ({ fault }) => {
      const opened = openGateway({ faults: [operation + fault] });
      const seen = walkCarefully(pagerOf(opened, path));
      expect(await opened.gateway.requests.walk(operation, { seen })).toMatchObject({
        exactlyOnce: true,
        stopped: true,
        records: seen.length,
        missed: [],
        repeated: [],
        faults: [operation + fault],
      });
    },
  );
});

describe('a hostile page', () => {
  const opening = (fault: string) => openGateway({ faults: [`listRuns: ${fault}`] });
  const path = '/threads/thread_demo/runs';
  const orders = ['asc', 'desc'].flatMap((order) => ['after', 'before'].map((cursor) => ({ order, cursor })));

  /** The ids of the list in an order: the same seed is the same list. */
  const listIn = (order: string): string[] =>
    walkCarelessly(pagerOf(openGateway(), path, `limit=${limit}&order=${order}`));

  test.each(orders)(
    'of repeat-record has the record of the cursor, $order, $cursor',
    async ({ order, cursor }) => {
      const all = listIn(order);
      const opened = opening('repeat-record');
      const id = all[25] ?? '';
      const { ids } = pagerOf(opened, path, `limit=4&order=${order}&${cursor}=${id}`)(undefined);
      expect(ids).toEqual(cursor === 'after' ? all.slice(25, 29) : all.slice(22, 26));
    },
  );

  test.each(orders)(
    'of vanish-record takes that record out of the list, $order, $cursor',
    async ({ order, cursor }) => {
      const all = listIn(order);
      const opened = opening('vanish-record');
      const id = all[25] ?? '';
      const { status } = pagerOf(opened, path, `order=${order}&${cursor}=${id}`)(undefined);
      expect(status).toBe(404);
      expect(await opened.gateway.records.runs.get(id)).toBeUndefined();
    },
  );

  test.each(['cursor-loop', 'repeat-record', 'vanish-record', 'expire-cursor'])(
    'of %s is for calls with a cursor: others are counted, and not hit',
    async (kind) => {
      const opened = opening(kind);
      for (const query of ['limit=3', 'after=', 'before=&limit=2', 'x-after=run_1'])
        expect(pagerOf(opened, path, query)(undefined).status).toBe(200);
      expect(await opened.gateway.faults.list()).toMatchObject([{ calls: 4, hits: 0 }]);
    },
  );

  test('for any operation leaves those alone that are no list', async () => {
    const opened = openGateway({ faults: ['*: empty-page'] });
    const policy = '/policies/rate-limits/11111111-1111-4111-8111-111111111111';
    expect(opened.getJson(policy)).toMatchObject({ object: 'policy_rate_limits' });
    expect(pagerOf(opened, '/batches')(undefined).ids).toEqual([]);
    expect(await opened.gateway.faults.list()).toMatchObject([{ calls: 1, hits: 1 }]);
  });

  test('of an unknown owner or key is the refusal that it would be anyway', async () => {
    const opened = openGateway({ faults: ['*: insert-records', '*: cursor-loop'] });
    expect(pagerOf(opened, '/threads/none/runs')('run_x').status).toBe(404);
    expect(opened.send({ headers: { 'x-gateway-api-key': undefined } }).status).toBe(401);
    expect((await opened.gateway.records.batches.list()).length).toBe(130);
  });
});

test('a walk of 100,000 records is judged at once', async () => {
  const { gateway, send } = openGateway({ scenario: 'large' });
  send({ path: '/batches' });
  const seen = Array.from({ length: 100_000 }, (_, index) => `batch_${index}`);
  const walk = await gateway.requests.walk('listBatches', { seen: [...seen, ...seen] });
  expect([walk.records, walk.repeated.length]).toEqual([100_000, 100_000]);
});
