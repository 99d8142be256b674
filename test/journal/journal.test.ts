// What the journal tells of each request, over every face: nothing is left out, and no credential is let in.
import { createServer } from 'node:http';
import express from 'express';
import { getResponse } from 'msw';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import { setupGateway } from '../../src/node.ts';
import { startServer } from '../../src/server.ts';
import { keys } from '../support/faces.ts';
import { listenTo } from '../support/listen.ts';
import { openWorlds } from '../support/worlds.ts';

interface OpenFace {
  readonly gateway: Gateway;
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
}

const start = async (options: GatewayOptions, direct: boolean): Promise<OpenFace> => {
  const server = await startServer({ ...options, direct });
  return { gateway: server, baseUrl: server.baseUrl, close: server.close };
};

const faces: Readonly<Record<string, (options: GatewayOptions) => Promise<OpenFace>>> = {
  'in process': async (options) => {
    const gateway = setupGateway({ ...options, baseUrl: 'http://gateway.test/v1' });
    gateway.listen({ onUnhandledRequest: 'bypass' });
    return { gateway, baseUrl: 'http://gateway.test/v1', close: async () => gateway.close() };
  },
  'the server, the direct way': (options) => start(options, true),
  'the server through MSW': (options) => start(options, false),
  "a user's own Express app": async (options) => {
    const gateway = createGateway(options);
    const { url, close } = await listenTo(express().use('/mock', gateway.middleware()));
    return { gateway, baseUrl: `${url}/mock/v1`, close };
  },
};

const scenario = {
  seed: 3,
  threads: { 'thread é/1': { runs: 3 }, thread_a: { runs: 2 } },
  batches: 4,
  prompts: { greeting: { messages: [{ role: 'user', content: 'Hello {{name}}' }] } },
};

const moment = '2027-03-01T09:00:00.000Z';
const thread = '/threads/thread%20%C3%A9%2F1/runs';

describe.each(Object.entries(faces))('a request that is recorded (%s)', (_name, open) => {
  let face: OpenFace;
  const call = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(face.baseUrl + path, { headers: keys, ...init });
  const theOnly = async () => {
    const all = await face.gateway.requests.list();
    expect(all).toHaveLength(1);
    return all[0];
  };
  beforeAll(async () => {
    face = await open({ scenario });
  });
  beforeEach(async () => {
    await face.gateway.reset();
    await face.gateway.clock.set(moment);
  });
  afterAll(() => face.close());

  test('has its path, parameters, query and page', async () => {
    const query = 'limit=2&tag=a%26b&tag=%F0%9F%98%80+c&empty=';
    const reply = await call(`${thread}?${query}`);
    const page = await reply.json();
    expect(reply.status).toBe(200);
    const recorded = await theOnly();
    expect(recorded).toMatchObject({
      id: reply.headers.get('x-request-id'),
      time: moment,
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
      'idempotency-key': 'i-1', // which tells a retry from a new request, and is no secret
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

  test('has the assumptions that the reply is marked with', async () => {
    const reply = await call('/batches?after=nobody');
    const { assumptions, status, page, reply: kept } = (await theOnly()) ?? {};
    expect(assumptions).toEqual(reply.headers.get('x-mock-assumptions')?.split(', '));
    expect([status, page]).toEqual([reply.status, null]);
    expect(JSON.parse(kept?.body ?? '')).toEqual(await reply.json());
  });

  test('has the faults that hit it, each as its line', async () => {
    await face.gateway.faults.add('listBatches#1: 503 message="Later, please"', 'listBatches#2: delay 5ms');
    expect((await call('/batches')).status).toBe(503);
    expect((await call('/batches')).status).toBe(200);
    await call('/batches');
    const all = await face.gateway.requests.list();
    const lines = (await face.gateway.faults.list()).map(({ fault }) => fault);
    expect(all.map(({ faults: hit }) => hit)).toEqual([[lines[0]], [lines[1]], []]);
    expect(all.map(({ page }) => page?.ids.length ?? null)).toEqual([null, 4, 4]);
    expect(all[1]?.duration).toBeGreaterThanOrEqual(4); // a timer may be a bit early
  });

  test('has neither status nor reply where its connection was reset', async () => {
    await face.gateway.faults.add('listBatches: reset');
    await expect(call('/batches')).rejects.toThrow();
    expect(await theOnly()).toMatchObject({
      operation: 'listBatches',
      status: null,
      reply: null,
      faults: ['listBatches: reset'],
      page: null,
    });
  });

  const misses = [
    ['GET', '/chat/completions', 404, 'The nearest is'],
    ['DELETE', '/batches', 405, 'listBatches is not served by DELETE, but by GET, HEAD, OPTIONS'],
    ['GET', '/prompts/greeting/render', 405, 'renderPrompt is not served by GET, but by POST, OPTIONS'],
    ['GET', '/Batches', 404, "segment 1 is 'Batches' where 'batches' was expected"],
    ['GET', '/batches/', 404, 'listBatches, GET /batches: it has no slash at the end'],
    ['GET', '/threads/thread_a/run', 404, "segment 3 is 'run' where 'runs' was expected"],
    ['GET', '/threads//runs', 404, 'The nearest is listRuns'],
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
      expect(await face.gateway.requests.count({ unmatched: true })).toBe(1);
    },
  );

  test('is told by HEAD and OPTIONS, too, but not where a browser asks ahead of a call', async () => {
    const preflight = { origin: 'https://app.test', 'access-control-request-method': 'GET' };
    for (const headers of [keys, preflight]) await call('/batches', { method: 'OPTIONS', headers });
    await call('/batches', { method: 'HEAD' });
    const all = await face.gateway.requests.list();
    expect(all.map(({ method, operation }) => `${method} ${operation}`)).toEqual([
      'OPTIONS listBatches',
      'HEAD listBatches',
    ]);
  });
});

describe('in process, below any base URL', () => {
  test('what is left to others is kept as unmatched, where its path has the version segment', async () => {
    const others = createServer((_request, response) => response.end('theirs')).listen(0, '127.0.0.1');
    await new Promise((resolve) => others.once('listening', resolve));
    const address = others.address();
    const root = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const gateway = setupGateway({ scenario });
    gateway.listen({ onUnhandledRequest: 'bypass' });
    onTestFinished(() => {
      gateway.close();
      others.close();
      others.closeAllConnections();
    });

    const key = 'sk-left-to-others-0123456789';
    const init = { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: 'theirs to read' };
    for (const path of ['/v1/chat/completions', '/v1/batches/', '/health', '/v1', '/v2/batches', '/'])
      expect(await (await fetch(root + path, init)).text()).toBe('theirs');
    expect(await (await fetch(`${root}/sessions/mine/v1/nothing?key=${key}`, init)).text()).toBe('theirs');
    const inSession = { ...init, headers: { ...init.headers, 'x-mock-session': 'mine' } };
    await fetch(`${root}/eu/v1/nothing`, inSession);

    const all = await gateway.requests.list();
    expect(all.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/batches/']);
    for (const each of all)
      expect(each).toMatchObject({ operation: null, status: null, reply: null, id: '', duration: null });
    expect(all[0]?.nearest).toContain('No operation has the path /v1/chat/completions. The nearest is');
    const mine = await gateway.session('mine').requests.list({ unmatched: true });
    expect(mine.map(({ path }) => path)).toEqual(['/v1/nothing', '/v1/nothing']);
    expect(JSON.stringify([all, mine])).not.toContain(key);
  });
});

test('a header and a parameter may have any name', async () => {
  const { gateway } = openWorlds({ scenario });
  const request = new Request('http://gateway.test/v1/batches?__proto__=a&constructor=b', {
    headers: { ...keys, constructor: 'c' },
  });
  request.headers.set('__proto__', 'd');
  await getResponse([...gateway.handlers], request);
  const [recorded] = await gateway.requests.list({ headers: { constructor: 'c' } });
  expect(Object.entries(recorded?.query ?? {})).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  expect(Object.entries(recorded?.headers ?? {})).toContainEqual(['__proto__', 'd']);
  expect(await gateway.requests.count({ headers: { tostring: '*' } })).toBe(0);
  expect(await gateway.requests.count({ query: { toString: '*' } })).toBe(0);
});
