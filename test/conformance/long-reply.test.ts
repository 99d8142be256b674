import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { limits } from '../../src/core/util/limits.ts';
import { createHttpTarget } from '../../src/tools/conformance/client.ts';
import { openListener } from '../support/listen.ts';

const callIt = async (answer: (response: ServerResponse) => void) => {
  const url = await openListener((_request, response) => answer(response));
  return createHttpTarget(url, { apiKey: 'any' }, {}).call({ method: 'GET', path: '/batches' });
};

test('a reply without an end is given up, and its connection closed', async () => {
  let isClosed = false;
  const part = Buffer.alloc(1_000_000, 'a');
  const reply = callIt((response) => {
    const next = (): void => void response.write(part, next);
    response.once('close', () => {
      isClosed = true;
    });
    next();
  });
  await expect(reply).rejects.toThrow(`the reply is longer than ${limits.reply} bytes`);
  await expect.poll(() => isClosed).toBe(true);
});

test('a text is whole, however it is split, with its byte order mark', async () => {
  const bytes = Buffer.from('\ufeff{"name":"Åse 🎈"}');
  const { text } = await callIt(async (response) => {
    for (const byte of bytes) await new Promise((done) => response.write(Buffer.of(byte), done));
    response.end();
  });
  expect(text).toBe('\ufeff{"name":"Åse 🎈"}');
});
