import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { createServerListener } from './listener.ts';

test.each([true, false])('a server that stops (%s) ends each connection with its reply', (isStopping) => {
  const setHeader = vi.fn();
  const listener = createServerListener({
    callListener: () => {},
    adminListener: () => {},
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
