import { expect, test } from 'vitest';
import { toTextLine } from './call-log.ts';

const call = {
  method: 'GET',
  path: '/v1/batches',
  query: '',
  bytes: 0,
  outcome: 'sent' as const,
  session: null,
  duration: 1,
  requestId: '',
  upstream: null,
  assumptions: [],
};

test('a reply that was lost has no status', () => {
  expect(toTextLine({ ...call, status: null, outcome: 'lost', fault: 'listBatches: reset' })).toBe(
    'GET /v1/batches lost  fault listBatches: reset',
  );
  expect(toTextLine({ ...call, status: 200, fault: null })).toBe('GET /v1/batches 200');
});

test('a forwarded call names the server', () => {
  const upstream = 'http://127.0.0.1:5000/v1';
  expect(toTextLine({ ...call, status: 200, fault: null, upstream })).toBe(
    'GET /v1/batches 200  upstream http://127.0.0.1:5000/v1',
  );
});
