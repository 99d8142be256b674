// Calls that no operation serves go to another server (`upstream`), and its replies come back.
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { startServer } from '../../src/server.ts';
import { startTestServer } from '../../src/tools/test-gateway/test-server.ts';
import { openServer } from '../support/open-gateway.ts';
import { openBoth, openOther, ways } from '../support/other-server.ts';
import { exchange, toBytes } from '../support/raw-http.ts';
import { keys } from '../support/transports.ts';

const chat = {
  method: 'POST',
  body: '{"model":"m"}',
  headers: { ...keys, 'content-type': 'application/json' },
};

describe.each(ways)('%s', (_way, options) => {
  test('a call that no operation serves is answered by the other server, and marked', async () => {
    const { server, other, arrived } = await openBoth((response) => {
      response.writeHead(201, { 'content-type': 'text/plain', 'x-theirs': 'a' }).end('made');
    }, options);
    const reply = await fetch(`${server.baseUrl}/chat/completions?a=1&b=%20`, chat);
    expect([reply.status, await reply.text()]).toEqual([201, 'made']);
    expect(reply.headers.get('x-mock-upstream')).toBe(`${other}/v1`);
    expect(reply.headers.get('x-request-id')).toMatch(/^req_/);
    expect([reply.headers.get('content-type'), reply.headers.get('x-theirs')]).toEqual(['text/plain', 'a']);
    expect(reply.headers.get('x-mock-assumptions')).toBeNull();
    expect(arrived).toMatchObject([
      { method: 'POST', url: '/v1/chat/completions?a=1&b=%20', body: '{"model":"m"}' },
    ]);
    expect(arrived[0]?.headers.host).toBe(new URL(other).host);
  });

  test('what an operation serves, it answers itself: without keys, and with a fault, too', async () => {
    const { server, arrived } = await openBoth(undefined, { ...options, faults: ['listBatches#2: 503'] });
    const statusOf = async (path: string, init: RequestInit = { headers: keys }) =>
      (await fetch(server.baseUrl + path, init)).status;
    expect(await statusOf('/batches')).toBe(200);
    expect(await statusOf('/batches')).toBe(503);
    expect(await statusOf('/batches', {})).toBe(401);
    expect(await statusOf('/batches', { method: 'OPTIONS', headers: keys })).toBe(204);
    expect(await statusOf('/threads/thread_none/runs')).toBe(404);
    expect(arrived).toEqual([]);
    expect(await statusOf('/batches', { method: 'POST', headers: keys })).toBe(200); // listBatches is a GET
    expect(arrived).toMatchObject([{ method: 'POST', url: '/v1/batches' }]);
  });

  test('a stream of events arrives event by event, and its head before them', async () => {
    let send: (text: string) => unknown = () => {};
    const { server } = await openBoth((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      send = (text) => (text === '' ? response.end() : response.write(text));
    }, options);
    const reply = await fetch(`${server.baseUrl}/chat/completions`, chat);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const reader = reply.body?.getReader();
    const read = async () => new TextDecoder().decode((await reader?.read())?.value);
    for (const event of ['data: 1\n\n', 'data: [DONE]\n\n']) {
      send(event);
      expect(await read()).toBe(event);
      expect(await server.requests.list()).toMatchObject([
        { outcome: 'pending', status: null, duration: null },
      ]);
    }
    send('');
    expect((await reader?.read())?.done).toBe(true);
  });
});

test('header values beyond ASCII are passed on as they are, and those of the connection are not', async () => {
  const { server } = await openBoth((response) => {
    response.socket?.end(
      'HTTP/1.1 200 OK\r\nx-name: Z\xfcrich\r\ntrailer: x\r\ncontent-length: 2\r\n\r\n{}',
      'latin1',
    );
  });
  const [reply] = await exchange(
    server.url,
    toBytes('GET /v1/models HTTP/1.1', { ...keys, host: 'x', connection: 'close' }),
  );
  expect([reply?.status, reply?.header('x-name'), reply?.header('trailer')]).toEqual([200, 'Zürich', null]);
});

test('a redirect is passed back as it is, and not followed', async () => {
  const { server, arrived } = await openBoth((response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:1/elsewhere' }).end(),
  );
  const reply = await fetch(`${server.baseUrl}/models`, { headers: keys, redirect: 'manual' });
  expect([reply.status, reply.headers.get('location')]).toEqual([307, 'http://127.0.0.1:1/elsewhere']);
  expect(arrived).toHaveLength(1);
});

test('a compressed body keeps its bytes, and HEAD has no body', async () => {
  const bytes = Buffer.from([31, 139, 8, 0, 1, 2, 3]);
  const { server, arrived } = await openBoth((response) =>
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bytes.length }).end(bytes),
  );
  const got = await new Promise<Buffer[]>((resolve) => {
    request(`${server.baseUrl}/files/a`, { headers: keys }, (reply) => {
      reply.toArray().then(resolve);
    }).end();
  });
  expect(Buffer.concat(got)).toEqual(bytes);
  const head = await fetch(`${server.baseUrl}/files/a`, { method: 'HEAD', headers: keys });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '7']);
  expect(arrived.map(({ method }) => method)).toEqual(['GET', 'HEAD']);
});

test.each([
  ['', '/v1/models'],
  ['/v1/', '/v1/models'],
  ['/openai', '/openai/models'],
])('what stands behind /v1 is asked for below the given URL (%j)', async (path, expected) => {
  const { url, arrived } = await openOther();
  const server = await openServer({ upstream: url + path });
  await fetch(`${server.url}/sessions/mine/v1/models`, { headers: keys });
  expect(arrived.map((one) => one.url)).toEqual([expected]);
});

test('a path outside of /v1 never leaves the gateway, and no path chooses another host', async () => {
  const { server, arrived } = await openBoth();
  for (const target of [
    '/',
    '/chat/completions',
    '/sessions/a/__admin/x',
    '//127.0.0.1:1/v1/models',
    '/v1/../__admin/state',
    '/v1/a/..%2f..%2f..%2fsecret',
    '/v1/a%2f..%2f..%2fsecret',
    '/v1/a/..%5c..%5csecret',
    '/v1/..;/secret',
    '/sessions/no%20name/v1/models',
    'http://127.0.0.1:1/v2/models',
  ]) {
    const [reply] = await exchange(server.url, toBytes(`GET ${target} HTTP/1.1`));
    expect([target, reply?.header('x-mock-upstream')]).toEqual([target, null]);
    expect(reply?.status).toBeGreaterThanOrEqual(400);
  }
  expect(arrived).toEqual([]);
  for (const target of ['http://127.0.0.1:1/v1/models', '/v1/@127.0.0.1:1/models'])
    await exchange(server.url, toBytes(`GET ${target} HTTP/1.1`));
  expect(arrived.map(({ url }) => url)).toEqual(['/v1/models', '/v1/@127.0.0.1:1/models']);
});

test('a call that comes from a mock goes no further, so two of them send nothing in circles', async () => {
  const first = await openOther();
  const server = await openServer({ upstream: first.url });
  const outer = await openServer({ upstream: server.url });
  const reply = await fetch(`${outer.baseUrl}/models`, { headers: keys });
  expect([reply.status, reply.headers.get('x-mock-upstream')]).toEqual([404, server.baseUrl]);
  expect(first.arrived).toEqual([]);
});

test('the call needs a key that the gateway accepts, and its body is bounded', async () => {
  const { server, arrived } = await openBoth(undefined, { apiKeys: ['right'] });
  const statusOf = async (key: string, body = '{}') => {
    const headers = { 'x-gateway-api-key': key };
    return (await fetch(`${server.baseUrl}/chat/completions`, { method: 'POST', headers, body })).status;
  };
  expect([await statusOf('wrong'), await statusOf('right')]).toEqual([401, 200]);
  expect(await statusOf('right', 'x'.repeat(10_000_001))).toBe(413);
  expect(arrived).toHaveLength(1);
});

describe('a web page', () => {
  const preflightOf = (origin: string): RequestInit => ({
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'DELETE' },
  });
  const askedBy = (url: string, origin: string) =>
    Promise.all([
      fetch(`${url}/files/a`, preflightOf(origin)),
      fetch(`${url}/files/a`, { method: 'DELETE', headers: { ...keys, origin } }),
    ]);
  const allowed = (replies: readonly Response[]) =>
    replies.map(({ headers }) => headers.get('access-control-allow-origin'));

  test.each(['http://localhost:5173', 'http://127.0.0.1:3000', 'https://app.localhost', 'http://[::1]:80'])(
    'of this machine, %s, may send any method and read the reply',
    async (origin) => {
      const { server, arrived } = await openBoth();
      const replies = await askedBy(server.baseUrl, origin);
      expect(allowed(replies)).toEqual([origin, origin]);
      const [preflight, reply] = replies;
      expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
        204,
        expect.stringContaining('DELETE'),
      ]);
      expect(reply.headers.get('access-control-expose-headers')).toContain('x-mock-upstream');
      expect(arrived.map(({ method }) => method)).toEqual(['DELETE']);
    },
  );

  test.each(['https://app.test', 'http://localhost.app.test', 'null'])(
    'of another origin, %s, cannot read the other server, but the operations',
    async (origin) => {
      const { server } = await openBoth();
      expect(allowed(await askedBy(server.baseUrl, origin))).toEqual([null, null]);
      const ours = await fetch(`${server.baseUrl}/batches`, { headers: { ...keys, origin } });
      const preflight = await fetch(`${server.baseUrl}/batches`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET' },
      });
      expect(allowed([ours, preflight])).toEqual([origin, origin]);
    },
  );

  test('of any origin may read it where the API keys are listed', async () => {
    const { server } = await openBoth(undefined, { apiKeys: [keys['x-gateway-api-key']] });
    const origin = 'https://app.test';
    expect(allowed(await askedBy(server.baseUrl, origin))).toEqual([origin, origin]);
  });

  test.each(['https://app.test', 'http://localhost:5173'])(
    'of %s gets what the other server itself allows, in place of ours',
    async (origin) => {
      const { server } = await openBoth((response) =>
        response.writeHead(200, { 'access-control-allow-origin': 'https://else.test' }).end('{}'),
      );
      const [, reply] = await askedBy(server.baseUrl, origin);
      expect(allowed([reply])).toEqual(['https://else.test']);
      expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
    },
  );
});

describe('the journal', () => {
  test('has the call with its status and the other server, in the session that it named', async () => {
    const { server, other } = await openBoth((response) => response.writeHead(202).end('{}'));
    await fetch(`${server.url}/sessions/mine/v1/chat/completions`, chat);
    const { requests } = connect(server.url, { session: 'mine' });
    expect(await requests.list()).toMatchObject([
      {
        path: '/v1/chat/completions',
        operation: null,
        status: 202,
        upstream: `${other}/v1`,
        nearest: null,
        body: chat.body,
        reply: { headers: { 'x-mock-session': 'mine' }, body: null },
      },
    ]);
    expect(await requests.count({ unmatched: true })).toBe(0);
    expect(await requests.count({ status: '2xx' })).toBe(1);
    expect(await requests.count({ headers: { 'x-gateway-api-key': '*' } })).toBe(1);
  });

  test('does not show what the other server sends as a credential', async () => {
    const secret = 'abcdefghijklmnop1234';
    const theirs = { 'set-cookie': `sid=${secret}`, 'x-auth-token': secret, location: `/a?token=${secret}` };
    const { server } = await openBoth((response) => response.writeHead(307, theirs).end(), {
      upstreamCredentials: true,
    });
    await fetch(`${server.baseUrl}/login`, { headers: keys, redirect: 'manual' });
    expect(JSON.stringify(await server.requests.list())).not.toContain(secret);
  });

  test('that is cleared while a call is under way does not get it afterwards', async () => {
    let answer = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { server } = await openBoth((response) => {
      answer();
      setTimeout(() => response.end('{}'), 50);
    });
    const calling = fetch(`${server.baseUrl}/models`, { headers: keys });
    await arrived;
    await server.reset();
    await calling;
    expect(await server.requests.list()).toEqual([]);
  });
});

test('the server of a test fails by what it would not pass on, and by nothing else', async () => {
  const { url } = await openOther();
  const { gateway, check, close } = await startTestServer({ upstream: url }, (option) => option);
  await fetch(`${gateway.baseUrl}/models`, { headers: gateway.headers });
  await check({ hasFailed: false });
  await close();
  const strict = await startTestServer({ upstream: url }, (option) => option);
  await fetch(`${strict.gateway.baseUrl.replace('/v1', '/v2')}/models`, { headers: gateway.headers });
  await expect(strict.check({ hasFailed: false })).rejects.toThrow('/v2/models');
  await strict.close();
});

test('it is a base URL without credentials, its options need one, and the timeout is a number', async () => {
  for (const upstream of ['x', 'http://user:secret-pass@a.test/v1', 'http://a.test/v1?key=secret-pass']) {
    const refusal: unknown = await startServer({ upstream }).catch(String);
    expect(refusal).toContain(
      'it must be the base URL of another server, such as "http://127.0.0.1:5000/v1"',
    );
    expect(refusal).not.toContain('secret-pass');
  }
  await expect(startServer({ upstreamCredentials: true })).rejects.toThrow('need "upstream"');
  await expect(startServer({ upstream: 'http://a.test', upstreamTimeout: 0 })).rejects.toThrow('but found 0');
});
