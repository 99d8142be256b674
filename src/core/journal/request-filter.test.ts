import { beforeAll, describe, expect, test } from 'vitest';
import { type OpenGateway, openGateway } from '../../../test/support/open-gateway.ts';
import type { RequestFilter } from './request-filter.ts';

const scenario = {
  threads: { thread_a: { runs: 2 }, thread_b: {} },
  batches: 4,
  prompts: { greeting: { messages: [{ role: 'user', content: 'Hello {{name}}' }] } },
  faults: ['listBatches#2: 503', 'listBatches#3: delay 0ms'],
};

describe('the requests that a filter means', () => {
  let worlds: OpenGateway;
  beforeAll(() => {
    worlds = openGateway({ scenario });
    for (const path of [
      '/threads/thread_a/runs?limit=1&order=asc', // 0
      '/threads/thread_b/runs?tag=x&tag=yes', // 1
      '/threads/nobody/runs', // 2: 404
      '/batches?limit=1', // 3
      '/batches', // 4: 503
      '/batches', // 5: delayed
      '/batches/', // 6: unmatched, 404
    ])
      worlds.send({ path });
    worlds.send({ path: '/prompts/greeting/render', body: { variables: {} } }); // 7
  });

  const every = [0, 1, 2, 3, 4, 5, 6, 7];

  test.each([
    [{}, every],
    [{ operation: 'listRuns' }, [0, 1, 2]],
    [{ operation: 'list*' }, [0, 1, 2, 3, 4, 5]], // which an unmatched request has none of
    [{ method: 'POST' }, [7]],
    [{ method: 'get' }, [0, 1, 2, 3, 4, 5, 6]],
    [{ path: '/v1/batches*' }, [3, 4, 5, 6]],
    [{ path: '/v1/threads/*/runs' }, [0, 1, 2]],
    [{ params: { thread_id: 'thread_*' } }, [0, 1]],
    [{ params: { thread_id: '*', promptId: '*' } }, []],
    [{ query: { limit: '1' } }, [0, 3]],
    [{ query: { tag: 'yes' } }, [1]],
    [{ headers: { 'content-type': 'application/json' } }, [7]],
    [{ headers: { 'x-gateway-api-key': 'test-key' } }, every],
    [{ headers: { 'X-Gateway-Virtual-Key': '*' } }, every],
    [{ headers: { 'X-Gateway-Virtual-Key': 'test' } }, []],
    [{ body: { variables: {} } }, [7]],
    [{ body: '*variables*' }, [7]],
    [{ status: 200 }, [0, 1, 3, 5, 7]],
    [{ status: '4xx' as const }, [2, 6]],
    [{ faulted: true }, [4, 5]],
    [{ faulted: false }, [0, 1, 2, 3, 6, 7]],
    [{ fault: 'listBatches#2: 503' }, [4]],
    [{ assumption: 'unknown-*' }, [2, 6]],
    [{ unmatched: true }, [6]],
    [{ search: '50' }, []], // a number is found only as a whole
    [{ search: 'LISTBATCHES#2' }, [4]], // a fault
    [{ search: 'tag=yes' }, [1]],
    [{ search: 'x-mock-fault:' }, [4, 5]], // a header of the reply
    [{ search: ' nobody  404 ' }, [2]], // all words
    [{ search: 'nobody 200' }, []],
    [{ search: 'content-type: application/json x-gateway-virtual-key render' }, [7]],
    [{ search: '"variables":{}' }, [7]], // the body of the call
    [{ status: 'none' as const }, []],
    [{ unmatched: false }, [0, 1, 2, 3, 4, 5, 7]],
    [{ operation: 'listBatches', status: 200, faulted: true }, [5]],
  ] as readonly [RequestFilter, number[]][])('%j picks the requests %j', async (filter, expected) => {
    const { requests } = worlds.gateway;
    const all = (await requests.list()).map(({ id }) => id);
    const meant = (await requests.list(filter)).map(({ id }) => all.indexOf(id));
    expect(meant).toEqual(expected);
    expect(await requests.count(filter)).toBe(expected.length);
  });

  test('a search for a credential that was sent is refused: no request shows it', async () => {
    await expect(worlds.gateway.requests.count({ search: 'nobody test-key' })).rejects.toThrow(
      '"test-key" was sent as a credential, which a search never finds. Filter by its header or parameter.',
    );
    expect(await worlds.gateway.requests.count({ search: 'other-key' })).toBe(0);
  });

  test('are those of what is given: undefined is not, as JavaScript has it', async () => {
    const given = { operation: undefined, status: undefined, method: 'POST' };
    const filter = given as unknown as RequestFilter;
    expect(await worlds.gateway.requests.count(filter)).toBe(1);
  });

  test('are copies, so changing them does not change the journal', async () => {
    const { requests } = worlds.gateway;
    const before = JSON.stringify(await requests.list());
    for (const request of await requests.list())
      for (const part of [request.headers, request.params, request.reply, request.reply?.headers])
        Object.assign(part ?? {}, { body: 'changed', thread_id: 'changed' });
    for (const { faults, assumptions, page } of await requests.list())
      for (const list of [faults, assumptions, page?.ids]) (list as string[] | undefined)?.push('added');
    expect(JSON.stringify(await requests.list())).toBe(before);
  });
});

// What JavaScript lets through, and a misread filter would take for every request.
test.each<[given: unknown, words: string | RegExp]>([
  [{ operaton: 'listRuns' }, 'operaton: unknown key. Did you mean "operation"?'],
  [{ params: { thread_id: 5 } }, 'params.thread_id: '],
  [{ status: '200' }, 'status: expected a number or "2xx" or "4xx" or "5xx" or "none", but found "200"'],
  [{ status: Number.NaN }, 'status: expected a finite number'],
  ['listRuns', 'argument 1: expected an object, but found a string.'],
  [null, 'argument 1: null is not allowed'],
  [() => true, 'argument 1: a function is not JSON.'],
  [{ a: 1, method: 2, status: 'x' }, /\ba: .*method.*status|method.*status.*\ba: /],
])('a filter that has an error is refused by all that take one: %j', async (filter, words) => {
  const { requests } = openGateway({ scenario }).gateway;
  for (const use of [requests.list, requests.count, requests.wait])
    await expect(use(filter as RequestFilter)).rejects.toThrow(words);
});
