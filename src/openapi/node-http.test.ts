import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { openapiText } from './document.ts';
import { createOpenapiListener } from './node-http.ts';

vi.mock('./document.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('./document.ts')>();
  return { ...original, openapiText: vi.fn(original.openapiText) };
});

test('the document is created once for all sessions with the same assumptions, each with its base URL', async () => {
  const listener = createOpenapiListener({
    version: '1.0.0',
    url: () => 'http://127.0.0.1:4010',
    choicesOf: (session) => (session === 'c' ? { 'unknown-cursor': 'empty-page' } : {}),
    worldOf: () => undefined,
  });
  const read = (session: string): Promise<string> =>
    new Promise((resolve) => {
      const end = (body: Uint8Array): void => resolve(Buffer.from(body).toString());
      const request = { url: `/sessions/${session}/openapi.json`, method: 'GET', headers: {} };
      const parts = { writeHead: () => {}, setTimeout: () => {}, end, req: { socket: new EventEmitter() } };
      const response = Object.assign(new EventEmitter(), parts);
      listener(request as IncomingMessage, response as unknown as ServerResponse); // only these are used
    });
  const [a, b] = [await read('a'), await read('b')];
  expect(openapiText).toHaveBeenCalledTimes(1);
  expect(b).toBe(a.replace('/sessions/a/v1', '/sessions/b/v1'));
  expect(JSON.parse(b).servers[0].variables.baseUrl.default).toBe('http://127.0.0.1:4010/sessions/b/v1');
  expect(await read('c')).not.toBe(a.replace('/sessions/a/v1', '/sessions/c/v1'));
  expect(openapiText).toHaveBeenCalledTimes(2);
});
