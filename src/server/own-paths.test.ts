import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { redirectRoot } from './own-paths.ts';

test.each([
  [{}, true],
  [{ method: 'HEAD' }, true],
  [{ url: '/?a=1' }, true],
  [{ method: 'POST' }, false],
  [{ url: '/v1' }, false],
  [{ url: '//' }, false],
  [{ accept: 'application/json' }, false],
  [{ host: 'evil.example' }, false],
])('a browser that asks for the root by %j is redirected to the page: %s', (given, isRedirected) => {
  const { method, url, ...headers } = {
    method: 'GET',
    url: '/',
    host: 'localhost',
    accept: 'text/html, */*',
    ...given,
  };
  const heads: unknown[] = [];
  const response = {
    writeHead: (...head: unknown[]) => {
      heads.push(head);
      return { end: () => {} };
    },
  };
  const rawHeaders = Object.entries(headers).flat();
  const guard = { isOwnHost: (host: string) => host === 'localhost' };
  const request = { method, url, headers, rawHeaders } as unknown as IncomingMessage; // all that it reads
  expect(redirectRoot(request, response as unknown as ServerResponse, guard)).toBe(isRedirected);
  const location = { location: '__admin/', 'cache-control': 'no-store', vary: 'accept' };
  expect(heads).toEqual(isRedirected ? [[302, location]] : []);
});
