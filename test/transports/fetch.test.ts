// `gateway.fetch`: what differs from the other transports, which the suites of all transports cannot say.
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { createGateway } from '../../src/service/gateway/create-gateway.ts';
import { keys } from '../support/transports.ts';

const batches = 'http://any.test/v1/batches';

test('an openai client walks a list, with retries, and nothing is intercepted', async () => {
  const gateway = createGateway({ faults: ['listBatches#2: 503 header.retry-after-ms=1'] });
  const client = new OpenAI({
    baseURL: 'http://gateway.test/v1',
    apiKey: 'unused',
    defaultHeaders: keys,
    fetch: gateway.fetch,
  });
  const ids = new Set<string>();
  for await (const { id } of client.batches.list({ limit: 20 })) ids.add(id);
  expect(ids.size).toBeGreaterThan(20);
  expect(await gateway.requests.walk('listBatches')).toMatchObject({ exactlyOnce: true, records: ids.size });
});

test.each<[input: string | URL | Request, init?: RequestInit]>([
  [batches, { headers: keys }],
  [new URL(batches), { headers: keys }],
  [new Request(batches, { headers: keys })],
  [new Request(batches), Object.assign(Object.create(null), { headers: keys })],
  [batches, new Request('http://any.test/other', { headers: keys })], // a request stands for its fields, as in fetch
])('takes what fetch takes: %s, %s', async (input, init) => {
  expect((await createGateway().fetch(input, init)).status).toBe(200);
});

test('the URL of a response and of its clones is that of the request, without its fragment', async () => {
  const reply = await createGateway().fetch(`${batches}?limit=1#here`, { headers: keys });
  const copies = [reply, reply.clone(), reply.clone().clone()];
  expect(copies.map(({ url }) => url)).toEqual(Array(3).fill(`${batches}?limit=1`));
  expect(await reply.json()).toEqual(await copies[2]?.json());
});

test.each(['http://any.test/batches', 'http://any.test/v1'])(
  'answers what is not for the gateway by 404: %s',
  async (url) => {
    const reply = await createGateway().fetch(url, { headers: keys });
    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  },
);

test('a server may pass itself as second argument, as Bun does', async () => {
  class Server {
    get url() {
      return new URL('http://any.test/');
    }
    get method() {
      return 'DELETE';
    }
  }
  const request = new Request(batches, { headers: keys });
  expect((await createGateway().fetch(request, new Server())).status).toBe(200);
});

test('a reset rejects as fetch does, and so does an abort', async () => {
  const gateway = createGateway({ faults: ['listBatches#1: reset', 'listBatches#2: delay 600s'] });
  await expect(gateway.fetch(batches, { headers: keys })).rejects.toThrow(new TypeError('fetch failed'));
  const reason = new Error('the test has had enough');
  const caller = new AbortController();
  const reply = gateway.fetch(batches, { headers: keys, signal: caller.signal });
  caller.abort(reason);
  await expect(reply).rejects.toBe(reason);
  await expect(gateway.fetch(batches, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(await gateway.requests.count()).toBe(2); // the last one never came
});

test('shares its worlds with the other transports', async () => {
  const server = await startServer();
  try {
    await server.records.batches.create({ id: 'batch_ours' });
    const reply = await server.fetch(`${server.baseUrl}/batches?limit=1`, { headers: keys });
    expect(await reply.json()).toMatchObject({ first_id: 'batch_ours' });
  } finally {
    await server.close();
  }
});
