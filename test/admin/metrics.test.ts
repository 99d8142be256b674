import { writeFileSync } from 'node:fs';
import { METHODS } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { effectKinds } from '../../src/core/faults/fault-kinds.ts';
import { operations } from '../../src/core/scenario/scenario-schema.ts';
import type { GatewayServer } from '../../src/server.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { readMetrics } from '../support/read-metrics.ts';
import { keys } from '../support/transports.ts';

const get = ({ url }: GatewayServer, path: string, headers: object = {}): Promise<string> =>
  fetch(`${url}${path}`, { headers: { ...keys, ...headers } })
    .then((reply) => reply.text())
    .catch(String); // a fault has broken the connection

const requestsIn = (metrics: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...metrics].filter(([name]) => name.startsWith('gateway_mock_requests_total')));

const requests = (operation: string, status: number | 'none', fault: string): string =>
  `gateway_mock_requests_total{operation="${operation}",status="${status}",fault="${fault}"}`;

test.each([{ transport: 'direct' }, { transport: 'msw' }] as const)(
  'calls are counted from the start of the server, by operation, status and kind of fault (%j)',
  async (options) => {
    const server = await openServer(options);
    await get(server, '/v1/batches');
    await get(server, '/sessions/a/v1/batches');
    await get(server, '/v1/batches?limit=0');
    await get(server, '/v1/nothing');
    await server.faults.add(
      'listBatches#1: 503 message="no label has this"',
      'listBatches#2: delay 1ms',
      'listBatches: expire-cursor',
    );
    for (let call = 0; call < 3; call += 1) await get(server, '/v1/batches');
    await server.faults.clear();
    await server.faults.add('listBatches: delay 1ms', 'listBatches: empty-page');
    await get(server, '/v1/batches');
    await server.faults.add('getRateLimitsPolicy: reset');
    await get(server, '/v1/policies/rate-limits/x');

    const metrics = await readMetrics(server.adminUrl);
    expect(requestsIn(metrics)).toEqual({
      [requests('listBatches', 200, 'none')]: 3,
      [requests('listBatches', 400, 'none')]: 1,
      [requests('none', 404, 'none')]: 1,
      [requests('listBatches', 503, 'error')]: 1,
      [requests('listBatches', 200, 'delay')]: 1,
      [requests('listBatches', 200, 'empty-page')]: 1,
      [requests('getRateLimitsPolicy', 'none', 'reset')]: 1,
    });
    const duration = 'gateway_mock_request_duration_seconds';
    expect(metrics.get(`${duration}_count{operation="listBatches"}`)).toBe(7);
    expect(metrics.get(`${duration}_bucket{le="600",operation="listBatches"}`)).toBe(7);
    expect(metrics.get(`${duration}_sum{operation="listBatches"}`)).toBeGreaterThan(0.002);
  },
);

test('sessions are counted as they start and end', async () => {
  const server = await openServer({ maxSessions: 3 });
  for (const name of ['a', 'b', 'c']) await get(server, `/sessions/${name}/v1/batches`);
  await server.sessions.create('d');
  await server.sessions.create('d');
  await server.sessions.delete('d');
  const metrics = await readMetrics(server.adminUrl);
  expect(metrics.get('gateway_mock_journal_bytes')).toBeGreaterThan(1000);
  const ended = (reason: string) => metrics.get(`gateway_mock_sessions_ended_total{reason="${reason}"}`);
  expect(metrics.get('gateway_mock_sessions')).toBe(2);
  expect(metrics.get('gateway_mock_sessions_started_total')).toBe(6);
  expect(['removed', 'replaced', 'deleted', 'reloaded'].map(ended)).toEqual([2, 1, 1, 0]);
});

test('reloads are counted, and the sessions that they end', async () => {
  const folder = makeFolder({ 'bug.yaml': 'batches: 1\n' });
  const reloads: (Error | undefined)[] = [];
  const server = await openServer({
    scenario: join(folder, 'bug.yaml'),
    watch: true,
    onReload: (error) => reloads.push(error),
  });
  for (const [count, text] of ['batches: 2\n', 'batches: [\n'].entries()) {
    writeFileSync(join(folder, 'bug.yaml'), text);
    await expect.poll(() => reloads.length).toBeGreaterThan(count);
  }
  await expect.poll(() => reloads.at(-1)).toBeInstanceOf(Error);
  const failed = reloads.filter((error) => error !== undefined).length;
  const succeeded = reloads.length - failed;
  const metrics = await readMetrics(server.adminUrl);
  expect(metrics.get('gateway_mock_reloads_total{result="succeeded"}')).toBe(succeeded);
  expect(metrics.get('gateway_mock_reloads_total{result="failed"}')).toBe(failed);
  expect(metrics.get('gateway_mock_sessions_ended_total{reason="reloaded"}')).toBe(succeeded);
  expect(metrics.get('gateway_mock_sessions')).toBe(1);
});

test('nothing that callers choose becomes a label', async () => {
  const server = await openServer();
  await server.faults.add(...effectKinds.filter((kind) => kind !== 'reset').map(toFault));
  for (let call = 0; call < 20; call += 1) {
    const name = `x${call}"}\\n`;
    await get(server, `/v1/${encodeURIComponent(name)}/batches?${name}=1`, { 'x-mock-session': `s${call}` });
    await get(server, `/sessions/s${call}/v1/threads/t${call}/runs?limit=${call}`);
  }
  const methods = METHODS.filter((method) => !['CONNECT', 'TRACE'].includes(method)); // fetch refuses these
  for (const method of methods) await fetch(`${server.baseUrl}/batches`, { method, headers: keys });
  const labels = [...(await readMetrics(server.adminUrl)).keys()]
    .filter((name) => name.startsWith('gateway_mock_'))
    .flatMap((name) => [...name.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => ({ label, value })));
  const known = {
    operation: ['none', ...operations.map(({ id }) => id)],
    status: ['none', '200', '204', '400', '404', '405', '502'],
    fault: ['none', 'error', ...effectKinds],
  };
  for (const [label, values] of Object.entries(known))
    expect(values).toEqual(
      expect.arrayContaining(labels.filter((each) => each.label === label).map(({ value }) => value)),
    );
  expect(new Set(labels.map(({ label }) => label))).toEqual(
    new Set([...Object.keys(known), 'le', 'reason', 'result']),
  );
});

const toFault = (kind: string, index: number): string => {
  const value = kind === 'delay' || kind === 'drip' ? ' 1ms' : '';
  return `listRuns#${index + 1}: ${kind}${value}`;
};

test('the metrics have the guard and the token of the admin API, and begin no session', async () => {
  const { adminUrl, url, sessions } = await openServer({ adminToken: 'letmein' });
  const read = (init: RequestInit, base = adminUrl) => fetch(`${base}/metrics`, init);
  const authorization = 'Bearer letmein';
  expect((await read({})).status).toBe(401);
  expect((await read({ headers: { authorization, origin: 'http://evil.example' } })).status).toBe(403);
  const reply = await read({ headers: { authorization } }, `${url}/sessions/a/__admin`);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  expect(await reply.text()).toContain('gateway_mock_sessions 1\n');
  expect((await read({ method: 'HEAD', headers: { authorization } })).status).toBe(200);
  const posted = await read({ method: 'POST', headers: { authorization } });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
  expect(await connect(url, { token: 'letmein' }).sessions.list()).toEqual(['default']);
  expect(await sessions.list()).toEqual(['default']);
});
