// Replies that nobody reads have one bound for the whole process.
import { ServerResponse } from 'node:http';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ServerOptions } from '../../src/server.ts';
import { longestPause, maxReplyRoom, takeReplyRoom } from '../../src/transports/reply-room.ts';
import { hasOpenssl, makeCertificate } from '../support/certificate.ts';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

const open = async (size: number, options: ServerOptions = {}) => {
  const server = await openServer(options);
  const messages = [{ role: 'user', content: 'x'.repeat(size) }];
  const versions = [{ version: 1, messages, parameters: {}, labels: [] }];
  await server.records.prompts.create({ id: 'large', versions });
  return server;
};

/** Takes room as a reply does that its client does not read. Returns what ends it; undefined if there is no room. */
const takeRoom = (size: number): (() => void) | undefined => {
  const ends: (() => void)[] = [];
  const response = {} as ServerResponse; // nothing of it is used
  takeReplyRoom(response, size, (_response, done) => ends.push(done));
  return ends[0];
};

/** Whether no reply takes room. */
const isRoom = () => {
  const end = takeRoom(maxReplyRoom);
  end?.();
  return end !== undefined;
};

test.each([
  ['an admin call', '/__admin/records/prompts/large', undefined],
  ['the state', '/__admin/state', undefined],
  ['the OpenAPI document', '/openapi.json', undefined],
  ['an operation', '/v1/prompts/large/render', '{"variables":{}}'],
])('a large reply is refused while too many are unread: %s', async (_name, path, body) => {
  const { url } = await open(100_000);
  const ask = (method = body === undefined ? 'GET' : 'POST') =>
    fetch(url + path, {
      method,
      headers: { ...keys, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    });
  const end = takeRoom(maxReplyRoom);
  const refused = await ask();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await refused.json()).error.message).toContain(`at most ${maxReplyRoom} bytes together`);
  expect((await fetch(`${url}/v1/batches?limit=1`, { headers: keys })).status).toBe(200); // it is small
  end?.();
  for (let asked = 0; asked < 2; asked += 1) expect((await ask()).status).toBe(200);
});

test('a reply takes room until it is read, or its client disconnects', async () => {
  const { url } = await open(9_000_000);
  const { port, host } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  socket.write(`GET /__admin/records/prompts/large HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  await expect.poll(isRoom).toBe(false);
  socket.destroy();
  await expect.poll(isRoom).toBe(true);
  await (await fetch(`${url}/__admin/records/prompts/large`)).text();
  await expect.poll(isRoom).toBe(true);
});

test.skipIf(!hasOpenssl('the test of unread replies over HTTP/2'))(
  'the streams of HTTP/2 take room, too, each until it is closed',
  async () => {
    const { cert, key } = makeCertificate();
    const { url } = await open(9_000_000, { tlsCert: cert, tlsKey: key });
    const session = connectHttp2(url, { ca: cert });
    onTestFinished(() => session.destroy());
    const ask = () => session.request({ ':path': '/__admin/records/prompts/large' });
    const statusOf = (stream: ReturnType<typeof ask>) =>
      new Promise((resolve) => stream.once('response', (headers) => resolve(headers[':status'])));
    const end = takeRoom(maxReplyRoom);
    expect(await statusOf(ask())).toBe(503);
    end?.();
    const unread = ask();
    expect(await statusOf(unread)).toBe(200);
    expect(isRoom()).toBe(false);
    unread.close(constants.NGHTTP2_CANCEL);
    await expect.poll(isRoom).toBe(true);
  },
);

test.each(['delay 1ms', 'drip 1ms', 'hang-up'])(
  'a client that does not read a large reply is disconnected, also with the fault %s',
  async (fault) => {
    const { url, faults } = await open(100_000);
    await faults.add(`renderPrompt: ${fault}`);
    const limit = vi.spyOn(ServerResponse.prototype, 'setTimeout');
    onTestFinished(() => limit.mockRestore());
    const headers = { ...keys, 'content-type': 'application/json' };
    const reply = await fetch(`${url}/v1/prompts/large/render`, {
      method: 'POST',
      headers,
      body: '{"variables":{}}',
    });
    await reply.text().catch(() => {});
    const limits = limit.mock.calls.map(([milliseconds]) => milliseconds);
    expect(limits.filter((milliseconds) => milliseconds >= longestPause)).toHaveLength(1);
  },
);

test.skipIf(!hasOpenssl('the test of slow bodies over HTTP/2'))(
  'a body over HTTP/2 that does not arrive in time is given up',
  async () => {
    const { cert, key } = makeCertificate();
    const { url } = await openServer({ tlsCert: cert, tlsKey: key, requestTimeout: 300 });
    const session = connectHttp2(url, { ca: cert });
    onTestFinished(() => session.destroy());
    const ask = (method: string) =>
      session.request({
        ...keys,
        ':method': method,
        ':path': '/v1/batches',
        'content-type': 'application/json',
      });
    const slow = ask('POST');
    slow.write('{');
    const waiting = ask('GET').resume();
    await new Promise((resolve) => slow.once('close', resolve));
    expect(slow.rstCode).toBe(constants.NGHTTP2_CANCEL);
    expect(waiting.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
  },
);
