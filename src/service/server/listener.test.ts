import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { createServerListener } from './listener.ts';

test.each([true, false])('a server that stops (%s) ends each connection with its reply', (isStopping) => {
  const setHeader = vi.fn();
  const listener = createServerListener({
    answerCall: () => {},
    answerAdmin: () => {},
    document: async () => '',
    guard: { isOwnHost: () => true },
    hasHandlers: false,
    isStopping: () => isStopping,
  });
  const request = {
    method: 'GET',
    url: '/v1/batches',
    headers: {},
    socket: {},
  } as unknown as IncomingMessage; // all that it reads
  listener(request, { setHeader } as unknown as ServerResponse); // all that it calls
  expect(setHeader.mock.calls).toEqual(isStopping ? [['connection', 'close']] : []);
});

test.each([
  [{}, true],
  [{ url: '/?a=1' }, true],
  [{ method: 'POST' }, false],
  [{ url: '/v1' }, false],
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
    document: async () => '',
    guard: { isOwnHost: (host: string) => host === 'localhost' },
    hasHandlers: false,
    isStopping: () => false,
  });
  const request = { method, url, headers, socket: {} } as unknown as IncomingMessage; // all that it reads
  listener(request, response as unknown as ServerResponse);
  const location = { location: '__admin/', 'cache-control': 'no-store', vary: 'accept' };
  expect(events).toEqual([isRedirected ? [302, location] : 'call']);
});
