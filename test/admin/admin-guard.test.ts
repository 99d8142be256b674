// What reaches the admin API from where it must not: each call as bytes, since no client sends most of them.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/admin/remote.ts';
import { type GatewayServer, startServer } from '../../src/server.ts';
import { openSocket, readReplies } from '../support/raw-http.ts';

let open: GatewayServer;
let guarded: GatewayServer;
beforeAll(async () => {
  open = await startServer({ adminHosts: ['mock.internal'] });
  guarded = await startServer({ adminToken: 'letmein', direct: false });
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

describe('a stranger', () => {
  test.each<[title: string, headers: Sent['headers'], status: number]>([
    ['a foreign host (DNS rebinding)', { host: 'evil.example' }, 403],
    ['a foreign host with our port', { host: 'evil.example:4010' }, 403],
    ['a host that starts like ours', { host: '127.0.0.1.evil.example' }, 403],
    ['a host that ends like ours', { host: 'evillocalhost' }, 403],
    ['a host with credentials', { host: 'localhost@evil.example' }, 403],
    ['a host with a path', { host: 'evil.example/localhost' }, 403],
    ['an address of another machine', { host: '10.1.2.3:80' }, 403],
    ['a number that is the address of this machine', { host: '2130706433' }, 200],
    ['no host', { host: undefined }, 403],
    ['an empty host', { host: '' }, 403],
    ['a foreign origin', { origin: 'http://evil.example' }, 403],
    ['an origin on another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    ['an opaque origin', { origin: 'null' }, 403],
    ['the same host under HTTPS, behind a proxy that ends it', { origin: 'https://HOST' }, 200],
    ['the same host under another scheme', { origin: 'ftp://HOST' }, 403],
    ['an empty origin', { origin: '' }, 403],
    ['its own origin', { origin: 'http://HOST' }, 200],
    ['localhost', { host: 'localhost:4010' }, 200],
    ['a name below localhost', { host: 'app.localhost' }, 200],
    ['IPv6', { host: '[::1]:4010' }, 200],
    ['a host that was allowed', { host: 'Mock.Internal:80' }, 200],
  ])('%s is answered rightly', async (_title, headers, status) => {
    const reply = await send(open, { headers });
    expect(reply?.status).toBe(status);
    expect(reply?.header('access-control-allow-origin')).toBeNull();
    if (status === 403)
      expect(JSON.parse(reply?.text ?? '')).toMatchObject({ error: { type: 'permission_error' } });
  });

  test.each([
    'GET /__admin/state/export',
    'GET /__admin/events',
    'GET /__admin/health',
    'GET /sessions/a/__admin/requests/list',
    'PUT /__admin/nothing',
    'OPTIONS /__admin/reset',
  ])('is refused by %s, too, and changes nothing', async (line) => {
    expect((await send(open, { line, headers: { origin: 'http://evil.example' } }))?.status).toBe(403);
    expect((await send(open, { line, headers: { host: 'evil.example' } }))?.status).toBe(403);
  });

  const page = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const image = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };

  test.each<[title: string, line: string, headers: Sent['headers'], status: number]>([
    [
      'an image of another site',
      'GET /__admin/state/export',
      { ...image, 'sec-fetch-site': 'cross-site' },
      403,
    ],
    ['an image of the same site', 'GET /__admin/clock/now', { ...image, 'sec-fetch-site': 'same-site' }, 403],
    ['a stream', 'GET /__admin/events', { 'sec-fetch-site': 'cross-site' }, 403],
    [
      'a script of the page',
      'GET /__admin/assets/index.js',
      { ...image, 'sec-fetch-site': 'cross-site' },
      403,
    ],
    [
      'a link to data',
      'GET /sessions/new/__admin/state/export',
      { ...page, 'sec-fetch-site': 'cross-site' },
      403,
    ],
    ['a link to the page', 'GET /__admin/', { ...page, 'sec-fetch-site': 'cross-site' }, 200],
    ['a link to a page', 'GET /sessions/new/__admin', { ...page, 'sec-fetch-site': 'cross-site' }, 308],
    [
      'a frame',
      'GET /__admin/',
      { ...page, 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' },
      403,
    ],
    ['data that the user asks for', 'GET /__admin/clock/now', { ...page, 'sec-fetch-site': 'none' }, 200],
    ['the page itself', 'GET /__admin/clock/now', { 'sec-fetch-site': 'same-origin' }, 200],
    ['an unknown kind of site', 'GET /__admin/clock/now', { 'sec-fetch-site': 'elsewhere' }, 403],
  ])('without an origin is judged by its site: %s', async (_title, line, headers, status) => {
    expect((await send(open, { line, headers }))?.status).toBe(status);
    expect(await open.sessions.list()).not.toContain('new');
  });

  // So a proxy that passes only /v1/ is enough protection.
  test.each([
    '/v1/../__admin/state',
    '/v1/%2e%2e/__admin/state',
    '/v1/%2E./__admin/state',
    '/v1/.%2e/%5f_admin/state',
    '/v1/x/..\\..\\__admin/state',
    '/v1/x;/../../__admin/state',
    '/v1/../sessions/a/__admin/state',
    '/v1/../__admin/events',
    '/v1/../__admin/',
    '/v1/../openapi.json',
    '/v1/../metrics',
    'http://127.0.0.1/v1/../__admin/state',
    '/v1#/../../__admin/state',
    '//__admin/state',
    '/v1//__admin/state',
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

  test.each([undefined, 'Bearer ', 'Bearer letmeiN', 'Bearer letmein2', 'letmein', 'Basic letmein'])(
    'with the token %j is refused',
    async (authorization) => {
      const reply = await send(guarded, { headers: { authorization } });
      expect(reply?.status).toBe(401);
      expect(reply?.text).not.toContain('letmein');
    },
  );

  test('is served with the token', async () => {
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
    ['a path that goes on', { line: 'GET /__admin/clock/now/' }, 404, 'Did you mean /__admin/clock/now'],
    ['a path of an object', { line: 'GET /__admin/__proto__' }, 404, 'Unknown path'],
    [
      'another method',
      { line: 'PUT /__admin/clock/set' },
      405,
      'only POST. An example: POST /__admin/clock/set {"now":"2026-01-15T13:00:00Z"}',
    ],
    ['a GET that would change something', { line: 'GET /__admin/reset' }, 405, 'only POST'],
    ['a broken percent-encoding', { line: 'GET /__admin/records/runs/%zz' }, 404, 'Unknown path'],
    [
      'an unknown kind of record',
      { line: 'GET /__admin/records/run/list' },
      404,
      'Did you mean /__admin/records/runs/list?',
    ],
    [
      'a bad name of a session',
      { line: 'GET /sessions/a%20b/__admin/clock/now' },
      400,
      'Invalid session name',
    ],
    [
      'no JSON',
      { line: 'POST /__admin/clock/set', headers: json, body: '{' },
      400,
      "Failed to call clock.set: The body is not valid JSON: it starts with '{'. An example: POST /__admin/clock/set {",
    ],
    [
      'no object',
      { line: 'POST /__admin/clock/set', headers: json, body: '1' },
      400,
      'must be a JSON object, but it is a number. An example: POST',
    ],
    [
      'no UTF-8',
      { line: 'POST /__admin/clock/set', headers: { ...json, 'content-length': '1' }, body: '\xff' },
      400,
      '',
    ],
    [
      'no content type',
      { line: 'POST /__admin/clock/set', body: '{"now":1}' },
      415,
      "the content type is missing: send 'application/json'. An example: POST",
    ],
    [
      'a form',
      { line: 'POST /__admin/clock/set', headers: { 'content-type': 'text/plain' }, body: '{}' },
      415,
      'text/plain',
    ],
    [
      'a query instead of a body',
      { line: 'POST /__admin/clock/advance?by=1h' },
      400,
      'does not take a query, only a JSON body. An example: POST',
    ],
    ['a missing field', { line: 'POST /__admin/clock/set', headers: json, body: '{}' }, 400, 'now: '],
    [
      'an unknown field',
      { line: 'POST /__admin/clock/advance', headers: json, body: '{"duration":1,"by":2}' },
      400,
      'duration: unknown key. Use one of: by. An example: POST /__admin/clock/advance {"by":"10m"}',
    ],
    [
      'an unknown filter',
      { line: 'GET /__admin/requests/list?operatoin=listRuns' },
      400,
      'Did you mean "operation"? An example: GET /__admin/requests/list?operation=listRuns&',
    ],
    [
      'a filter that is given twice',
      { line: 'GET /__admin/requests/list?path=a&path=b' },
      400,
      'A parameter is given twice in the query "?path=a&path=b".',
    ],
    [
      'a filter of another type',
      { line: 'GET /__admin/requests/list?unmatched=maybe' },
      400,
      'expected a boolean',
    ],
    ['a filter with a reserved name', { line: 'GET /__admin/requests/list?__proto__=1' }, 400, '__proto__'],
    [
      'a broken fault',
      { line: 'POST /__admin/faults/add', headers: json, body: '{"faults":["listRuns: resett"]}' },
      400,
      'Did you mean "reset"?',
    ],
    [
      'a broken scenario',
      { line: 'POST /__admin/scenario/load', headers: json, body: '{"scenario":{"batches":-1}}' },
      400,
      'batches',
    ],
    [
      'a deep body',
      {
        line: 'POST /__admin/state/import',
        headers: json,
        body: `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
      },
      400,
      'is nested too deeply',
    ],
  ])('%s is reported', async (_title, sent, status, said) => {
    const reply = await send(open, sent);
    expect(reply?.status).toBe(status);
    expect(reply?.header('content-type')).toBe('application/json');
    expect(JSON.parse(reply?.text ?? '').error.message).toContain(said);
  });

  test('a body beyond the limit is refused', async () => {
    const body = `{"seed":1,"description":"${'x'.repeat(10_000_001)}"}`;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${open.adminUrl}/state/import`, { method: 'POST', headers: json }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.end(body);
    });
    expect(status).toBe(413);
  });

  test('after all of that the server still serves', async () => {
    expect(await (await fetch(`${open.adminUrl}/health`)).json()).toMatchObject({
      status: 'ok',
      scenario: 'default',
    });
  });
});
