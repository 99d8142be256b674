// Requests that are not for the gateway, that nobody awaits, and that come between tests.
import http, { createServer, get } from 'node:http'; // by its name, `get` is not reached by MSW
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

/** What was warned of meanwhile. */
const warningsOf = async (run: () => Promise<void>): Promise<unknown[]> => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await run();
  const warnings = warn.mock.calls.flat();
  warn.mockRestore();
  return warnings;
};

test("an app that ignores its base URL fails: https://gateway.example/v1/batches … { onUnhandledRequest: 'bypass' }", async ({
  gateway: { headers },
}) => {
  const call = fetch('https://gateway.example/v1/batches?key=secret', { headers: { ...headers } });
  await expect(call).rejects.toThrow(TypeError);
});

test('node:http fails: GET http://[::ffff:7f00:1]: … /a', async ({ gateway }) => {
  const failure = await new Promise((resolve) => {
    http.get(elsewhere('a'), { headers: gateway.headers }, resolve).on('error', resolve);
  });
  expect(failure).toBeInstanceOf(Error);
});

test('with a stray and an error of its own, it fails: expected 1 to be 2 + matched no operation … nowhere … 1 request … another host … /b', async ({
  gateway,
}) => {
  await fetch(`${gateway.baseUrl}/nowhere`);
  await fetch(elsewhere('b')).catch(() => {});
  expect(1).toBe(2);
});

test('one to another host that is not awaited fails: 1 request of this test … another host … /late', ({
  gateway: _,
}) => {
  void fetch(elsewhere('late')).catch(() => {});
});

test('one to no operation that is not awaited fails: POST /v1/nowhere', ({ gateway }) => {
  void fetch(`${gateway.baseUrl}/nowhere`, { method: 'POST', body: 'late' }).catch(() => {});
});

test('any host of gateways that no test has fails: GET http://api.gateway.test/v1/batches: No test has the host', async ({
  gateway,
}) => {
  const reply = await fetch('http://api.gateway.test/v1/batches', { headers: gateway.headers });
  expect(reply.status).toBe(404);
});

test('this machine is no other host', async ({ gateway: _ }) => {
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('real');
  expect(await getByName(`http://127.0.0.1:${port}/`)).toBe(200);
  expect((await fetchBefore(`http://localhost:${port}/`)).status).toBe(200);
});

describe('where it is let through', () => {
  test.override({ gatewayOptions: { onUnhandledRequest: 'bypass', unmatched: 'allow' } });

  test('any request reaches the network', async ({ gateway: _ }) => {
    expect(await (await fetch(elsewhere(''))).text()).toBe('real');
    expect(await getByName(elsewhere('named'))).toBe(200);
    await fetch('http://api.gateway.test/v1/batches');
  });

  plain('a request between such tests is nobody’s business', async () => {
    const call = async () => expect(await (await fetch(elsewhere('between'))).text()).toBe('real');
    expect(await warningsOf(call)).toEqual([]);
  });
});

describe('where it is warned of', () => {
  test.override({ gatewayOptions: { onUnhandledRequest: 'warn' } });

  test('it passes, with a warning', async ({ gateway: _ }) => {
    const call = async () => expect(await (await fetch(elsewhere('c?key=secret'))).text()).toBe('real');
    expect(await warningsOf(call)).toEqual([expect.stringMatching(/^GET http:.*\/c is not for the gateway/)]);
  });
});

plain('a request between tests is let through, and told of', async () => {
  const call = async () => {
    expect(await (await fetch(elsewhere('between?key=secret'))).text()).toBe('real');
    expect((await fetch('http://test-1.gateway.test/v1/batches')).status).toBe(404);
  };
  expect(await warningsOf(call)).toEqual([
    expect.stringMatching(/^GET http:.*\/between was sent while no test was running, .* performed\.$/),
    expect.stringMatching(
      /^GET http:\/\/test-1\.gateway\.test\/v1\/batches was .* The test ".*", whose base URL it is, has ended/,
    ),
  ]);
});

describe.concurrent('beside each other', () => {
  let release = (): void => {};
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });

  test('the strictest of them decides, and fails: or of a test that ran at the same time … /d', async ({
    gateway: _,
  }) => {
    await both;
  });

  describe('of which one lets it through', () => {
    test.override({ gatewayOptions: { onUnhandledRequest: 'bypass' } });

    test('it is not its fault', async ({ gateway: _ }) => {
      await expect(fetch(elsewhere('d')))
        .rejects.toThrow(TypeError)
        .finally(release);
    });
  });
});
