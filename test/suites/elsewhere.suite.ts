// Calls of the gateway that go to another server of this machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type TestGateway, test } from '../../src/vitest.ts';

const program = `
  const server = require('node:http').createServer((request, response) => response.end('{}'));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

let child: ChildProcess | undefined;
/** The base URL of a server in another process. */
let other = '';
beforeAll(async () => {
  child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout ?? child, 'data');
  other = `http://127.0.0.1:${String(port).trim()}/v1`;
});
afterAll(() => void child?.kill());

const call = async (baseUrl: string, { headers }: Pick<TestGateway, 'headers'>): Promise<void> => {
  expect((await fetch(`${baseUrl}/batches?page=secret`, { headers })).status).toBe(200);
};

test('one that another server answers fails: A call of this test did not go to … gateway.test/v1: … GET http://127.0.0.1: … /v1/batches: 200 … Pass gateway.baseUrl … allowOtherGateways: true', async ({
  gateway,
}) => {
  await call(other, gateway);
});

test('one of two that another server answers fails: A call of this test did not go to', async ({
  gateway,
}) => {
  await call(gateway.baseUrl, gateway);
  await call(other, gateway);
});

test('one without the key of the gateway, and one to another path, are none of its calls', async ({
  gateway,
}) => {
  await call(gateway.baseUrl, gateway);
  await call(other, { headers: {} as TestGateway['headers'] });
  await fetch(`${other}/chat/completions`, { method: 'POST', headers: gateway.headers });
});

test('one that nobody answers is the business of the test', async ({ gateway }) => {
  await call(gateway.baseUrl, gateway);
  await expect(fetch('http://127.0.0.1:1/v1/batches', { headers: gateway.headers })).rejects.toThrow();
});

test('one to a server of this process, such as the proxy of the app, passes', async ({ gateway }) => {
  const proxy = createServer(async (_request, response) => {
    const reply = await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers });
    response.writeHead(reply.status).end(await reply.text());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo; // it listens on a port
  await call(`http://127.0.0.1:${port}/v1`, gateway);
  await call(`http://localhost:${port}/v1`, gateway);
  proxy.close();
});

describe('where it is allowed', () => {
  test.override({ gatewayOptions: { allowOtherGateways: true } });

  test('it passes', async ({ gateway }) => {
    await call(gateway.baseUrl, gateway);
    await call(other, gateway);
  });
});

describe('where another origin is allowed', () => {
  test.override({ gatewayOptions: { allowOtherGateways: ['http://localhost:1'] } });

  test('it fails: A call of this test did not go to', async ({ gateway }) => {
    await call(gateway.baseUrl, gateway);
    await call(other, gateway);
  });
});

describe('where its origin is allowed', () => {
  test.override({
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the dependencies of a fixture from this pattern.
    gatewayOptions: ({}, use) => use({ allowOtherGateways: [new URL(other).origin] }),
  });

  test('it passes by its origin', async ({ gateway }) => {
    await call(gateway.baseUrl, gateway);
    await call(other, gateway);
  });
});
