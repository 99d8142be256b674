// What begins a session at a server, and what does not: a page of any site can make the browser send calls without a key.
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import type { GatewayOptions } from '../../src/gateway/options.ts';
import type { Scenario } from '../../src/scenario/types.ts';
import { startServer } from '../../src/server.ts';
import { openListener } from '../support/listen.ts';
import { keys } from '../support/transports.ts';

describe.each([true, false])('a session of a server (direct: %s)', (direct) => {
  const start = async (options: GatewayOptions = {}) => {
    const server = await startServer({ ...options, direct });
    onTestFinished(server.close);
    const call = (session: string, headers: Record<string, string>, method = 'GET', path = '/batches') =>
      fetch(`${server.url}/sessions/${session}/v1${path}`, { method, headers });
    return { server, call };
  };
  const scenario: Scenario = {
    keys: { valid: ['good'], expired: ['old'], limited: { narrow: ['listRuns'] } },
    assumptions: { 'api-keys': 'listed' },
  };

  test.each<[title: string, headers: Record<string, string>, status: number, method?: string, path?: string]>(
    [
      ['without headers, such as of an image', {}, 401],
      ['with an empty key', { 'x-gateway-api-key': ' ' }, 401],
      ['with an expired key', { 'x-gateway-api-key': 'old' }, 401],
      ['with a method that is not served', {}, 405, 'DELETE'],
      ['of a preflight', { origin: 'http://a.test', 'access-control-request-method': 'GET' }, 204, 'OPTIONS'],
    ],
  )(
    'is not begun by a call %s, which is answered all the same',
    async (_title, headers, status, method, path) => {
      const { server, call } = await start({ scenario });
      const first = await call('new', headers, method, path);
      const second = await call('new', headers, method, path);
      expect([first.status, second.status]).toEqual([status, status]);
      expect(await first.text()).toBe(await second.text());
      expect(first.headers.get('x-request-id')).toBe(second.headers.get('x-request-id'));
      for (const name of ['x-mock-world', 'x-mock-world-new']) expect(first.headers.has(name)).toBe(false);
      expect(await server.sessions.list()).toEqual(['default']);

      // A session that exists takes it, and answers the same bytes.
      await connect(server.url, { session: 'new' }).requests.count();
      const third = await call('new', headers, method, path);
      expect([third.status, third.headers.get('x-request-id')]).toEqual([
        status,
        first.headers.get('x-request-id'),
      ]);
      expect(third.headers.has('x-mock-world')).toBe(true);
      const journal = await server.session('new').requests.list();
      expect(journal.map((request) => request.status)).toEqual(status === 204 ? [] : [status]);
    },
  );

  test.each([
    ['a call with a key', 'good', '/batches', 400],
    ['a call whose key may not make it', 'narrow', '/batches', 403],
  ])('is begun by %s', async (_title, key, path, status) => {
    const { server, call } = await start({ scenario });
    const reply = await call('new', { 'x-gateway-api-key': key }, 'GET', path);
    expect([reply.status, reply.headers.get('x-mock-world-new')]).toEqual([status, 'yes']);
    expect(await server.session('new').requests.count()).toBe(1);
  });

  test('is not removed by a thousand calls that name others', async () => {
    const { server, call } = await start({ maxSessions: 3 });
    expect((await call('mine', keys)).status).toBe(200);
    await Promise.all(Array.from({ length: 50 }, (_, index) => call(`image-${index}`, {})));
    expect((await call('mine', keys)).headers.get('x-mock-world-new')).toBeNull();
    expect(await server.sessions.list()).toEqual(['default', 'mine']);
  });

  test('is the default one for all other calls, keys or not', async () => {
    const { server } = await start();
    expect((await fetch(`${server.baseUrl}/batches`)).headers.has('x-mock-world')).toBe(true);
    expect(await server.requests.count({ status: 401 })).toBe(1);
  });
});

test('a session in process is begun by any call', async () => {
  const gateway = createGateway();
  const url = await openListener(gateway.middleware());
  const { headers } = await fetch(`${url}/sessions/mine/v1/batches`);
  expect(headers.get('x-mock-world-new')).toBe('yes');
  expect(await gateway.session('mine').requests.count({ status: 401 })).toBe(1);
});
