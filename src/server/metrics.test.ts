import { expect, test } from 'vitest';
import { countCalls, createMetrics } from './metrics.ts';

const sessions = {
  size: 1,
  counts: { started: 1, ended: { deleted: 0, replaced: 0, reloaded: 0, removed: 0, stored: 0 } },
  journalBytes: 0,
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
  const { counts, read } = createMetrics(sessions);
  const answer = countCalls(() => ({ status: 404, headers: {}, body: null }), counts);
  for (let calls = 0; calls < 2500; calls += 1) answer(someCall);
  await read();
  answer(someCall);
  const { text } = await read();
  expect(text).toContain('\ngateway_mock_requests_total{operation="none",status="404",fault="none"} 2501\n');
  expect(text).toContain('\ngateway_mock_request_duration_seconds_bucket{le="+Inf",operation="none"} 2501\n');
  expect(text).toContain('\ngateway_mock_request_duration_seconds_count{operation="none"} 2501\n');
});
