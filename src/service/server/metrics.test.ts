import { expect, test } from 'vitest';
import { JournalMemory } from '../../core/journal/journal-memory.ts';
import { Metrics } from './metrics.ts';

const sessions = {
  inMemory: new Map(),
  counts: { started: 1, ended: { deleted: 0, replaced: 0, reloaded: 0, removed: 0, stored: 0 } },
  memory: new JournalMemory(),
};

const someCall = {
  method: 'GET',
  path: '/v1/nothing',
  query: '',
  header: () => undefined,
  headers: () => ({}),
  body: new Uint8Array(),
};

test('each call is counted, in the bucket of its duration', async () => {
  const { count, read } = new Metrics(sessions);
  const reply = { status: 404, headers: {}, body: null };
  const sent = { call: someCall, reply, status: 404, bytes: 0, duration: 1, outcome: 'sent' } as const;
  for (let calls = 0; calls < 2500; calls += 1) count(sent);
  await read();
  count(sent);
  const { text } = await read();
  expect(text).toContain('\ngateway_mock_requests_total{operation="none",status="404",fault="none"} 2501\n');
  // A bucket has what takes exactly as long as its bound.
  for (const [bound, calls] of [
    ['0.0005', 0],
    ['0.001', 2501],
    ['+Inf', 2501],
  ])
    expect(text).toContain(`_bucket{le="${bound}",operation="none"} ${calls}\n`);
  expect(text).toMatch(/_duration_seconds_sum\{operation="none"\} 2\.50/);
  expect(text).toContain('\ngateway_mock_request_duration_seconds_count{operation="none"} 2501\n');
});
