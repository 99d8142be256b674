// Requests that nobody awaits, and that come between tests. Those of the tests named "fails" are not allowed.
import { createServer, get } from 'node:http'; // by its name, `get` is not reached by MSW
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test as plain, vi } from 'vitest';
import { test } from '../../src/vitest.ts';

/** Node's own, from before MSW replaces it. */
const fetchBefore = fetch;

const real = createServer((_request, response) => response.end('real'));
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => real.listen(0, '127.0.0.1', resolve));
  port = (real.address() as AddressInfo).port; // it listens on one
});
afterAll(() => new Promise((resolve) => real.close(resolve)));

/** An address of this machine that does not look like one. */
const elsewhere = (path: string): string => `http://[::ffff:127.0.0.1]:${port}/${path}`;

const getByName = (url: string): Promise<unknown> =>
  new Promise((resolve) => {
    get(url, (response) => resolve(response.resume().statusCode)).on('error', resolve);
  });

test('fails: a request to another host that is not awaited', ({ gateway: _ }) => {
  void fetch(elsewhere('late')).catch(() => {});
});

test('fails: a request to no operation that is not awaited', ({ gateway }) => {
  void fetch(`${gateway.baseUrl}/nowhere`, { method: 'POST', body: 'late' }).catch(() => {});
});

test('passes: this machine is no other host', async ({ gateway: _ }) => {
  expect(await getByName(`http://127.0.0.1:${port}/`)).toBe(200);
  expect((await fetchBefore(`http://localhost:${port}/`)).status).toBe(200);
});

test('fails: any host of gateways that no test has', async ({ gateway }) => {
  const reply = await fetch('http://api.gateway.test/v1/batches', { headers: gateway.headers });
  expect(reply.status).toBe(404);
});

describe('where it is let through', () => {
  test.override({ gatewayOptions: { onUnhandledRequest: 'bypass', unmatched: 'allow' } });

  test('passes: any request', async ({ gateway: _ }) => {
    expect(await getByName(elsewhere('named'))).toBe(200);
    await fetch('http://api.gateway.test/v1/batches');
  });

  plain('passes: a request between such tests is nobody’s business', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    expect(await (await fetch(elsewhere('between'))).text()).toBe('real');
    expect(warn.mock.calls).toEqual([]);
    warn.mockRestore();
  });
});

test('passes: the next one is strict again', ({ gateway: _ }) => {});

plain('passes: a request between tests is let through, and told of', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  expect(await (await fetch(elsewhere('between?key=secret'))).text()).toBe('real');
  expect((await fetch('http://test-1.gateway.test/v1/batches')).status).toBe(404);
  expect(warn.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^GET http:.*\/between was sent while no test was running, .* It was performed\.$/,
      ),
    ],
    [
      expect.stringMatching(
        /^GET http:\/\/test-1\.gateway\.test\/v1\/batches was sent while no test was running\. .*has the test ended\?/,
      ),
    ],
  ]);
  warn.mockRestore();
});
