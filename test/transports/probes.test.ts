// The health endpoints of a server, for load balancers and Kubernetes.
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openServer } from '../support/open-gateway.ts';
import { exchange } from '../support/raw-http.ts';

test.each(['direct', 'msw'] as const)(
  'answer any host, without a token or a session (transport: %s)',
  async (transport) => {
    const server = await openServer({ transport, adminToken: 't', requireSession: true, journal: 10 });
    for (const path of ['/healthz', '/readyz', '/readyz?verbose'])
      for (const method of ['GET', 'HEAD']) {
        const line = `${method} ${path} HTTP/1.1\r\nhost: 10.1.2.3:4010\r\nconnection: close\r\n\r\n`;
        const [reply] = await exchange(server.url, line, { isHead: method === 'HEAD' });
        expect([reply?.status, reply?.text]).toEqual([200, method === 'GET' ? '{"status":"ok"}' : '']);
        expect(reply?.header('x-mock-world')).toBeNull();
      }
    expect(await server.requests.count()).toBe(0);
  },
);

test('answer GET and HEAD alone, at their exact paths', async () => {
  const { url } = await openServer();
  expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${url}/healthz/x`)).status).toBe(404);
});

test('come before handlers of one’s own', async () => {
  const { url } = await openServer({ handlers: [http.all('*', () => HttpResponse.text('mine'))] });
  expect(await (await fetch(`${url}/readyz`)).text()).toBe('{"status":"ok"}');
  expect(await (await fetch(`${url}/other`)).text()).toBe('mine');
});
