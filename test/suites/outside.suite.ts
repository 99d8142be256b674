// Requests that are not for the gateway. Those of the tests named "fails" are stopped.
import http, { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { test } from '../../src/vitest.ts';

const real = createServer((_request, response) => response.end('real'));
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => real.listen(0, '127.0.0.1', resolve));
  port = (real.address() as AddressInfo).port; // it listens on one
});
afterAll(() => new Promise((resolve) => real.close(resolve)));

/** An address of this machine that does not look like one. */
const elsewhere = (path = ''): string => `http://[::ffff:127.0.0.1]:${port}/${path}`;

test('fails: an app that ignores its base URL', async ({ gateway }) => {
  const headers = { ...gateway.headers };
  await expect(fetch('https://gateway.example/v1/batches?key=secret', { headers })).rejects.toThrow(
    TypeError,
  );
});

test('fails: by node:http', async ({ gateway }) => {
  const failure = await new Promise((resolve) => {
    http.get(elsewhere('a'), { headers: gateway.headers }, resolve).on('error', resolve);
  });
  expect(failure).toBeInstanceOf(Error);
});

test('fails: with a stray and an error of its own', async ({ gateway }) => {
  await fetch(`${gateway.baseUrl}/nowhere`);
  await fetch(elsewhere('b')).catch(() => {});
  expect(1).toBe(2);
});

test('passes: this machine is no other host', async ({ gateway: _ }) => {
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('real');
  expect(await (await fetch(`http://localhost:${port}/`)).text()).toBe('real');
});

describe('where it is let through', () => {
  test.override({ gatewayOptions: { onUnhandledRequest: 'bypass' } });

  test('passes: it reaches the network', async ({ gateway: _ }) => {
    expect(await (await fetch(elsewhere())).text()).toBe('real');
  });
});

describe('where it is warned of', () => {
  test.override({ gatewayOptions: { onUnhandledRequest: 'warn' } });

  test('passes: with a warning', async ({ gateway: _ }) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    expect(await (await fetch(elsewhere('c?key=secret'))).text()).toBe('real');
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^GET http:.*\/c is not for the gateway/)]]);
    warn.mockRestore();
  });
});

describe.concurrent('beside each other', () => {
  let release = (): void => {};
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });

  test('fails: the strictest of them decides', async ({ gateway: _ }) => {
    await both;
  });

  describe('of which one lets it through', () => {
    test.override({ gatewayOptions: { onUnhandledRequest: 'bypass' } });

    test('passes: it is not its fault', async ({ gateway: _ }) => {
      await expect(fetch(elsewhere('d')))
        .rejects.toThrow(TypeError)
        .finally(release);
    });
  });
});
