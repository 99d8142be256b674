import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

const sessions = {
  size: 1,
  counts: { started: 1, ended: { deleted: 0, replaced: 0, reloaded: 0, removed: 0, stored: 0 } },
  journalBytes: 0,
};

test('calls are counted before, while and after the library is loaded', async () => {
  const { count, read } = createMetrics(sessions);
  const call = { operation: 'none', status: 404, fault: 'none', seconds: 0.001 };
  for (let calls = 0; calls < 2500; calls += 1) count(call);
  await read();
  count(call);
  expect((await read()).text).toContain(
    '\ngateway_mock_requests_total{operation="none",status="404",fault="none"} 2501\n',
  );
});
