// The root of a server: a browser is led to the page, the error for any other client names where things are.

import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { ServerOptions } from '../../src/server.ts';
import { openServer } from '../support/open-gateway.ts';
import { exchange } from '../support/raw-http.ts';

const start = async (options: ServerOptions = {}) => {
  const server = await openServer(options);
  const ask = async (headers: Record<string, string>, line = 'GET /') => {
    const own = { host: new URL(server.url).host, connection: 'close' };
    const bytes = Object.entries({ ...own, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    return (await exchange(server.url, `${line} HTTP/1.1\r\n${bytes.join('')}\r\n`))[0];
  };
  return { server, ask };
};

const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

test.each(['direct', 'msw'] as const)(
  'a browser that opens it comes to the page (transport: %s)',
  async (transport) => {
    const { server } = await start({ transport, adminToken: 'letmein' });
    const reply = await fetch(server.url, { headers: { accept } });
    expect([reply.status, reply.url]).toEqual([200, `${server.url}/__admin/`]);
    expect(await reply.text()).toContain('assets/index');
    expect(await server.requests.count()).toBe(0);
  },
);

test.each([
  ['HEAD /', { accept, ...link }, 302],
  ['GET /', {}, 404],
  ['POST /', { accept }, 404],
  ['GET /', { accept, host: 'evil.example' }, 404],
  ['GET /', { accept, ...link, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }, 404],
])(
  '%s with %j is answered by %i: a redirect, or an error that names where things are',
  async (line, headers, status) => {
    const { ask } = await start();
    const reply = await ask(headers, line);
    expect(reply?.status).toBe(status);
    if (status === 302) expect(reply?.header('location')).toBe('__admin/');
    else
      expect(JSON.parse(reply?.text ?? '').error.message).toBe(
        'No operation has the path /: every path starts with /v1/. The control room and the admin API of a server are at /__admin/, its OpenAPI document is at /openapi.json.',
      );
  },
);

test('a handler of your own keeps the root', async () => {
  const { server } = await start({ handlers: [http.get('*/', () => HttpResponse.text('mine'))] });
  expect(await (await fetch(server.url, { headers: { accept } })).text()).toBe('mine');
});
