// The files of the page at /__admin/, as a server hands them out.
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { files as page } from 'virtual:control-room';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatewayServer, startServer } from '../../src/server.ts';
import { exchange } from '../support/raw-http.ts';

let server: GatewayServer;
beforeAll(async () => {
  server = await startServer({ adminToken: 'letmein' });
});
afterAll(() => server.close());

const toPath = (file: string): string => `/__admin/${file.replace('index.html', '')}`;
const files = Object.keys(page).map(toPath);

/** What is loaded first; a panel is loaded when it is opened. */
const first = ['', ...(page['index.html'] ?? '').matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(
  (found) => toPath(found === '' ? '' : (found[1] ?? '')),
);

test('each file is there for whoever asks, without the token, and runs nothing but its own', async () => {
  for (const path of files) {
    const reply = await fetch(server.url + path, { headers: { accept: 'text/html' } });
    expect([path, reply.status]).toEqual([path, 200]);
    const policy = reply.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.replace("style-src 'self' 'unsafe-inline'", '')).not.toContain('unsafe');
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    const isAsset = path.includes('/assets/'); // its name changes with what is in it
    expect(reply.headers.get('cache-control')).toContain(isAsset ? 'immutable' : 'no-cache');
    expect(await reply.text()).not.toMatch(/<(?:script|link)[^>]*(?:src|href)="https?:/);
  }
});

test('each session has its page, and /__admin leads there', async () => {
  const reply = await fetch(`${server.url}/sessions/checkout/__admin`, {
    headers: { accept: 'text/html' },
  });
  expect(reply.url).toBe(`${server.url}/sessions/checkout/__admin/`);
  expect(await reply.text()).toContain('assets/index');
});

test("a file is not served to a host name that is not this machine's", async () => {
  for (const path of first) {
    const [reply] = await exchange(server.url, `GET ${path} HTTP/1.1\r\nhost: evil.example\r\n\r\n`);
    expect(reply?.status).toBe(403);
  }
});

/** A file as it is sent, which `fetch` would decompress. */
const readRaw = async (path: string, accepted?: string, method = 'GET') => {
  const headers = { accept: 'text/html', ...(accepted !== undefined && { 'accept-encoding': accepted }) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(server.url + path, { method, headers }, resolve)
      .on('error', reject)
      .end();
  });
  return { headers: response.headers, body: await buffer(response) };
};

test.each([
  ['br;q=0.5, GZIP;Q=0.1', 'gzip'],
  [undefined, undefined],
  ['gzip;q=0.0, br', undefined],
])('a client that accepts %j gets %s', async (accepted, encoding) => {
  for (const path of first) {
    const plain = await readRaw(path);
    const { headers, body } = await readRaw(path, accepted);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toBe('accept-encoding');
    expect(headers['content-length']).toBe(String(body.byteLength));
    const text = encoding === 'gzip' ? gunzipSync(body) : body;
    expect(text.equals(plain.body)).toBe(true);
    const head = await readRaw(path, accepted, 'HEAD');
    const { date: _, ...rest } = headers;
    expect(head.headers).toMatchObject(rest);
    expect(head.body.byteLength).toBe(0);
  }
});

const sizeOf = async (paths: readonly string[]): Promise<number> => {
  const sizes = await Promise.all(paths.map(async (path) => (await readRaw(path, 'gzip')).body.byteLength));
  return sizes.reduce((sum, size) => sum + size);
};

test('the page as it is first loaded is under 300 kB as it is sent, and with all its panels under 500 kB', async () => {
  expect(await sizeOf(first)).toBeLessThan(300_000);
  expect(await sizeOf(files)).toBeLessThan(500_000);
});
