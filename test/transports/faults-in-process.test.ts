import http from 'node:http';
import { describe, expect, test } from 'vitest';
import { interceptGateway } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

const url = 'http://gateway.test/v1/batches?limit=3';

const get = (init?: RequestInit): Promise<Response> => fetch(url, { headers: keys, ...init });

/** All that arrives of a body, and how it ended. */
const drain = async ({ body }: Response) => {
  const chunks: Uint8Array[] = [];
  let error: unknown;
  try {
    // The web's stream is iterable in Node, though not in TypeScript's DOM library.
    for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
  } catch (reason) {
    error = reason;
  }
  return { text: Buffer.concat(chunks).toString(), pieces: chunks.length, error };
};

describe('a connection that breaks', () => {
  test.each(['reset', 'hang-up'])('by a %s is an error to the clients of node:http, too', async (kind) => {
    interceptGateway({ faults: [`listBatches#1: ${kind}`] });
    const failure = await new Promise((resolve) => {
      const request = http.get(url, { headers: keys }, (reply) => {
        reply
          .on('error', resolve)
          .on('end', () => resolve('end'))
          .resume();
      });
      request.on('error', resolve);
    });
    expect(failure).toBeInstanceOf(Error);
    expect((await get()).status).toBe(200);
  });
});

describe('a slow answer', () => {
  test('comes after its delay, whole', async () => {
    const gateway = interceptGateway({ faults: ['listBatches#1: delay 80ms'] });
    const start = performance.now();
    const late = await get();
    expect(performance.now() - start).toBeGreaterThan(75);
    expect(await late.text()).toBe(await (await get()).text());
    expect((await gateway.requests.list())[0]?.duration).toBeGreaterThan(75);
  });

  test('drips in several pieces, which make the whole', async () => {
    const gateway = interceptGateway({ faults: ['listBatches#1: drip 150ms'] });
    const start = performance.now();
    const { text, pieces, error } = await drain(await get());
    expect(performance.now() - start).toBeGreaterThan(140);
    expect([error, text]).toEqual([undefined, await (await get()).text()]);
    expect(pieces).toBeGreaterThan(3);
    const durationOf = async () => (await gateway.requests.list())[0]?.duration ?? 0;
    await expect.poll(durationOf).toBeGreaterThan(140);
  });
});
