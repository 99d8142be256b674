// The option `transport`: what serves the calls of a server. That both send the same bytes: equal-bytes.test.ts.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import { checkHttpMiddleware } from '../../src/core/transports/handler-middleware.ts';
import { startServer } from '../../src/server.ts';

const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };

/** The text of a list of batches, and whether Express served it: it adds its app to each request. */
const readBatches = async (transport: 'direct' | 'msw') => {
  const server = await startServer({ transport });
  let byExpress = false;
  const look = (message: unknown): void => {
    const { request } = message as { request: { url: string; headers: { host: string } } };
    if (server.url.endsWith(request.headers.host)) byExpress = 'app' in request;
  };
  subscribe('http.server.response.finish', look);
  const text = await (await fetch(`${server.baseUrl}/batches`, { headers })).text();
  unsubscribe('http.server.response.finish', look);
  await server.close();
  return { text, byExpress };
};

test('by msw, Express serves the MSW handlers; by default nothing but Node serves the calls', async () => {
  const direct = await readBatches('direct');
  expect(direct.byExpress).toBe(false);
  expect(await readBatches('msw')).toEqual({ text: direct.text, byExpress: true });
});

test('msw is refused under MSW 3, with the reason and the way out', () => {
  const msw3 = { http: {} };
  expect(() => checkHttpMiddleware(msw3)).toThrow(
    /^Failed to start the server: the transport "msw" needs MSW 2, .*npm install --save-dev msw@2/,
  );
});
