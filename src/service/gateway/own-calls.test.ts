import { expect, expectTypeOf, test, vi } from 'vitest';
import * as z from 'zod';
import { addCalls } from '../openapi/add-calls.ts';
import { createGateway } from './create-gateway.ts';
import { defineCall, type OwnCallTools } from './own-calls.ts';

const ok = { id: 'ping', method: 'GET', path: '/ping', handle: () => ({}) } as const;
const define = (changes: object) => () => defineCall({ ...ok, ...changes });

test('a definition that lacks something, or has something wrong, is refused with its id', () => {
  expect(define({ path: '/v1/ping' })).toThrow(
    'Failed to define the call "ping": The option "path" must be a path without /v1, such as /threads/{thread_id}/runs, but found "/v1/ping".',
  );
  expect(define({ path: 'ping' })).toThrow('"path" must be a path');
  expect(define({ id: 'a b' })).toThrow('"id" must be a name of letters and digits');
  expect(define({ method: 'FETCH' })).toThrow('"method"');
  expect(define({ handle: undefined })).toThrow('"handle" must be a function');
  expect(define({ virtualkey: true })).toThrow('Did you mean "virtualKey"?');
});

test('an id, or a method and path, that is taken is refused, whatever its parameters are called', () => {
  const calls = (...more: object[]) => createGateway({ calls: more.map((changes) => define(changes)()) });
  expect(() => calls({ id: 'listRuns' })).toThrow(
    'Failed to add the call "listRuns": its id is that of the operation "listRuns" (GET /threads/{thread_id}/runs).',
  );
  expect(() => calls({ path: '/threads/{id}/runs' })).toThrow(
    'GET /threads/{id}/runs is that of the operation "listRuns"',
  );
  expect(() => calls({}, { id: 'pong' })).toThrow('GET /ping is that of the call "ping"');
  expect(() => calls({ path: '/threads/search/runs' })).toThrow(
    'GET /threads/search/runs is that of the operation "listRuns" (GET /threads/{thread_id}/runs).', // which would answer all its requests
  );
  expect(() => calls({}, { id: 'pong', method: 'POST' })).not.toThrow();
  expect(() => createGateway({ calls: [{}] as never })).toThrow('a call made by defineCall');
});

test('a wait counts an async call once, when it arrives and when it is answered', async () => {
  const gateway = createGateway({ calls: [defineCall({ ...ok, handle: async () => ({}) })] });
  const { apiKey, virtualKey } = await gateway.scenario.keys();
  const headers = { 'x-gateway-api-key': apiKey, 'x-gateway-virtual-key': virtualKey };
  const wait = gateway.requests.wait({ operation: 'ping' }, { count: 2, until: 'arrival', timeout: 100 });
  const [waited] = await Promise.allSettled([
    wait,
    gateway.fetch('http://gateway.test/v1/ping', { headers }),
  ]);
  expect(waited).toMatchObject({
    status: 'rejected',
    reason: { message: expect.stringContaining('1 arrived') },
  });
});

test('a call that its handler refuses does not count in a quota, like those of the contract', async () => {
  const check = defineCall({
    ...ok,
    path: '/check/{how}',
    handle: ({ params: { how } }, { refuse, reply }) =>
      how === 'refuse' ? refuse(409, 'No.') : reply(how === 'none' ? 204 : 200, {}),
  });
  const policy = {
    id: '00000000-0000-4000-8000-000000000001',
    type: 'requests',
    unit: 'rpm',
    value: 1,
  } as const;
  const gateway = createGateway({
    calls: [check],
    scenario: {
      policies: { records: [{ ...policy, status: 'active', conditions: [], group_by: [] }] },
      quotas: true,
    },
  });
  const get = async (how: string) => {
    const reply = await gateway.fetch(`http://a/v1/check/${how}`, { headers: { 'x-gateway-api-key': 'k' } });
    return [
      reply.status,
      reply.headers.get('x-ratelimit-remaining-requests'),
      reply.headers.get('x-mock-fault'),
    ];
  };
  expect(await get('refuse')).toEqual([409, null, null]);
  await gateway.faults.add('ping: malformed-json', 'ping: wrong-content-type text/html');
  expect(await get('none')).toEqual([204, '0', null]);
  expect(await get('ok')).toEqual([429, '0', 'ping: malformed-json']);
  expect(await gateway.faults.list()).toMatchObject([{ calls: 2, hits: 1 }, { hits: 0 }]);
  expect((await gateway.requests.list())[1]?.idleFaults).toContainEqual({
    fault: 'ping: malformed-json',
    reason: 'the reply has no body',
  });
});

test('a reply that HTTP does not allow is a 500 that names the call, and the rest of it is sent as HTTP wants it', async () => {
  const circular: unknown[] = [];
  circular.push(circular);
  const replies: Readonly<Record<string, readonly [status: number, body: unknown, headers?: object]>> = {
    status: [1000, {}],
    body: [200, undefined],
    circular: [200, circular],
    header: [200, {}, { 'x-a': 'a\nb' }],
    empty: [204, { a: 1 }],
    type: [
      200,
      { a: 1 },
      { 'Content-Type': 'application/vnd.x+json', 'Content-Length': '9', 'x-a': undefined },
    ],
  };
  const path = '/{how}';
  const one = defineCall({
    ...ok,
    path,
    handle: ({ params: { how } }, { reply }) => {
      const [status, body, headers] = replies[how] ?? [200, {}];
      return reply(status, body, headers as Record<string, string>); // also wrong ones, on purpose
    },
  });
  const search = defineCall({ ...ok, id: 'search', path: '/search' });
  const gateway = createGateway({ calls: [one, search] });
  const get = async (how: string) => {
    const reply = await gateway.fetch(`http://a/v1/${how}`, { headers: { 'x-gateway-api-key': 'k' } });
    return [reply.status, reply.headers.get('content-type'), await reply.text()] as const;
  };
  for (const how of ['status', 'body', 'circular', 'header']) {
    const [status, , text] = await get(how);
    expect([how, status]).toEqual([how, 500]);
    expect(text).toContain('The call \\"ping\\" ');
  }
  expect(await get('empty')).toEqual([204, null, '']);
  expect(await get('type')).toEqual([200, 'application/vnd.x+json', '{"a":1}']);
  await get('search');
  expect((await gateway.requests.list()).at(-1)?.operation).toBe('search');
});

test('the parameters have the names of the path', () => {
  defineCall({
    ...ok,
    path: '/a/{b}/c/{d_e}',
    handle: ({ params }, { records }) => {
      expectTypeOf(params).toEqualTypeOf<{ readonly b: string; readonly d_e: string }>();
      expectTypeOf(records.runs.count()).toEqualTypeOf<number>();
      return {};
    },
  });
});

test('a fault may name a call of its own gateway, and of no other', async () => {
  const fault = 'ping: 503';
  const mine = createGateway({ calls: [define({})()], faults: [fault] });
  await mine.faults.add(fault);
  expect(await mine.requests.count({ fault })).toBe(0);
  const other = createGateway();
  const unknown = 'unknown operation "ping"';
  await expect(other.faults.add(fault)).rejects.toThrow(unknown);
  await other.faults.add('listRuns: 503');
  await expect(other.faults.update('fault_1', { fault })).rejects.toThrow(unknown);
  await expect(other.requests.count({ fault })).rejects.toThrow(unknown);
  await expect(other.scenario.load(await mine.state.export())).rejects.toThrow(`faults[0]: Failed to read`);
  expect(() => createGateway({ faults: [fault] })).toThrow(unknown);
  const document = { faults: [fault] };
  createGateway({ calls: [define({})()], scenario: document });
  expect(() => createGateway({ scenario: document })).toThrow(unknown);
});

test('an asynchronous handler writes in the session in which it began, or not at all', async () => {
  let go: () => void = () => {};
  const created = defineCall({
    ...ok,
    handle: async (_call, { records }) => {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      return records.batches.create({});
    },
  });
  const gateway = createGateway({ calls: [created] });
  const send = (name: string) =>
    gateway.fetch(`http://a/sessions/${name}/v1/ping`, { headers: { 'x-gateway-api-key': 'k' } });
  const statusAfter = async (change: () => Promise<unknown>) => {
    const sent = send('a');
    await gateway.session('a').requests.wait({}, { until: 'arrival', from: 'now' });
    await change();
    go();
    const reply = await sent;
    return [reply.status, await reply.text()];
  };
  const before = await gateway.session('a').records.batches.count();
  expect(await statusAfter(() => gateway.session('b').reset())).toEqual([200, expect.any(String)]);
  expect(await gateway.session('a').records.batches.count()).toBe(before + 1);
  expect(await gateway.session('b').records.batches.count()).toBe(before);
  expect(await statusAfter(() => gateway.sessions.create('a'))).toEqual([
    410,
    expect.stringContaining('The session \\"a\\" began again while the call was answered.'),
  ]);
  expect(await gateway.session('a').records.batches.count()).toBe(before);
});

test('a schema of the body refuses what does not match, and one of the reply holds the handler to it', async () => {
  const create = defineCall({
    ...ok,
    method: 'POST',
    body: z.object({ name: z.string(), size: z.int().default(1) }),
    reply: z.object({ id: z.string() }),
    handle: ({ body }, { reply }) => {
      expectTypeOf(body.size).toEqualTypeOf<number>();
      return body.name === 'none'
        ? reply(202, { name: 1 })
        : { id: body.name === 'bad' ? 1 : `${body.name}_${body.size}` };
    },
  });
  const gateway = createGateway({ calls: [create] });
  const send = async (body: object) => {
    const headers = { 'x-gateway-api-key': 'k', 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const reply = await gateway.fetch('http://a/v1/ping', init);
    return [reply.status, await reply.json()] as const;
  };
  expect(await send({ name: 'a' })).toEqual([200, { id: 'a_1' }]);
  expect(await send({ name: 'none' })).toEqual([202, { name: 1 }]);
  expect(await send({ name: 'a', size: 'x' })).toMatchObject([400, { error: { param: 'size' } }]);
  expect((await send({ name: 'bad' }))[1].error.message).toMatch(
    /^The call "ping" returned what its schema refuses: id: Invalid input: expected string/,
  );
  const { paths } = JSON.parse(addCalls('{"paths":{},"tags":[]}', [create]));
  expect(paths['/ping'].post.requestBody.content['application/json'].schema.required).toEqual(['name']);
  expect(paths['/ping'].post.responses[200].content['application/json'].schema.properties.id.type).toBe(
    'string',
  );
  expect(define({ body: {} })).toThrow('"body" must be a schema of zod');
});

test('what would be lost or garbled on its way is a 500 that says what and where', async () => {
  const read = new ReadableStream({ start: (controller) => controller.close() });
  read.getReader();
  const replies: readonly (readonly [make: (reply: OwnCallTools['reply']) => object, message: string])[] = [
    [
      () => ({ a: [{ b: new Map([[1, 2]]) }] }),
      'an object of the class Map at a[0].b, which JSON cannot show',
    ],
    [() => [Promise.resolve(1)], 'an object of the class Promise at [0], which'],
    [() => ({ bytes: new Uint8Array(2) }), 'an object of the class Uint8Array at bytes, which'],
    [() => read, 'a stream that is being read already.'],
    [
      (reply) => reply(200, {}, { 'x-a': 'é' }),
      'the header x-a: "é", which is not ASCII: use encodeURIComponent.',
    ],
    [() => new Response('', { headers: { 'set-cookie': 'a=é' } }), 'the header set-cookie: "a=é", which'],
  ];
  const calls = replies.map(([make], at) =>
    defineCall({ ...ok, id: `lost${at}`, path: `/lost/${at}`, handle: (_call, { reply }) => make(reply) }),
  );
  const fine = {
    at: new Date(0),
    none: Object.create(null),
    of: new (class File {
      id = 1;
    })(),
    empty: {},
    list: [],
  };
  const gateway = createGateway({ calls: [...calls, defineCall({ ...ok, handle: () => fine })] });
  const get = async (path: string) => {
    const reply = await gateway.fetch(`http://a/v1/${path}`, { headers: { 'x-gateway-api-key': 'k' } });
    return [reply.status, await reply.json()] as const;
  };
  for (const [at, [, message]] of replies.entries()) {
    const [status, { message: found }] = await get(`lost/${at}`);
    expect([status, found]).toEqual([
      500,
      expect.stringContaining(`The call "lost${at}" replied with ${message}`),
    ]);
  }
  expect(await get('ping')).toEqual([200, JSON.parse(JSON.stringify(fine))]);
});

test('a fault with times=1 hits one of two asynchronous calls that overlap', async () => {
  const slow = defineCall({
    id: 'slow',
    method: 'GET',
    path: '/slow',
    handle: () => new Promise<object>((resolve) => setTimeout(resolve, 5, { a: 1 })),
  });
  const gateway = createGateway({ calls: [slow], faults: ['slow times=1: empty-body'] });
  const get = async () => {
    const headers = { 'x-gateway-api-key': 'k' };
    return (await gateway.fetch('http://gateway.test/v1/slow', { headers })).text();
  };
  expect(await Promise.all([get(), get()])).toEqual(['', '{"a":1}']);
  expect(await gateway.faults.list()).toMatchObject([{ calls: 2, hits: 1 }]);
});

test('a fault that cuts or slows the body is unused if the reply has none, and does nothing to it', async () => {
  const gateway = createGateway({
    calls: [defineCall({ ...ok, handle: (_call, { reply }) => reply(204, null) })],
    faults: ['ping: delay 1ms', 'ping#1: hang-up', 'ping: drip 1s'],
  });
  const get = () => gateway.fetch('http://a/v1/ping', { headers: { 'x-gateway-api-key': 'k' } });
  const replies = [await get(), await get()];
  expect(replies.map(({ headers }) => headers.get('x-mock-fault'))).toEqual(Array(2).fill('ping: delay 1ms'));
  const unused = 'could not act: the reply has no body';
  expect(await gateway.faults.list()).toMatchObject([
    { hits: 2 },
    { hits: 0, unused: expect.stringContaining(unused) },
    { hits: 0, unused: expect.stringContaining(unused) },
  ]);
});

test('a page that a handler makes, but does not send, is not in the journal and its walks', async () => {
  const list = defineCall({
    ...ok,
    handle: ({ query }, { page, reply }) => {
      const body = page([{ id: 'a' }], query);
      return query.fails === undefined ? body : reply(503, {});
    },
  });
  const gateway = createGateway({ calls: [list] });
  for (const query of ['fails=1', ''])
    await gateway.fetch(`http://a/v1/ping?${query}`, { headers: { 'x-gateway-api-key': 'k' } });
  const requests = await gateway.requests.list();
  expect(requests.map(({ page }) => page?.ids)).toEqual([undefined, ['a']]);
});

test('in process, a stream that nobody waits for any more is closed at its source', async () => {
  const closed = vi.fn();
  async function* write() {
    try {
      for (;;) yield 'more';
    } finally {
      closed();
    }
  }
  const gateway = createGateway({ calls: [defineCall({ ...ok, handle: () => write() })] });
  const leave = new AbortController();
  const headers = { 'x-gateway-api-key': 'k' };
  const { body } = await gateway.fetch('http://a/v1/ping', { headers, signal: leave.signal });
  await body?.getReader().read();
  leave.abort();
  await expect.poll(() => closed.mock.calls.length).toBe(1);
});

test('a limit holds for asynchronous calls that overlap, and does not count those that are refused at last', async () => {
  let release = (): void => {};
  const gate = new Promise<void>((done) => {
    release = done;
  });
  const slow = defineCall({
    ...ok,
    handle: async ({ query }, { refuse }) => {
      if (query.late !== undefined) await gate;
      return query.refused === undefined ? {} : refuse(409, 'No.');
    },
  });
  const gateway = createGateway({ calls: [slow], scenario: { policies: { seeded: 0 } } });
  await gateway.records.policies.create({ type: 'requests', value: 2, conditions: [], group_by: [] });
  await gateway.quotas.enforce();
  const statuses = async (...queries: string[]) => {
    const headers = { 'x-gateway-api-key': 'k' };
    const replies = queries.map((query) => gateway.fetch(`http://a/v1/ping?${query}`, { headers }));
    return (await Promise.all(replies)).map(({ status }) => status);
  };
  expect(await statuses('refused=1', 'refused=1', '')).toEqual([409, 409, 429]); // two are counted until they are refused
  expect(await gateway.quotas.list()).toMatchObject([{ matched: 1, groups: [] }]);
  expect(await statuses('', 'refused=1', '')).toEqual([200, 409, 429]);
  expect(await gateway.quotas.list()).toMatchObject([{ matched: 3, groups: [{ used: 1 }] }]);
  const late = statuses('late=1&refused=1');
  await gateway.quotas.refill(); // also takes back the call that is refused later
  expect(await statuses('')).toEqual([200]);
  release();
  expect([await late, await statuses('', '')]).toEqual([[409], [200, 429]]);
});
