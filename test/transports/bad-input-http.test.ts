// Bytes on a socket of the server: odd calls, invalid ones, and what is no request at all.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayServer, startServer } from '../../src/server.ts';
import {
  exchange,
  expectRefusal,
  openSocket,
  readReplies,
  toBytes,
  toFramedRender,
  toRender,
} from '../support/raw-http.ts';
import { keys } from '../support/transports.ts';

const batches = '/v1/batches?limit=1';
const get = (target: string, headers: Record<string, string> = {}): string =>
  toBytes(`GET ${target} HTTP/1.1`, headers);
const chunked = (body: string): string => toFramedRender({ 'Transfer-Encoding': 'chunked' }, body);
const good = '{"variables": {}}';

/** Bytes that contain an ordinary call, however odd they are. */
const served: readonly (readonly [title: string, bytes: string])[] = [
  ...['a b<>', '', '[::1', '\xff', 'x, y'].map(
    (host) => [`the Host '${host}'`, get(batches, { Host: host })] as const,
  ),
  ['no Host', get(batches).replace('Host: x\r\n', '')],
  ['two Hosts', get(batches).replace('Host: x', 'Host: x\r\nHost: <y>')],
  ['an absolute target with capitals', get(`HTTP://X:1${batches}`)],
  ['an absolute target with a password', get(`http://user:secret@x${batches}`)],
  ['a fragment', get(`${batches}#/../x`)],
  ['HTTP/1.0 without a Host', toBytes(`GET ${batches} HTTP/1.0`).replace('Host: x\r\n', '')],
  ['an upgrade that nobody offers', get(batches, { Connection: 'Upgrade', Upgrade: 'websocket' })],
  ['a body where none is taken', `${get(batches, { 'Content-Length': '5' })}GET /`],
  ['a render with a request to bypass MSW', toRender(good, { Accept: 'msw/passthrough' })],
  ['a render in chunks', chunked(`a\r\n${good.slice(0, 10)}\r\n7\r\n${good.slice(10)}\r\n0\r\n\r\n`)],
  ['a render that expects 100', toRender(good, { Expect: '100-continue' })],
  ['a render that expects something else', toRender(good, { Expect: 'something-else' })],
  ['invalid cookies', get(batches, { Cookie: '=; ;;__proto__=1; %zz=%zz; a="\xff' })],
  [
    'header bytes beyond ASCII',
    get(batches, { 'x-gateway-trace-id': '\xe9', Origin: '\xe9', 'x-\x7e': '\xff' }),
  ],
];

/** Bytes that contain a call which is refused. */
const refused: readonly (readonly [title: string, bytes: string, status: number])[] = [
  [
    'a render that asks before it sends a body above the limit',
    toBytes('POST /v1/prompts/prompt_welcome/render HTTP/1.1', {
      Expect: '100-continue',
      'Content-Length': '20000000',
    }),
    413,
  ],
  ['the target //x/v1/batches', get('//x/v1/batches'), 404],
  ['a target with a password behind a backslash', get('/\\user:secret@x/v1/batches'), 404],
  ['dots in the path', get(`/x/../v1/./${batches.slice(4)}`), 404],
  ['an absolute target with a broken host', get('http://[/v1/batches'), 404],
  ['a limit of bytes beyond ASCII', get('/v1/batches?limit=\xd9\xa3'), 400],
  ['OPTIONS *', toBytes('OPTIONS * HTTP/1.1'), 404],
  ['a line without a version, which has no headers either', `GET ${batches}\r\n\r\n`, 401],
  ['TRACE', toBytes(`TRACE ${batches} HTTP/1.1`), 405],
  ['an empty body in chunks', chunked('0\r\n\r\n'), 400],
];

/** Bytes that contain no request at all. */
const garbage: readonly (readonly [title: string, bytes: string | Uint8Array, status: number])[] = [
  ['an unknown method', toBytes(`FETCH ${batches} HTTP/1.1`), 400],
  ['a target without a slash', get('v1/batches'), 400],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['a TLS greeting', Uint8Array.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 0, 0]), 400],
  ['a length beside chunks', toRender(good, { 'Transfer-Encoding': 'chunked' }), 400],
  ['an unknown transfer encoding', toFramedRender({ 'Transfer-Encoding': 'gzip' }, good), 400],
  ['a chunk longer than its size', chunked('1\r\n{}\r\n0\r\n\r\n'), 400],
  ['more than the given length', toRender(good, { 'content-length': '9' }), 400],
  ['a header of 20 KB', get(batches, { 'x-long': 'x'.repeat(20_000) }), 431],
];

describe.each([
  ['the direct way', 'direct'],
  ['through MSW', 'msw'],
] as const)('bytes on a socket of the server (%s)', (_way, transport) => {
  let server: GatewayServer;
  beforeAll(async () => {
    server = await startServer({ transport });
  });
  afterAll(() => server.close());
  afterEach(async () => {
    expect((await fetch(`${server.url}${batches}`, { headers: keys })).status).toBe(200);
  });

  const bytesOf = (bytes: string | Uint8Array) =>
    typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;

  test.each(served)('a call is served whatever surrounds it: %s', async (_title, bytes) => {
    const [reply] = await exchange(server.url, bytesOf(bytes));
    expect([reply?.status, reply?.header('content-type')], reply?.text).toEqual([200, 'application/json']);
    expect(JSON.parse(reply?.text ?? '')).toHaveProperty('data');
  });

  test.each(refused)('an invalid call is refused: %s', async (_title, bytes, status) => {
    const [reply] = await exchange(server.url, bytesOf(bytes));
    expectRefusal(reply, status);
    if (status === 405) expect(reply?.header('allow')).toContain('GET');
  });

  test.each(garbage)(
    'what is no request is refused, and the connection ends: %s',
    async (_title, bytes, status) => {
      const replies = await exchange(server.url, bytesOf(bytes), { count: 9 });
      expect(replies).toHaveLength(1);
      expectRefusal(replies[0], status);
    },
  );

  test('headers of 20 KB on a connection that was used get 431, too', async () => {
    const tooLarge = get(batches, { 'x-long': 'x'.repeat(20_000) });
    const socket = await openSocket(server.url);
    for (const [bytes, status] of [
      [get(batches), 200],
      [tooLarge, 431],
    ] as const) {
      const replies = readReplies(socket);
      socket.write(bytes);
      expect((await replies)[0]?.status).toBe(status);
    }
    socket.destroy();
  });

  test('a body of 11 MB is refused by 413, and read to its end: the next call of the connection is served', async () => {
    const body = 'x'.repeat(11_000_000);
    for (const bytes of [toRender(body), chunked(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)]) {
      const [refusal, next] = await exchange(server.url, bytes + get(batches), { count: 2 });
      expectRefusal(refusal, 413);
      expect(next?.status).toBe(200);
    }
  });

  test('pipelined calls are answered in their order, however many there are', async () => {
    const calls = [get(batches), toRender(good), get('/v1/x'), toRender('{'), get(batches).repeat(200)];
    const statuses = (await exchange(server.url, calls.join(''), { count: 204 })).map(({ status }) => status);
    expect([statuses.slice(0, 4), statuses.length]).toEqual([[200, 200, 404, 400], 204]);
  });
});
