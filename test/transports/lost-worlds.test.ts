// A lost world never looks like an untouched one: each has an identity, and a session that was removed says so.

import { describe, expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { createGateway, type Gateway } from '../../src/index.ts';
import type { GatewayServer, ServerOptions } from '../../src/server.ts';
import { interceptGateway, openServer } from '../support/open-gateway.ts';
import { describeTransports, keys } from '../support/transports.ts';

const scenario = { batches: 3 };
const removed =
  /^The session "w0" was removed: at most.*records, faults, clock and journal are lost.*sessions\.create\("w0"\).*--max-sessions/;

const start = (options: ServerOptions = {}): Promise<GatewayServer> => openServer({ scenario, ...options });

const call = (server: GatewayServer, session?: string, init?: RequestInit): Promise<Response> =>
  fetch(`${server.url}${session === undefined ? '' : `/sessions/${session}`}/v1/batches`, {
    headers: keys,
    ...init,
  });

const admin = (
  { url }: GatewayServer,
  session: string | undefined,
  path: string,
  init?: RequestInit,
): Promise<Response> =>
  fetch(`${url}${session === undefined ? '' : `/sessions/${session}`}/__admin${path}`, init);

const create = (server: GatewayServer, session: string | undefined, name: string, from = {}) =>
  admin(server, session, '/sessions/create', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, ...from }),
  });

const worldOf = ({ headers }: Response): string | null => headers.get('x-mock-world');
const isNew = ({ headers }: Response): boolean => headers.get('x-mock-world-new') === 'yes';
const messageIn = async (reply: Response): Promise<string> => (await reply.json()).error.message;

/** Uses so many other sessions that the first ones are removed. */
const useOthers = async ({ sessions }: Gateway, count = 2): Promise<void> => {
  for (let made = 1; made <= count; made += 1) await sessions.create(`other-${made}`);
};

describeTransports(
  'the identity of a world',
  { scenario, requireSession: true },
  ({ call: callTransport }) => {
    const inSession = (name: string, path = '/batches', init: RequestInit = {}): Promise<Response> =>
      callTransport(path, { ...init, headers: { ...keys, 'x-mock-session': name, ...init.headers } });

    test('is on each of its replies, errors too, and the first says that it is new', async () => {
      const paths = ['/batches', '/batches', '/nothing', '/batches?limit=0'];
      const replies = [];
      for (const path of paths) replies.push(await inSession('mine', path));
      replies.push(await inSession('mine', '/batches', { headers: { 'x-gateway-api-key': '' } }));
      replies.push(await inSession('mine', '/batches', { method: 'OPTIONS' }));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 404, 400, 401, 204]);
      const [first] = replies.map(worldOf);
      expect(first).toMatch(/^[0-9a-f]{12}$/);
      expect(replies.map(worldOf)).toEqual(replies.map(() => first));
      expect(replies.map(isNew)).toEqual([true, false, false, false, false, false]);
      expect(worldOf(await inSession('another'))).not.toBe(first);
    });
  },
);

describe('the identity of a world', () => {
  test('is the same on replies of operations and of the admin API, errors too', async () => {
    const server = await start();
    const made = await admin(server, 'mine', '/clock/now');
    expect([worldOf(made) === worldOf(await call(server, 'mine')), isNew(made)]).toEqual([true, true]);
    for (const path of ['/clock/now', '/health', '/openapi.json', '/requests/count?colour=red', '/nothing']) {
      const reply = await admin(server, 'mine', path);
      expect([path, worldOf(reply), isNew(reply)]).toEqual([path, worldOf(made), false]);
    }
    const events = await admin(server, 'mine', '/events');
    await events.body?.cancel();
    expect(worldOf(events)).toBe(worldOf(made));
    expect(worldOf(await admin(server, undefined, '/clock/now'))).toBe(worldOf(await call(server)));
  });

  test('is on no admin reply that no world gave', async () => {
    const server = await start({ adminToken: 'open sesame' });
    const headers = { authorization: 'Bearer open sesame' };
    const replies = [
      await admin(server, undefined, '/clock/now'),
      await admin(server, 'no%20name', '/clock/now', { headers }),
      await admin(server, 'nobody', '/sessions/list', { headers }),
    ];
    expect(replies.map((reply) => [reply.status, worldOf(reply)])).toEqual([
      [401, null],
      [400, null],
      [200, null],
    ]);
    expect(await server.sessions.list()).toEqual(['default']);
  });
});

describe('a session that was removed because there were too many', () => {
  test('says so to each call and admin call that names it', async () => {
    const server = await start({ maxSessions: 2 });
    await server.session('w0').faults.add('listBatches: 503');
    expect((await call(server, 'w0')).status).toBe(503);
    await useOthers(server);

    const origin = 'https://app.test';
    const replies = [
      await call(server, 'w0', { headers: { ...keys, origin } }),
      await call(server, undefined, { headers: { ...keys, 'x-mock-session': 'w0' } }),
      await admin(server, 'w0', '/requests/count'),
      await admin(server, 'w0', '/health'),
      await admin(server, 'w0', '/events'),
      await admin(server, 'w0', '/reset', { method: 'POST' }),
      await create(server, 'w0', 'fork', { session: 'w0' }),
    ];
    for (const reply of replies) {
      expect([reply.status, worldOf(reply), isNew(reply)]).toEqual([410, null, false]);
      expect(await messageIn(reply)).toMatch(removed);
    }
    expect(replies[0]?.headers.get('access-control-allow-origin')).toBe(origin);
    const headers = { origin, 'access-control-request-method': 'GET' };
    const preflight = await call(server, 'w0', { method: 'OPTIONS', headers });
    expect([preflight.status, worldOf(preflight)]).toEqual([204, null]); // so that a page can read the 410
    expect(await server.sessions.list()).not.toContain('w0');

    const page = await admin(server, 'w0', '/', { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']); // its first call gets 410

    const made = await create(server, 'w0', 'w0');
    expect([made.status, isNew(made)]).toEqual([200, true]);
    expect(worldOf(await call(server, 'w0'))).toBe(worldOf(made));
  });

  test('is refused by every method of its control in process, until it is created again', async () => {
    const gateway = createGateway({ scenario, maxSessions: 2 });
    const kept = gateway.session('w0');
    await kept.faults.add('listBatches: 503');
    await useOthers(gateway);
    for (const ask of [
      kept.requests.count,
      kept.faults.list,
      kept.clock.now,
      kept.reset,
      kept.records.batches.list,
      kept.state.export,
      gateway.session('w0').requests.list,
    ])
      await expect(ask()).rejects.toThrow(removed);
    await expect(gateway.sessions.create('fork', { session: 'w0' })).rejects.toThrow(removed);
    await gateway.sessions.create('w0', { scenario: 'empty' });
    expect([await kept.faults.list(), await kept.records.batches.list()]).toEqual([[], []]);
  });

  test('has its unmatched requests in the default journal, in process', async () => {
    const gateway = interceptGateway({ scenario, maxSessions: 2 });
    const root = 'https://gateway.test/sessions/w0/v1';
    expect((await fetch(`${root}/batches`, { headers: keys })).status).toBe(200);
    await useOthers(gateway, 1);
    expect((await fetch(`${root}/batches`, { headers: keys })).status).toBe(410);
    await expect(fetch(`${root}/nothing`, { headers: keys })).rejects.toThrow();
    expect(await gateway.requests.list({ unmatched: true })).toMatchObject([
      { status: 410 },
      { status: null },
    ]);
  });
});

test('a server that closes ends all event streams and waits, each with an error that shows the line that waited', async () => {
  const server = await start();
  const waitHere = () => server.requests.wait({}, { timeout: 200_000 });
  const waitInSession = () => server.session('w0').requests.wait({}, { count: 5, timeout: 200_000 });
  const stream = await fetch(`${server.adminUrl}/events`);
  const waitOverHttp = () => connect(server.url).requests.wait({}, { timeout: 200_000 });
  const waits = [waitHere, waitInSession, waitOverHttp].map((wait) =>
    expect(wait()).rejects.toMatchObject({
      message: expect.stringContaining('Failed to wait for requests: the server was closed.'),
      stack: expect.stringMatching(new RegExp(`closed\\.\n {4}at ${wait.name} `)),
    }),
  );
  await expect.poll(() => server.sessions.list()).toContain('w0');
  await connect(server.url).clock.now();
  const closing = server.close();
  await expect(server.requests.wait({}, { timeout: 5000 })).rejects.toThrow('the server was closed');
  await closing;
  await Promise.all([...waits, stream.text().catch(() => '')]);
});
