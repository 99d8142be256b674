// The files of the page at /__admin/, as a server hands them out.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatewayServer, startServer } from '../../src/server.ts';
import { openSocket, readReplies } from '../support/raw-http.ts';

let server: GatewayServer;
beforeAll(async () => {
  server = await startServer({ adminToken: 'letmein' });
});
afterAll(() => server.close());

const files = ['/__admin/', '/__admin/inspector.js', '/__admin/inspector.css', '/__admin/events-worker.js'];

test.each(files)(
  '%s is there for whoever asks, without the token, and runs nothing but its own',
  async (path) => {
    const reply = await fetch(server.url + path);
    expect(reply.status).toBe(200);
    const policy = reply.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await fetch(server.url + path, { method: 'HEAD' })).status).toBe(200);
    expect(await (await fetch(server.url + path)).text()).not.toMatch(/(?:src|href)="https?:/);
  },
);

test('each session has its page, and /__admin leads there', async () => {
  const reply = await fetch(`${server.url}/sessions/checkout/__admin`);
  expect(reply.url).toBe(`${server.url}/sessions/checkout/__admin/`);
  expect(await reply.text()).toContain('inspector.js');
});

test.each(files)("%s is not served to a host name that is not this machine's", async (path) => {
  const socket = await openSocket(server.url);
  const replies = readReplies(socket);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: evil.example\r\n\r\n`);
  expect((await replies)[0]?.status).toBe(403);
  socket.destroy();
});

test('script and style are under 60 KB, gzipped', async () => {
  const sizes = await Promise.all(
    files.slice(1).map(async (path) => gzipSync(await (await fetch(server.url + path)).text()).byteLength),
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60_000);
});
