// A misspelt name is refused, where it would otherwise mean nothing: in process, over HTTP, and by the compiler.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import type { RequestFilter } from '../../src/core/journal/request-filter.ts';
import { createGateway, type Scenario } from '../../src/index.ts';
import { type GatewayServer, type ServerOptions, startServer } from '../../src/server.ts';
import type { Control } from '../../src/service/control/control-interface.ts';
import { keys } from '../support/transports.ts';

let server: GatewayServer;
beforeAll(async () => {
  server = await startServer({ faults: ['listBatches share=0.5: delay 1ms'] });
  await fetch(`${server.baseUrl}/batches`, { headers: keys });
});
afterAll(() => server.close());

describe('the control', () => {
  test('an unknown outcome is refused', async () => {
    const { requests } = server;
    for (const use of [requests.count, requests.list, requests.wait, requests.expect])
      await expect(use({ outcome: 'losst' as 'lost' })).rejects.toThrow('Did you mean "lost"?');
  });

  test('a filter finds a key by its whole value alone, over HTTP as in process', async () => {
    const { requests } = connect(server.url);
    const name = 'x-gateway-virtual-key';
    const filter = (value: string): RequestFilter => ({ headers: { [name]: value } });
    expect(await requests.count(filter(keys[name]))).toBeGreaterThan(0);
    expect(await requests.count(filter('another key'))).toBe(0);
    for (const use of [requests.count, requests.list, requests.wait, server.requests.wait])
      await expect(use(filter(`${keys[name][0]}*`))).rejects.toThrow(/"x-gateway-virtual-key" is masked/);
  });

  test('a wait that compares a pattern with a masked value rejects, and the call is answered', async () => {
    const waiting = server.requests.wait({ headers: { 'x-note': 'uses *' } });
    const [reply] = await Promise.all([
      fetch(`${server.baseUrl}/batches`, {
        headers: { ...keys, 'x-secret': 'sk-0123456789', 'x-note': 'uses sk-0123456789' },
      }),
      expect(waiting).rejects.toThrow('"headers.x-note" is masked, and compared only as a whole'),
    ]);
    expect(reply.status).toBe(200);
  });

  test.each([
    ['listRun', {}, 'it is not a list. Did you mean "listRuns"?'],
    ['renderPrompt', {}, 'it is not a list'],
    ['listRuns', { threadId: 'x' }, 'unknown path parameter "threadId". Did you mean "thread_id"?'],
  ])('walk refuses %s with %j', async (operation, params, message) => {
    await expect(server.requests.walk(operation as 'listRuns', { params })).rejects.toThrow(message);
  });

  test.each([
    ['runs', { thread_id: 'thread_dmo' }, 'no such thread: "thread_dmo". Did you mean "thread_demo"?'],
    ['checkpoints', { fine_tuning_job_id: 'nobody' }, 'no such job: "nobody". Use one of: '],
  ] as const)('a list of the %s of %j is refused', async (kind, query, message) => {
    const records = server.records as unknown as Record<
      string,
      { list: (query: object) => Promise<unknown> }
    >;
    await expect(records[kind]?.list(query)).rejects.toThrow(message);
  });
});

/** Never called: the compiler alone reads it. */
export const misuse = async (control: Control): Promise<unknown> => [
  // @ts-expect-error there is no such assumption
  control.requests.count({ assumption: 'unknown-thred' }),
  // @ts-expect-error there is no such method
  control.requests.count({ method: 'GTE' }),
  // @ts-expect-error there is no such status
  control.records.runs.create({ thread_id: 'thread_a', status: 'fialed' }),
  // @ts-expect-error in process, the shipped scenarios alone have names
  createGateway({ scenario: 'in-fligt' }),
  // @ts-expect-error there is no such status
  { threads: { thread_a: { runs: { queud: 2 } } } } satisfies Scenario,
  // @ts-expect-error there is no such choice
  control.state.import({ assumptions: { 'unknown-cursor': '4000' } }),

  // What may be meant compiles.
  control.requests.count({ operation: 'list*', method: 'get', assumption: 'unknown-*' }),
  control.records.runs.create({ thread_id: 'thread_a', status: 'failed' }),
  createGateway({ scenario: 'in-flight' }),
  { scenario: 'mine' } satisfies ServerOptions, // of --scenarios
  control.scenario.load('mine'), // of a server that has it
  { extends: 'mine', batches: { records: [{ id: 'batch_a', status: 'paused' }] } } satisfies Scenario,
];

describe('curl', () => {
  test.each([
    ['/__admin/clock/timeline?limit=1&limit=2', 'A parameter is given twice in the query'],
    [
      '/__admin/health?session=nope',
      'Failed to call GET /__admin/health: session: unknown key. There are none.',
    ],
  ])('is refused %s', async (path, message) => {
    const reply = await fetch(server.url + path);
    expect(reply.status).toBe(400);
    expect((await reply.json()).error.message).toContain(message);
  });
});
