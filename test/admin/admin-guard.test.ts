// What reaches the admin API from where it must not: each call as bytes, since no client sends most of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayServer, startServer } from '../../src/server.ts';
import { connect } from '../../src/service/client/connect.ts';
import { openSocket, readReplies } from '../support/raw-http.ts';

let open: GatewayServer;
let guarded: GatewayServer;
beforeAll(async () => {
  open = await startServer({ adminHosts: ['mock.internal'] });
  guarded = await startServer({ adminToken: 'letmein', transport: 'msw' });
});
afterAll(() => Promise.all([open.close(), guarded.close()]));

interface Sent {
  readonly line?: string;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly body?: string;
}

/** One call as bytes; HOST stands for the server's own host and port. */
const send = async (
  server: GatewayServer,
  { line = 'POST /__admin/reset', headers = {}, body = '' }: Sent,
) => {
  const own = new URL(server.url).host;
  const all = { host: own, 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value.replace('HOST', own)}`],
  );
  const socket = await openSocket(server.url);
  const replies = readReplies(socket);
  socket.write(`${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  const [reply] = await replies;
  socket.destroy();
  return reply;
};

const json = { 'content-type': 'application/json' };

const page = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const image = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };

// What counts as a host or an origin of this machine: src/service/admin/guard.test.ts.
describe('a stranger', () => {
  test.each<[line: string, headers: Sent['headers'], status: number]>([
    ['POST /__admin/reset', { host: 'evil.example' }, 403], // DNS rebinding
    ['POST /__admin/reset', { host: '' }, 403],
    ['POST /__admin/reset', { host: '2130706433' }, 200], // a number that is the address of this machine
    ['POST /__admin/reset', { host: 'Mock.Internal:80' }, 200], // a host that was allowed
    ['POST /__admin/reset', { origin: 'http://evil.example' }, 403],
    ['POST /__admin/reset', { origin: 'null' }, 403],
    ['POST /__admin/reset', { origin: 'https://HOST' }, 200], // behind a proxy that ends HTTPS
    ['GET /__admin/events', { origin: 'http://evil.example' }, 403],
    ['GET /sessions/a/__admin/requests/list', { origin: 'http://evil.example' }, 403],
    ['GET /__admin/state/export', { ...image, 'sec-fetch-site': 'cross-site' }, 403],
    ['GET /__admin/assets/index.js', { ...image, 'sec-fetch-site': 'cross-site' }, 403],
    ['GET /sessions/new/__admin/state/export', { ...page, 'sec-fetch-site': 'cross-site' }, 403],
    ['GET /__admin/', { ...page, 'sec-fetch-site': 'cross-site' }, 200], // a link to the page
    ['GET /sessions/new/__admin', { ...page, 'sec-fetch-site': 'cross-site' }, 308],
    ['GET /__admin/', { ...page, 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }, 403],
    ['GET /__admin/clock/now', { 'sec-fetch-site': 'elsewhere' }, 403],
  ])('that calls %s with %j gets %i', async (line, headers, status) => {
    const reply = await send(open, { line, headers });
    expect(reply?.status).toBe(status);
    expect(reply?.header('access-control-allow-origin')).toBeNull();
    if (status === 403)
      expect(JSON.parse(reply?.text ?? '')).toMatchObject({ error: { type: 'permission_error' } });
    expect(await open.sessions.list()).not.toContain('new');
  });

  // So a proxy that passes only /v1/ is enough protection.
  test.each([
    '/v1/../__admin/state',
    '/v1/%2e%2e/__admin/state',
    '/v1/x/..\\..\\__admin/state',
    'http://127.0.0.1/v1/../__admin/state',
  ])('does not reach the admin API by the path %s', async (path) => {
    for (const server of [open, guarded]) {
      const reply = await send(server, { line: `GET ${path}` });
      expect([reply?.status, JSON.parse(reply?.text ?? '').message]).toEqual([
        404,
        expect.stringContaining('No operation has the path'),
      ]);
    }
  });

  test('gets no answer to a preflight', async () => {
    const reply = await send(open, {
      line: 'OPTIONS /__admin/reset',
      headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(reply?.status).toBe(403);
    expect(reply?.header('access-control-allow-methods')).toBeNull();
  });

  test('is served only with the token', async () => {
    const refused = await send(guarded, { headers: { authorization: 'Bearer letmein2' } });
    expect(refused?.status).toBe(401);
    expect(refused?.text).not.toContain('letmein');
    expect((await send(guarded, { headers: { authorization: 'Bearer letmein' } }))?.status).toBe(200);
    await connect(guarded.url, { token: 'letmein' }).reset();
    await expect(connect(guarded.url).reset()).rejects.toThrow('admin token is missing');
    await expect(connect(guarded.url, { token: 'letmeout' }).reset()).rejects.toThrow(
      'The admin token is wrong',
    );
  });
});

describe('an error', () => {
  test.each<[title: string, sent: Sent, status: number, said: string]>([
    ['an unknown path', { line: 'GET /__admin/clok/now' }, 404, 'Did you mean /__admin/clock/now?'],
    ['a reset of quotas', { line: 'POST /__admin/quotas/reset' }, 404, 'mean /__admin/quotas/refill?'],
    ['a reset of the state', { line: 'POST /__admin/state/reset' }, 404, 'Did you mean /__admin/reset?'],
    ['an unknown verb', { line: 'POST /__admin/requests/remove' }, 404, 'mean /__admin/requests/clear?'],
    [
      'another method',
      { line: 'PUT /__admin/clock/set' },
      405,
      'only POST. An example: POST /__admin/clock/set {"now":"2026-01-15T13:00:00Z"}',
    ],
    [
      'no content type',
      { line: 'POST /__admin/clock/set', body: '{"now":1}' },
      415,
      "the content type is missing: send 'application/json'. An example: POST",
    ],
    [
      'a query instead of a body',
      { line: 'POST /__admin/clock/advance?by=1h' },
      400,
      'does not take a query, only a JSON body. An example: POST',
    ],
    [
      'a filter that is given twice',
      { line: 'GET /__admin/requests/list?path=a&path=b' },
      400,
      'A parameter is given twice in the query "?path=a&path=b".',
    ],
  ])('%s is reported', async (_title, sent, status, said) => {
    const reply = await send(open, sent);
    expect(reply?.status).toBe(status);
    expect(reply?.header('content-type')).toBe('application/json');
    expect(JSON.parse(reply?.text ?? '').error.message).toContain(said);
  });

  test('a body beyond the limit is refused', async () => {
    const body = `{"seed":1,"description":"${'x'.repeat(10_000_001)}"}`;
    const replies = await send(open, { line: 'POST /__admin/state/import', headers: json, body });
    expect(replies?.status).toBe(413);
  });
});
