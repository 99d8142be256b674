// Requests to the gateway of an earlier test: late ones, and those of a client that keeps its base URL.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, vi } from 'vitest';
import { type TestGateway, test } from '../../src/vitest.ts';

const call = ({ baseUrl, headers }: Pick<TestGateway, 'baseUrl' | 'headers'>): Promise<number> =>
  fetch(`${baseUrl}/batches`, { headers }).then((reply) => reply.status);

describe('after a test that calls too late', () => {
  let late: Promise<unknown>;
  const { warn } = console;
  const warnings: unknown[] = []; // a spy would be cleared between tests by newer versions of Vitest
  test('calls too late', async ({ gateway: { baseUrl, headers } }) => {
    expect(await call({ baseUrl, headers })).toBe(200);
    late = sleep(200).then(() => call({ baseUrl, headers }).catch(() => {}));
  });

  test('the next one passes, and the earlier one is named', async ({ gateway }) => {
    console.warn = (text) => void warnings.push(text);
    expect(await call(gateway)).toBe(200);
    await late;
  });

  test('its warning is printed', () => {
    console.warn = warn;
    expect(warnings).toEqual([expect.stringContaining('The test "calls too late", whose base')]);
  });
});

describe('after a test whose app polls on', () => {
  let poll: () => Promise<number>;
  test('polls', async ({ gateway: { baseUrl, headers } }) => {
    poll = () => call({ baseUrl, headers });
    expect(await poll()).toBe(200);
  });

  test('a test without a gateway prints a single warning', async () => {
    const warnings = vi.spyOn(console, 'warn').mockReturnValue();
    expect([await poll(), await poll()]).toEqual([404, 404]);
    expect(warnings.mock.calls.flat()).toEqual([expect.stringContaining('The test "polls", whose base')]);
    warnings.mockRestore();
  });
});

describe('with an app that swallows errors, and keeps the client of its first call', () => {
  let kept: Pick<TestGateway, 'baseUrl' | 'headers'> | undefined;
  const app = ({ baseUrl, headers }: TestGateway): Promise<number | undefined> => {
    kept ??= { baseUrl, headers };
    return call(kept).catch(() => undefined);
  };

  test('is the first one', async ({ gateway }) => {
    await app(gateway);
  });

  test('the next one fails: 1 request … /v1/batches: The test "is the first one", whose base URL it is, has ended … Make its client in each test', async ({
    gateway,
  }) => {
    await app(gateway);
  });
});
