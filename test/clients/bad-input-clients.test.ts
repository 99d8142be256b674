// Clients that stop half way, that stay and say nothing, and that give up.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type GatewayServer, startServer } from '../../src/server.ts';
import {
  expectRefusal,
  openSocket,
  readReplies,
  toBytes,
  toFramedRender,
  toRawReply,
  toRender,
} from '../support/raw-http.ts';
import { volume } from '../support/settings.ts';
import { describeTransports, keys } from '../support/transports.ts';

const call = toBytes('GET /v1/batches HTTP/1.1');
const render = toRender('{"variables": {}}');
const isChunked = { 'Transfer-Encoding': 'chunked' };

/** What a client has sent when it stops, and the rest would be needed for a reply. */
const waits: readonly (readonly [title: string, sent: string])[] = [
  ['within the first line', 'GET /v1/ba'],
  ['within the body', render.slice(0, -5)],
  ['within a chunk', toFramedRender(isChunked, '5\r\n{"var')],
  ['within a body that nobody reads', toBytes('POST /v1/nowhere HTTP/1.1', { 'content-length': '9' }, 'x')],
];

const stops: typeof waits = [
  ['before the first byte', ''],
  ...waits,
  ['after the body', render],
  ['after many calls', call.repeat(100)],
];

/** Refused below HTTP, where the server itself has to end the connection. */
const refusedBytes = [
  'garbage\r\n\r\n',
  `${toBytes('CONNECT x:443 HTTP/1.1')}x`,
  toBytes('GET /v1/batches HTTP/1.1', { Expect: 'something' }),
  toBytes('GET /v1/batches HTTP/1.1', { 'x-long': 'x'.repeat(20_000) }),
  toFramedRender(isChunked, 'zz\r\n'),
];

const countSockets = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;

/** The sockets that other test files of this process have left open, such as those of a keep-alive pool. */
const socketsBefore = countSockets();

/** A second, in steps: what holds up this process holds up its timers too, and one long timer would not wait for the rest. */
const aSecond = async (): Promise<void> => {
  for (let step = 0; step < 100; step += 1) await sleep(10);
};

/** What `close()` promises: half a second for calls under way, then the end of every socket. */
const expectPromptClose = async (server: GatewayServer): Promise<void> => {
  const late = aSecond().then(() => 'not yet closed');
  expect(await Promise.race([server.close().then(() => 'closed'), late])).toBe('closed');
};

const expectServed = async ({ baseUrl }: GatewayServer): Promise<void> => {
  const response = await fetch(`${baseUrl}/batches?limit=1`, { headers: { ...keys, connection: 'close' } });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
};

describe.each([
  ['the direct way', 'direct'],
  ['through MSW', 'msw'],
] as const)('clients that stop half way (%s)', (_way, transport) => {
  let server: GatewayServer;
  /** One without patience. Where this process is held up, it refuses what came in time, too. */
  let hasty: GatewayServer;
  beforeAll(async () => {
    server = await startServer({ transport });
    hasty = await startServer({ transport, requestTimeout: 300 });
  });
  afterEach(() => expectServed(server));
  afterAll(async () => {
    await Promise.all([expectPromptClose(server), expectPromptClose(hasty)]);
    await vi.waitFor(() => expect(countSockets()).toBeLessThanOrEqual(socketsBefore), 100_000);
  });

  test.each(stops)('one that goes away leaves nothing behind: %s', async (_title, sent) => {
    for (const leave of ['destroy', 'resetAndDestroy'] as const) {
      const socket = await openSocket(server.url);
      const gone = new Promise((resolve) => socket.once('close', resolve));
      await new Promise((resolve) => socket.write(sent, resolve));
      socket[leave]();
      await gone;
      await expectServed(server);
    }
  });

  test.each(waits)('one that ends its side and listens gets 400: %s', async (_title, sent) => {
    const socket = await openSocket(server.url);
    const replies = readReplies(socket, { count: 9 });
    socket.end(sent);
    const [reply, ...more] = await replies;
    socket.destroy();
    // A reply that needs no body may come before the end is noticed.
    expectRefusal(reply, reply?.status === 404 ? 404 : 400);
    expect(more).toEqual([]);
  });

  test('those that stay and send no more get 408', async () => {
    await Promise.all(
      waits.map(async ([, sent]) => {
        const socket = await openSocket(hasty.url);
        const replies = readReplies(socket, { count: 9 });
        socket.write(sent);
        const [reply, ...more] = await replies;
        socket.destroy();
        expectRefusal(reply, reply?.status === 404 ? 404 : 408);
        expect(more).toEqual([]);
      }),
    );
  });

  test('the server closes in less than a second with clients that stay, wherever they have stopped', async () => {
    const closing = await startServer({ transport });
    const sockets = await Promise.all(
      [...stops.map(([, sent]) => sent), ...refusedBytes, ...Array<string>(volume(1000, 200)).fill('')].map(
        async (sent) => {
          const socket = await openSocket(closing.url);
          socket.resume().write(sent);
          return socket;
        },
      ),
    );
    await expectServed(closing);
    await expectPromptClose(closing);
    for (const socket of sockets) socket.destroy();
  });
});

describeTransports('clients that give up', {}, ({ call: send, getJson }) => {
  const headers = { ...keys, 'content-type': 'application/json' };

  test('aborted calls leave the next one alone', async () => {
    const body = JSON.stringify({ variables: { name: 'x'.repeat(volume(3_000_000, 200_000)) } });
    const calls = Array.from({ length: volume(10, 4) }, () => {
      const signal = AbortSignal.timeout(5);
      return send('/prompts/prompt_welcome/render', { method: 'POST', headers, body, signal }).then(
        toRawReply,
      );
    });
    for (const { status } of await Promise.allSettled(calls)) expect(status).toMatch(/fulfilled|rejected/);
    expect((await getJson('/batches?limit=1')).data).toHaveLength(1);
  });

  test('a body that its sender breaks off rejects the call and nothing else', async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"vari')),
      pull: (controller) => controller.error(new Error('broken off')),
    });
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
    const [sent] = await Promise.allSettled([send('/prompts/prompt_welcome/render', init).then(toRawReply)]);
    // In process there is no wire: the handler itself meets the broken stream.
    expect(sent.status === 'fulfilled' ? sent.value.status : 400).toBe(400);
    expect((await getJson('/batches?limit=1')).data).toHaveLength(1);
  });
});
