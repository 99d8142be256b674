// What requests.expect proves, and what it says when it fails.
import { beforeEach, expect, test } from 'vitest';
import type { Control } from '../../src/service/control/control-interface.ts';
import { describeTransports, keys } from '../support/transports.ts';

const scenario = {
  batches: 3,
  prompts: { hello: { messages: [{ role: 'user', content: 'Hello {{name}}' }] } },
};

type Expect = Control['requests']['expect'];

describeTransports('requests.expect', { scenario }, ({ call, control }) => {
  beforeEach(() => control().reset());

  const list = async (query: string, headers = {}) =>
    (await call(`/batches?${query}`, { headers: { ...keys, ...headers } })).text();
  const render = async (body: object) => {
    const headers = { ...keys, 'content-type': 'application/json' };
    await (
      await call('/prompts/hello/render', { method: 'POST', headers, body: JSON.stringify(body) })
    ).text();
  };
  const check: Expect = (...expected) => control().requests.expect(...expected);
  const messageOf = async (...expected: Parameters<Expect>): Promise<string> => {
    const error: unknown = await check(...expected).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 409, code: 'expectation_failed' });
    return String(Object(error).message);
  };

  test('returns the requests that match, at least one or as many as expected', async () => {
    await list('limit=1');
    await list('limit=2');
    expect(await check()).toHaveLength(2);
    expect(await check({ query: { limit: '2' } })).toMatchObject([{ ordinal: 2, status: 200 }]);
    expect(await check({ operation: 'listBatches' }, { times: 2, timeout: 50 })).toHaveLength(2);
    expect(await check({ operation: 'listRuns' }, { times: 0 })).toEqual([]);
  });

  test('shows the nearest request with a diff by field, the latest of several', async () => {
    await render({ variables: { name: 'Bob' }, tags: [1] });
    await render({ variables: { name: 'Cleo' }, tags: [1] });
    await list('limit=1');
    const body = { variables: { name: 'Ada' }, tags: [1] };
    expect(await messageOf({ operation: 'renderPrompt', query: { a: '1' }, body })).toBe(
      `Expected at least 1 request matching {"outcome":"sent","operation":"renderPrompt","query":{"a":"1"},"body":{"variables":{"name":"Ada"},"tags":[1]}}, but 0 of 3 matched. The nearest is request 2: POST /v1/prompts/hello/render 200

- expected
+ received

    outcome: "sent"
    operation: "renderPrompt"
-   query.a: "1"
+   query.a: nothing
-   body.variables.name: "Ada"
+   body.variables.name: "Cleo"
    body.tags: [1]`,
    );
  });

  test('shows those that came if there are too many', async () => {
    await list('limit=1');
    await list('limit=2&after=x');
    expect(await messageOf({ operation: 'listBatches' }, { times: 0 })).toBe(
      `Expected 0 requests matching {"operation":"listBatches"}, but 2 of 2 matched. They are:
  request 1: GET /v1/batches?limit=1 200
  request 2: GET /v1/batches?limit=2&after=x 404`,
    );
    expect(await messageOf({ method: 'GET' }, { times: 1, timeout: 1 })).toContain(
      'Expected 1 request matching {"outcome":"sent","method":"GET"}, but 2 of 2 matched within 1 ms. They are:\n',
    );
    expect(await messageOf({ method: 'GET' }, { times: 3 })).toMatch(
      /2 of 2 matched\. There is no other request\.$/,
    );
    for (let count = 3; count <= 12; count += 1) await list(`limit=${count}`);
    expect(await messageOf({ operation: 'listBatches' }, { times: 0 })).toMatch(
      /They are:\n {2}2 more, and\n {2}request 3: .*\n(?:.*\n){8} {2}request 12: .*$/,
    );
  });

  test('does not show credentials', async () => {
    await list('', { 'x-secret': 'short' });
    const message = await messageOf({
      headers: { 'X-Secret': 'wrong', 'x-gateway-api-key': 'sk-0123456789abcdef' },
    });
    expect(message).toContain('-   headers.x-secret: "***"\n+   headers.x-secret: "***" (another value)');
    expect(message).toContain('-   headers.x-gateway-api-key: "***cdef"\n');
    for (const value of ['wrong', 'sk-0123', 'short']) expect(message).not.toContain(value);
  });

  test('wants a reply that was sent, unless the filter says otherwise', async () => {
    await control().faults.add('listBatches: reset');
    await list('limit=1').catch(() => {});
    await control().requests.wait();
    expect(await messageOf({ query: { limit: '1' } })).toContain(
      '-   outcome: "sent"\n+   outcome: "lost"\n    query.limit: "1"',
    );
    await check({ outcome: 'lost' });
    await check({ status: 'none' });
    expect(await messageOf({ query: { limit: '1' } }, { times: 0 })).toContain(
      'request 1: GET /v1/batches?limit=1 lost',
    );
  });

  test('waits with a timeout: for those that are missing, or whether one comes that should not', async () => {
    await control().faults.add('listBatches: delay 20ms');
    const expected = check({ query: { limit: '1' } }, { timeout: 30_000 });
    const none = messageOf({ query: { limit: '1' } }, { times: 0, timeout: 30_000 });
    await list('limit=1');
    expect(await expected).toHaveLength(1);
    expect(await none).toMatch(/but 1 of 1 matched within 30000 ms\./);
    expect(await messageOf({ query: { limit: '2' } }, { timeout: 5 })).toMatch(
      /0 of 1 matched within 5 ms\./,
    );
    expect(await check({ query: { limit: '2' } }, { times: 0, timeout: 5 })).toEqual([]);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(check({ query: { limit: '2' } }, { timeout: 30_000, signal })).rejects.toThrow('enough');
  });

  test('says what may be wrong if no request came', async () => {
    expect(await messageOf({ operation: 'listRuns' })).toMatch(
      /but 0 of 0 matched\. The requests: none\. Check the base URL of the client; .*\.$/,
    );
  });
});
