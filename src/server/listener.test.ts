import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createServerListener } from './listener.ts';

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
  const events: unknown[] = [];
  const response = {
    writeHead: (...head: unknown[]) => {
      events.push(head);
      return { end: () => {} };
    },
  };
  const listener = createServerListener({
    answerCall: () => events.push('call'),
    answerAdmin: () => events.push('admin'),
    document: () => '',
    guard: { isOwnHost: (host: string) => host === 'localhost' },
    hasHandlers: false,
    isStopping: () => false,
  });
  const request = { method, url, headers, socket: {} } as unknown as IncomingMessage; // all that it reads
  listener(request, response as unknown as ServerResponse);
  const location = { location: '__admin/', 'cache-control': 'no-store', vary: 'accept' };
  expect(events).toEqual([isRedirected ? [302, location] : 'call']);
});
