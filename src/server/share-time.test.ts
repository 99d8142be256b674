import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { readStopwatch } from '../util/stopwatch.ts';
import { shareTime } from './share-time.ts';

test('calls are begun in the order in which they arrive, a few in each turn, and none whose client is gone', async () => {
  const begun: (string | undefined)[] = [];
  const listener = shareTime(({ url }) => {
    begun.push(url);
    const start = readStopwatch();
    while (readStopwatch() - start < 20);
  });
  const response = {} as ServerResponse; // unused
  for (const url of ['/a', '/b', '/gone', '/c'])
    listener({ url, destroyed: url === '/gone' } as IncomingMessage, response); // only these are used
  const soon: number[] = [];
  while (begun.length < 3) {
    soon.push(begun.length);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(begun).toEqual(['/a', '/b', '/c']);
  expect(soon).toEqual([1, 2]);
});
