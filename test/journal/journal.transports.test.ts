// What the journal records of each request, over every transport: everything but credentials.
import { beforeEach, expect, test } from 'vitest';
import { describeTransports, keys } from '../support/transports.ts';

const scenario = {
  seed: 3,
  threads: { 'thread é/1': { runs: 3 }, thread_a: { runs: 2 } },
  batches: 4,
  prompts: { greeting: { messages: [{ role: 'user', content: 'Hello {{name}}' }] } },
};

const time = '2027-03-01T09:00:00.000Z';
const thread = '/threads/thread%20%C3%A9%2F1/runs';

describeTransports('a request that is recorded', { scenario }, ({ call, control }) => {
  const theOnly = async () => {
    const all = await control().requests.list();
    expect(all).toHaveLength(1);
    return all[0];
  };
  beforeEach(async () => {
    await control().reset();
    await control().clock.set(time);
  });

  test('has its path, parameters, query and page', async () => {
    const query = 'limit=2&tag=a%26b&tag=%F0%9F%98%80+c&empty=';
    const reply = await call(`${thread}?${query}`);
    const page = await reply.json();
    expect(reply.status).toBe(200);
    const recorded = await theOnly();
    expect(recorded).toMatchObject({
      id: reply.headers.get('x-request-id'),
      time: time,
      method: 'GET',
      path: `/v1${thread}`,
      operation: 'listRuns',
      params: { thread_id: 'thread é/1' },
      query: { limit: '2', tag: ['a&b', '😀 c'], empty: '' },
      body: null,
      status: 200,
      faults: [],
      page: { ids: page.data.map(({ id }: { readonly id: string }) => id), has_more: true },
      nearest: null,
      upstream: null,
    });
    expect(recorded?.duration).toBeGreaterThanOrEqual(0);
    expect(recorded?.duration).toBeLessThan(10_000);
  });

  test('has its headers by their lower-case names, and the credentials masked', async () => {
    await call('/batches', {
      headers: {
        ...keys,
        'X-Mixed-CASE': 'As It Is',
        authorization: 'Bearer short',
        'idempotency-key': 'i-1',
      },
    });
    expect((await theOnly())?.headers).toMatchObject({
      'x-mixed-case': 'As It Is',
      'x-gateway-api-key': '***',
      'x-gateway-virtual-key': '***-key', // it is long enough to be known by its end
      authorization: '***',
      'idempotency-key': 'i-1', // which marks a retry, and is not a secret
    });
  });

  test('has the body that was sent, and the whole reply', async () => {
    const body = JSON.stringify({ variables: { name: 'Zoë 😀' } });
    const headers = { ...keys, 'content-type': 'application/json' };
    const reply = await call('/prompts/greeting/render', { method: 'POST', headers, body });
    const text = await reply.text();
    const recorded = await theOnly();
    expect(recorded).toMatchObject({ operation: 'renderPrompt', method: 'POST', body, page: null });
    expect(recorded?.params).toEqual({ promptId: 'greeting' });
    expect(recorded?.reply?.body).toBe(text);
    for (const name of ['content-type', 'x-request-id', 'x-gateway-trace-id'])
      expect(recorded?.reply?.headers[name], name).toBe(reply.headers.get(name));
  });

  const misses = [
    ['GET', '/chat/completions', 404, 'add a call of your own (defineCall)'],
    [
      'DELETE',
      '/batches',
      405,
      'listBatches does not support DELETE, only GET, HEAD, OPTIONS. Another method can be a call of your own',
    ],
    ['GET', '/Batches', 404, "segment 1 is 'Batches' where 'batches' was expected"],
  ] as const;

  test.each(misses)(
    'that no operation has is kept with what differs: %s %s',
    async (method, path, status, nearest) => {
      expect((await call(path, { method })).status).toBe(status);
      expect(await theOnly()).toMatchObject({
        method,
        path: `/v1${path}`,
        operation: null,
        params: {},
        status,
        nearest: expect.stringContaining(nearest),
      });
      expect(await control().requests.count({ unmatched: true })).toBe(1);
    },
  );

  test('records HEAD and OPTIONS, but no CORS preflights', async () => {
    const preflight = { origin: 'https://app.test', 'access-control-request-method': 'GET' };
    for (const headers of [keys, preflight]) await call('/batches', { method: 'OPTIONS', headers });
    await call('/batches', { method: 'HEAD' });
    const all = await control().requests.list();
    expect(all.map(({ method, operation, page }) => [method, operation, page])).toEqual([
      ['OPTIONS', 'listBatches', null],
      ['HEAD', 'listBatches', null],
    ]);
  });
});
