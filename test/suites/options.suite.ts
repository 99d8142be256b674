// How a test's gateway is made, and what is built upon it.
import http from 'node:http';
import { describe, expect, expectTypeOf } from 'vitest';
import { test as base, type TestGateway, type TestGatewayOptions } from '../../src/vitest.ts';

const getBatches = (gateway: TestGateway): Promise<Response> =>
  fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers });

base('the fixtures have their types', ({ gateway, gatewayOptions }) => {
  expectTypeOf(gateway).toEqualTypeOf<TestGateway>();
  expectTypeOf(gatewayOptions).toEqualTypeOf<TestGatewayOptions>();
});

describe('a wrong option', () => {
  // @ts-expect-error It is 'fail' or 'allow'.
  base.override({ gatewayOptions: { unmatched: 'fial' } });

  base(
    'is an error of types, and fails: The option "unmatched" must be "fail" or "allow", but found "fial".',
    ({ gateway: _ }) => {},
  );
});

const faulty = base.extend({
  gatewayOptions: { scenario: 'locked-out', seed: 7, faults: ['listBatches#1: 503'] },
});

describe('test.extend', () => {
  faulty('gives a scenario, its keys, a seed and faults', async ({ gateway }) => {
    expect(await gateway.scenario.current()).toMatchObject({ name: 'locked-out', seed: 7 });
    expect(gateway.headers['x-gateway-api-key']).toBe('key-valid');
    expect((await getBatches(gateway)).status).toBe(503);
    expect((await getBatches(gateway)).status).toBe(200);
    await gateway.reset();
    expect((await getBatches(gateway)).status).toBe(503);
  });

  const withClient = base.extend<{ getIds: () => Promise<string[]> }>({
    getIds: ({ gateway }, use) =>
      use(async () => (await (await getBatches(gateway)).json()).data.map(({ id }: { id: string }) => id)),
  });

  withClient('builds fixtures on the gateway', async ({ gateway, getIds }) => {
    const { id } = await gateway.records.batches.create({ status: 'failed' });
    expect(await getIds()).toContain(id);
  });
});

describe('test.override', () => {
  base.override({ gatewayOptions: { scenario: { batches: 3, assumptions: { 'unknown-cursor': '400' } } } });

  base('gives a scenario to the tests of a describe', async ({ gateway }) => {
    expect((await (await getBatches(gateway)).json()).data).toHaveLength(3);
    const reply = await fetch(`${gateway.baseUrl}/batches?after=none`, { headers: gateway.headers });
    expect(reply.status).toBe(400);
  });
});

const getByHttp = (gateway: TestGateway): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    http
      .get(`${gateway.baseUrl}/batches`, { headers: gateway.headers }, (reply) => resolve(reply.statusCode))
      .on('error', reject);
  });

base('http.get of Node is answered, too', async ({ gateway }) => {
  expect(await getByHttp(gateway)).toBe(200);
});

base('a reset is a network error', async ({ gateway }) => {
  await gateway.faults.add('listBatches: reset');
  await expect(getBatches(gateway)).rejects.toThrow(TypeError);
  await expect(getByHttp(gateway)).rejects.not.toThrow('ENOTFOUND');
  expect(await gateway.requests.count({ fault: 'listBatches: reset' })).toBe(2);
});

base('a session of its own has a URL below its host', async ({ gateway }) => {
  await gateway.sessions.create('other', { scenario: 'empty' });
  const url = gateway.baseUrl.replace('/v1', '/sessions/other/v1');
  const page = await (await fetch(`${url}/batches`, { headers: gateway.headers })).json();
  expect(page.data).toEqual([]);
});
