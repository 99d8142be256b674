// Pages that mislead a client: what each fault makes of a page, and how `requests.walk` finds out a client that trusts it.
import { describe, expect, test } from 'vitest';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';

const scenario = {
  batches: 30,
  threads: { thread_a: { runs: 30 } },
  jobs: { job_a: { checkpoints: 30 } },
};

const lists = [
  ['batches', 'listBatches', '/batches'],
  ['runs', 'listRuns', '/threads/thread_a/runs'],
  ['checkpoints', 'listCheckpoints', '/fine_tuning/jobs/job_a/checkpoints'],
] as const;

/** A page by its records: each is its place in the list, newest first, before the call. A record that is new is -1. */
type Page = readonly [places: readonly number[], hasMore: boolean];

const list = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const unchanged = list(0, 30);
const added = (count: number) => [...Array<number>(count).fill(-1), ...unchanged];

/** What a fault replies to a call, and what is listed afterwards. */
type Row = readonly [fault: string, query: string, reply: Page | number, afterwards: readonly number[]];

const everywhere: readonly Row[] = [
  ['cursor-loop', 'limit=4&after=9', [[0, 1, 2, 3], true], unchanged],
  ['empty-page', 'limit=4', [[], true], unchanged],
  ['empty-page', 'limit=4&after=9', [[], true], unchanged],
  ['repeat-record', 'limit=4&after=9', [[9, 10, 11, 12], true], unchanged],
  ['vanish-record', 'limit=4&after=9', 404, [...list(0, 9), ...list(10, 30)]],
  ['insert-records', 'limit=4&after=9', [[10, 11, 12, 13], true], added(3)],
  ['insert-records 25', 'limit=4&after=27', [[28, 29], false], added(25)],
  ['clamp-limit', 'limit=10&after=9', [list(10, 15), true], unchanged],
  ['clamp-limit 2', 'limit=10', [[0, 1], true], unchanged],
  ['expire-cursor', 'limit=4&after=9', 400, unchanged],
];
const byOrder: readonly Row[] = [
  ['repeat-record', 'limit=4&after=0', [[0, 1, 2, 3], true], unchanged],
  ['repeat-record', 'limit=4&before=9', [[6, 7, 8, 9], true], unchanged],
  ['repeat-record', 'limit=4&order=asc&after=9', [[9, 8, 7, 6], true], unchanged],
  ['repeat-record', 'limit=4&order=asc&after=28', [[28, 27, 26, 25], true], unchanged],
  ['repeat-record', 'limit=4&order=asc&before=9', [[12, 11, 10, 9], true], unchanged],
  ['vanish-record', 'limit=4&order=asc&before=9', 404, [...list(0, 9), ...list(10, 30)]],
];

describe.each(lists)('of the %s', (kind, operation, path) => {
  test.each<Row>(kind === 'runs' ? [...everywhere, ...byOrder] : everywhere)(
    '%s replies to %s by %j',
    async (fault, query, expected, afterwards) => {
      const { gateway, send } = openGateway({ scenario, faults: [`${operation}#1: ${fault}`] });
      const listed = async () => (await gateway.records[kind].list()).map(({ id }) => id);
      const before = await listed();
      const call = query.replace(/(after|before)=(\d+)/, (_, name, at) => `${name}=${before[Number(at)]}`);
      const { status, body } = send({ path: `${path}?${call}` });
      const read = (): Page => {
        const { data, has_more }: { data: { id: string }[]; has_more: boolean } = JSON.parse(body ?? '');
        return [data.map(({ id }) => before.indexOf(id)), has_more];
      };
      expect(status === 200 ? read() : status).toEqual(expected);
      expect((await listed()).map((id) => before.indexOf(id))).toEqual(afterwards);
    },
  );
});

const maxCalls = 60;
const limit = 10;

/** What most clients do: the length of a page, an empty page and `has_more` each end it; an error starts it again. */
const walkCarelessly = ({ send }: OpenGateway): string[] => {
  const seen: string[] = [];
  let after = '';
  for (let calls = 0; calls < maxCalls; calls += 1) {
    const { status, body } = send({ path: `/batches?limit=${limit}&after=${after}` });
    const page: { data: { id: string }[]; has_more: boolean } = JSON.parse(body ?? '');
    if (status !== 200) {
      after = '';
      continue;
    }
    seen.push(...page.data.map(({ id }) => id));
    if (!page.has_more || page.data.length < limit) break;
    after = seen.at(-1) ?? '';
  }
  return seen;
};

test('an honest list is walked, and the walk says so', async () => {
  const opened = openGateway({ scenario });
  const seen = walkCarelessly(opened);
  const complete = { exactlyOnce: true, stopped: true, records: 30, missed: [], repeated: [], faults: [] };
  expect(await opened.gateway.requests.walk('listBatches', { seen })).toMatchObject(complete);
});

test.each([
  ['#2: cursor-loop', { exactlyOnce: false }],
  [': cursor-loop', { exactlyOnce: false, stopped: false, calls: maxCalls }],
  ['#1: empty-page', { exactlyOnce: false, stopped: false, calls: 1 }],
  [': repeat-record', { exactlyOnce: false, stopped: true }],
  ['#2: vanish-record', { exactlyOnce: false, stopped: true, missed: [] }],
  ['#3: insert-records 25', { exactlyOnce: false, stopped: true, repeated: [] }],
  ['#2: clamp-limit', { exactlyOnce: false, stopped: false, calls: 2 }],
  ['#2: expire-cursor', { exactlyOnce: false, stopped: true, missed: [] }],
])('a careless client is found out by "%s"', async (calls, error) => {
  const fault = `listBatches${calls}`;
  const opened = openGateway({ scenario, faults: [fault] });
  const seen = walkCarelessly(opened);
  const walk = await opened.gateway.requests.walk('listBatches', { seen });
  expect(walk).toMatchObject({ ...error, faults: [fault] });
  expect(walk.missed.length + walk.repeated.length).toBeGreaterThan(0);
  // On the wire, the first page in the place of the second looks like one that was asked for again.
  const onTheWire = await opened.gateway.requests.walk('listBatches');
  expect(onTheWire.exactlyOnce && onTheWire.stopped).toBe(calls === '#2: cursor-loop');
});

test('an empty page has the ends that the list has on its own empty page', () => {
  const { getJson } = openGateway({ faults: ['*: empty-page'] });
  expect(getJson('/batches')).toEqual({ object: 'list', data: [], has_more: true });
  expect(getJson('/threads/thread_demo/runs')).toMatchObject({ first_id: '', last_id: '', has_more: true });
  expect(getJson('/fine_tuning/jobs/ftjob_demo/checkpoints')).toMatchObject({
    first_id: null,
    last_id: null,
  });
});

test('a fault for any operation leaves those alone that are no list', async () => {
  const { gateway, getJson } = openGateway({ faults: ['*: empty-page'] });
  const policy = '/policies/rate-limits/11111111-1111-4111-8111-111111111111';
  expect(getJson(policy)).toMatchObject({ object: 'policy_rate_limits' });
  expect(getJson('/batches').data).toEqual([]);
  expect(await gateway.faults.list()).toMatchObject([{ calls: 1, hits: 1 }]);
});
