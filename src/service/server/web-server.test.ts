import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, test } from 'vitest';
import { createWebServer, listen } from './web-server.ts';

/** A server without a socket; only these methods are called. */
const fakeServer = (methods: object): Server =>
  Object.assign(new EventEmitter(), methods) as unknown as Server;

test('bounds the time that a request and a silent connection may take', async () => {
  const { server } = await createWebServer(1234, undefined, () => {});
  expect(server).toMatchObject({
    requestTimeout: 1234,
    headersTimeout: 1234,
    keepAliveTimeout: 60_000,
  });
});

const noAddress =
  'Failed to listen on "h": the system\'s. Use an address of this machine: 127.0.0.1 (--host 127.0.0.1), or 0.0.0.0 for all addresses.';

test.each([
  [
    'EADDRINUSE',
    'Failed to listen on port 80 of h: it is in use. Stop the other server, or choose another port: 0 (--port 0) picks a free port.',
  ],
  [
    'EACCES',
    'Failed to listen on port 80: permission denied. Choose a port above 1023, or 0 (--port 0) for a free one.',
  ],
  ['ENOTFOUND', noAddress],
])('explains why it cannot listen (%s)', async (code, message) => {
  const cause = Object.assign(new Error("the system's"), { code });
  const server = fakeServer({ listen: () => server.emit('error', cause) });
  const error = await listen(server, 80, 'h').catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message, code, cause });
});

test('an IPv6 address may be in brackets, as in URLs', async () => {
  const hosts: unknown[] = [];
  const server = fakeServer({
    listen: (_port: number, host: string, done: () => void) => {
      hosts.push(host);
      done();
    },
    address: () => ({ port: 1 }),
  });
  await listen(server, 0, '[::1]');
  expect(hosts).toEqual(['::1']);
});
