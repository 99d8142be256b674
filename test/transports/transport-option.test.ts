// The option `transport`: what serves the calls of a server. That both send the same bytes: equal-bytes.test.ts.
import { beforeEach, expect, test, vi } from 'vitest';

vi.mock(import('@mswjs/http-middleware'), { spy: true });

beforeEach(() => void vi.resetModules());

const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };

const readBatches = async (transport: 'direct' | 'msw'): Promise<string> => {
  const { startServer } = await import('../../src/server.ts');
  const server = await startServer({ transport });
  const reply = await fetch(`${server.baseUrl}/batches`, { headers });
  await server.close();
  return reply.text();
};

test('by msw, @mswjs/http-middleware serves the MSW handlers; by default nothing but Node serves the calls', async () => {
  const { createMiddleware } = await import('@mswjs/http-middleware');
  const direct = await readBatches('direct');
  expect(createMiddleware).not.toHaveBeenCalled();
  expect(await readBatches('msw')).toBe(direct);
  expect(createMiddleware).toHaveBeenCalledOnce();
});

test('msw is refused under MSW 3, with the reason and the way out', async () => {
  vi.doMock('msw', async (importOriginal) => {
    const { handleRequest: _, ...msw3 } = await importOriginal<typeof import('msw')>();
    return msw3;
  });
  await expect(readBatches('msw')).rejects.toThrow(
    /^Failed to start the server: the transport "msw" needs MSW 2, .*npm install --save-dev msw@2/,
  );
  vi.doUnmock('msw');
});

test.each([true, 'http'])('%j is refused', async (transport) => {
  await expect(readBatches(transport as never)).rejects.toThrow(
    'The option "transport" must be "direct" or "msw", but found',
  );
});
