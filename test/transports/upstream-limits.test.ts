// What a forwarded call leaves behind, and what happens if the other server or the client fails.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AnsweredCall } from '../../src/server.ts';
import { openServer } from '../support/open-gateway.ts';
import { openBoth, ways } from '../support/other-server.ts';
import { exchange, openSocket, toBytes } from '../support/raw-http.ts';
import { keys } from '../support/transports.ts';

const token = 'q7XkP2mZ9vTb4LwN8sYd3RfH6jGc1AeU';

/** Every kind of credential, and what is none. */
const sent = {
  ...keys,
  authorization: 'Bearer secret',
  'proxy-authorization': 'Basic secret',
  cookie: 'sid=secret',
  'api-key': 'secret',
  'x-api-key': 'secret',
  'x-own': 'secret',
  'x-empty-token': '',
  'x-any-token': token,
  referer: 'https://app.test/?access_token=secret&a=1',
  'x-mock-session': 'mine',
  'x-mock-of-another': 'yes',
  connection: 'close, X-Hop',
  'x-hop': 'here alone',
  te: 'trailers',
  'content-type': 'application/json',
  'x-kept': 'kept',
};

/** Sent by a socket, since `fetch` keeps some of these headers back. */
const callWith = async (url: string, query = ''): Promise<void> => {
  const socket = await openSocket(url);
  const ended = new Promise((resolve) => socket.once('end', resolve));
  socket.resume();
  socket.write(toBytes(`GET /v1/models${query} HTTP/1.1`, sent));
  await ended;
  socket.destroy();
};

describe('credentials', () => {
  test('are left out, with everything that belongs to one connection or to the mock', async () => {
    const { server, other, arrived } = await openBoth(undefined, { mask: ['X-Own'] });
    await callWith(
      server.url,
      `?a=1&after=${token}&api_key=secret&x%2Down=secret&b=%20&user[token]=secret&next=%2Fa%3Ftoken%3Dsecret`,
    );
    expect(arrived[0]?.url).toBe(`/v1/models?a=1&after=${token}&b=%20`);
    expect(arrived[0]?.headers).toEqual({
      host: new URL(other).host,
      connection: 'close',
      via: '1.1 gateway-mock',
      'content-type': 'application/json',
      'x-kept': 'kept',
    });
  });

  test('are forwarded if that is asked for', async () => {
    const { server, arrived } = await openBoth(undefined, { upstreamCredentials: true });
    await callWith(server.url, '?api_key=secret');
    expect(arrived[0]?.url).toBe('/v1/models?api_key=secret');
    expect(arrived[0]?.headers).toMatchObject({
      ...keys,
      authorization: 'Bearer secret',
      cookie: 'sid=secret',
      'x-any-token': token,
    });
    for (const name of ['x-hop', 'te', 'proxy-authorization', 'x-mock-session', 'x-mock-of-another'])
      expect(arrived[0]?.headers).not.toHaveProperty(name);
  });

  test.each([
    [false, null],
    [true, 'sid=1'],
  ])('cookies come back only if they are forwarded (%s)', async (upstreamCredentials, cookie) => {
    const answer = (response: ServerResponse) => response.writeHead(200, { 'set-cookie': 'sid=1' }).end();
    const { server } = await openBoth(answer, { upstreamCredentials });
    const reply = await fetch(`${server.baseUrl}/models`, { headers: keys });
    expect(reply.headers.get('set-cookie')).toBe(cookie);
  });
});

test('the body of a GET is forwarded as its body, not as another request', async () => {
  const { server, arrived } = await openBoth();
  const body = 'GET /v1/smuggled HTTP/1.1\r\nhost: x\r\n\r\n';
  const call = toBytes('GET /v1/models HTTP/1.1', { ...keys, 'content-length': `${body.length}` });
  const [reply] = await exchange(server.url, call + body);
  expect(reply?.status).toBe(200);
  expect(arrived).toMatchObject([{ method: 'GET', url: '/v1/models', body }]);
});

test('a server that is not there: 502, with its URL and the way out', async () => {
  const upstream = 'http://127.0.0.1:1'; // nothing listens there
  const server = await openServer({ upstream });
  const init = { method: 'POST', headers: keys, body: '{}' };
  const reply = await fetch(`${server.baseUrl}/chat/completions`, init);
  expect([reply.status, reply.headers.get('cache-control')]).toEqual([502, 'no-store']);
  const { error } = await reply.json();
  expect(error).toMatchObject({ type: 'server_error', param: null, code: null });
  expect(error.message).toMatch(
    `Failed to forward POST /v1/chat/completions to ${upstream}/v1: connect ECONNREFUSED`,
  );
  expect(error.message).toContain('Start that server, correct its URL (--upstream), or make');
  expect(await server.requests.list()).toMatchObject([
    {
      status: 502,
      upstream: `${upstream}/v1`,
      assumptions: ['error-body'],
      reply: { body: expect.stringContaining('ECONNREFUSED') },
    },
  ]);
});

test('a server that takes too long: 504, and its call is ended', async () => {
  const ended = vi.fn();
  const { server, arrived } = await openBoth((response) => void response.once('close', ended), {
    upstreamTimeout: 300,
  });
  const reply = await fetch(`${server.baseUrl}/models`, { headers: keys });
  expect(reply.status).toBe(504);
  expect((await reply.json()).message).toContain('its reply did not begin within 0.3 seconds');
  // On a busy machine the time may be over before the call has arrived.
  await expect.poll(() => ended.mock.calls.length).toBe(arrived.length);
});

test('a server that closes ends the calls that are under way', async () => {
  const ended = vi.fn();
  const { server, arrived } = await openBoth((response) => void response.once('close', ended));
  const calling = fetch(`${server.baseUrl}/models`, { headers: keys });
  calling.catch(() => {});
  await expect.poll(() => arrived).toHaveLength(1);
  await server.close();
  await expect(calling).rejects.toThrow();
  await expect.poll(() => ended).toHaveBeenCalled();
});

describe.each(ways)('%s', (_way, options) => {
  test.each([
    ['before', null],
    ['after', 200],
  ])('a client that leaves %s the reply began ends the call to the other server', async (_when, status) => {
    const ended = vi.fn();
    const calls: AnsweredCall[] = [];
    const { server, arrived } = await openBoth(
      (response) => {
        response.once('close', ended);
        if (status !== null) response.write('data: 1\n\n');
      },
      { ...options, onCall: (call) => calls.push(call) },
    );
    const leave = new AbortController();
    const calling = fetch(`${server.baseUrl}/models`, { headers: keys, signal: leave.signal });
    calling.catch(() => {});
    await expect.poll(() => arrived).toHaveLength(1);
    if (status !== null) await calling;
    leave.abort();
    await expect.poll(() => ended).toHaveBeenCalled();
    await expect.poll(() => calls).toMatchObject([{ status, upstream: expect.any(String) }]);
    expect(await server.requests.list()).toMatchObject([{ status, duration: expect.any(Number) }]);
  });

  test('a server that breaks off in its reply breaks off the reply to the client', async () => {
    const { server } = await openBoth((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    }, options);
    const reply = await fetch(`${server.baseUrl}/models`, { headers: keys });
    await expect(reply.text()).rejects.toThrow('terminated');
  });
});

test.each([
  ['HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n', 502, 'must be in the range of 200 to 599'],
  ['', 502, 'socket hang up'],
  [
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    504,
    'did not begin',
    100,
  ],
])('%j is no reply: %i', async (bytes, status, reason, upstreamTimeout = 60_000) => {
  const other = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo; // it listens on a port
  const server = await openServer({ upstream: `http://127.0.0.1:${port}`, upstreamTimeout });
  const reply = await fetch(`${server.baseUrl}/models`, { headers: keys });
  expect([reply.status, (await reply.json()).message]).toEqual([status, expect.stringContaining(reason)]);
});
