// What a server is started with, and how it holds its connections.

import { expect, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

test('a connection that nobody uses is kept for a minute: its client may stand at a breakpoint', async () => {
  const server = await openServer();
  const reply = await fetch(`${server.baseUrl}/batches`, { headers: keys });
  await reply.arrayBuffer();
  expect(reply.headers.get('keep-alive')).toMatch(/^timeout=60\b/);
});

test.each([-1, 0.5, 65_536, Number.NaN, '4010'])('%j is no port', async (port) => {
  await expect(startServer({ port: port as number })).rejects.toThrow(
    `The option "port" must be a whole number from 0 to 65535, but found ${typeof port === 'number' ? port : JSON.stringify(port)}.`,
  );
});

test('a taken port is named, with a way out', async () => {
  const server = await openServer();
  const port = Number(new URL(server.url).port);
  await expect(startServer({ port })).rejects.toMatchObject({
    message: `Failed to listen on port ${port} of 127.0.0.1: it is in use. Stop the other server, or choose another port: 0 (--port 0) picks a free one.`,
    code: 'EADDRINUSE',
  });
});

test('an address of another machine is named, with a way out', async () => {
  await expect(startServer({ host: '192.0.2.1' })).rejects.toMatchObject({
    message: expect.stringMatching(
      /^Failed to listen on "192\.0\.2\.1": .+\. Use an address of this machine: 127\.0\.0\.1 \(--host 127\.0\.0\.1\), or 0\.0\.0\.0 for all addresses\.$/,
    ),
    code: 'EADDRNOTAVAIL',
  });
});

test('without files there is nothing to watch', async () => {
  await expect(startServer({ watch: true })).rejects.toThrow('Failed to watch: there are no files.');
});

test('a wait that begins while the server closes ends with it', async () => {
  const server = await openServer();
  const closing = server.close();
  await expect(server.requests.wait({}, { timeout: 60_000 })).rejects.toThrow('the server was closed');
  await closing;
});
