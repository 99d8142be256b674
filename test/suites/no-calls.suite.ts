// Tests that take their gateway and do not call it.
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { test } from '../../src/vitest.ts';

test("one that reads the base URL fails: gateway.test/v1), but no request arrived … If this test shows that nothing is sent … requests.count()).toBe(0) … noCalls: 'allow'", ({
  gateway,
}) => {
  expect(gateway.baseUrl).toContain('http');
});

test('one that reads the headers fails: no request arrived', ({ gateway: { headers } }) => {
  expect(headers).toHaveProperty('x-gateway-api-key');
});

test('one that shows that nothing is sent passes', async ({ gateway }) => {
  expect(gateway.baseUrl).toContain('http');
  expect(await gateway.requests.count()).toBe(0);
  expect(await gateway.records.batches.count()).toBe(130);
});

test('one that does not await questions fails: did not await requests.expect, requests.walk, faults.list, so nothing was checked', async ({
  gateway,
}) => {
  await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers });
  void gateway.requests.expect({ operation: 'listRuns' });
  expect(gateway.requests.walk('listBatches')).not.toHaveProperty('missed');
  void gateway.faults.list();
});

test('one that awaits its questions later, or with others, passes', async ({ gateway }) => {
  const arrival = gateway.requests.wait({ operation: 'listBatches' });
  await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers });
  await Promise.all([arrival, gateway.requests.count(), expect(gateway.faults.list()).resolves.toEqual([])]);
});

test('one that asks for the requests of an operation passes', async ({ gateway }) => {
  expect(gateway.baseUrl).toContain('http');
  expect(await gateway.requests.list({ operation: 'listBatches', method: 'GET' })).toEqual([]);
});

test.for(['a part of the requests', 'the faults', 'the state'])(
  'one that asks for %s fails: no request arrived',
  async (what, { gateway }) => {
    expect(gateway.baseUrl).toContain('http');
    if (what === 'a part of the requests') expect(await gateway.requests.count({ status: '5xx' })).toBe(0);
    if (what === 'the faults') await gateway.faults.list();
    if (what === 'the state') await gateway.session('other').state.export();
  },
);

describe('where hooks seed and look', () => {
  beforeEach<{ gateway: { records: { batches: { create: (fields: object) => Promise<unknown> } } } }>(
    async ({ gateway }) => {
      await gateway.records.batches.create({});
    },
  );
  afterEach(() => {});

  test('one that does not touch the gateway passes', () => {});
});

test('one that has failed fails: expected 1 to be 2', ({ gateway: { baseUrl } }) => {
  expect(baseUrl).toContain('http');
  expect(1).toBe(2);
});

test.fails('one that is expected to fail passes', ({ gateway: { baseUrl } }) => {
  expect(baseUrl).toBe('');
});

test('one that is skipped passes', ({ gateway: { baseUrl }, skip }) => {
  skip(baseUrl !== '');
});

test('a call that is not awaited, and a stray in another session, count', async ({
  gateway: { baseUrl, headers },
}) => {
  void fetch(`${baseUrl.replace('/v1', '/sessions/other/v1')}/batches`, { headers }).catch(() => {});
});

test('with a preflight alone, it passes', async ({ gateway: { baseUrl } }) => {
  const headers = { origin: 'http://localhost', 'access-control-request-method': 'GET' };
  expect((await fetch(`${baseUrl}/batches`, { method: 'OPTIONS', headers })).status).toBe(204);
});

test('with a stray alone, it fails: matched no operation', async ({ gateway: { baseUrl } }) => {
  await fetch(`${baseUrl}/nowhere`);
});

describe('without a journal', () => {
  test.override({ gatewayOptions: { journal: 0 } });

  test('calls count, too', async ({ gateway: { baseUrl, headers } }) => {
    expect((await fetch(`${baseUrl}/batches`, { headers })).status).toBe(200);
  });
});

describe('where it is allowed', () => {
  test.override({ gatewayOptions: { noCalls: 'allow' } });

  test('it passes', ({ gateway }) => {
    expect(gateway.baseUrl).toContain('http');
  });
});

describe('where it is warned of', () => {
  test.override({ gatewayOptions: { noCalls: 'warn' } });
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  afterEach(() => warn.mockClear());

  test('it passes, with a warning', ({ gateway }) => {
    expect(gateway.baseUrl).toContain('http');
  });
});

describe.concurrent('beside a test that gets the calls', () => {
  let release = (_: string): void => {};
  const other = new Promise<string>((resolve) => {
    release = resolve;
  });
  let finish = (): void => {};
  const isCalled = new Promise<void>((resolve) => {
    finish = resolve;
  });

  test('the gateway that got them is named, and it fails: Meanwhile … gateway.test/v1 (1 request)', async ({
    gateway,
  }) => {
    await fetch(`${await other}/batches`, { headers: gateway.headers });
    finish();
  });

  test('the other one passes', async ({ gateway }) => {
    release(gateway.baseUrl);
    await isCalled;
  });
});
