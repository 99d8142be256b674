// The texts that are made of a request, and the filters.
import { expect, test } from 'vitest';
import { parseRule } from '../../../core/faults/rule.ts';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { applyFilters, chips, findError, pressChip } from './filter.ts';
import { toCurl, toFaultLine } from './texts.ts';

const request = (given: Partial<RecordedRequest>): RecordedRequest => ({
  id: 'req_1',
  ordinal: 1,
  time: '2026-01-15T12:00:00Z',
  receivedAt: '2026-11-22T12:00:00Z',
  method: 'GET',
  path: '/v1/batches',
  operation: 'listBatches',
  params: {},
  query: {},
  headers: {},
  body: null,
  status: 200,
  reply: null,
  faults: [],
  idleFaults: [],
  assumptions: [],
  page: null,
  nearest: null,
  upstream: null,
  refusal: null,
  duration: 1,
  ...given,
});

test.each<[string, Partial<RecordedRequest>, RegExp]>([
  ['keeps a path as it is', { path: '/v1/../x' }, /--path-as-is/],
  ['keeps brackets as they are', { path: '/v1/{a}' }, /--globoff/],
  ['sends a header without a value', { headers: { 'x-empty': '' } }, /-H 'x-empty;'/],
  ['does not wait for the body of a HEAD', { method: 'HEAD' }, /--head/],
  ['names another method', { method: 'DELETE' }, /-X DELETE/],
  ['sends a body that has no type without one', { method: 'POST', body: 'x' }, /-H 'content-type:'/],
  ['repeats a parameter', { query: { a: ['1', '2'] } }, /a=1&a=2/],
])('a copied command %s', (_, given, expected) => {
  expect(toCurl(request(given), 'http://127.0.0.1:1/v1', { apiKey: 'any', virtualKey: 'any' })).toMatch(
    expected,
  );
});

test.each([
  '/v1/threads/thread_demo/runs',
  '/v1/threads/a"b/runs',
  '/v1/threads/x:/runs:',
  '/v1/threads/%20%22{/runs',
  '/v1/threads/=*[{"/runs',
])('the fault made of %s can be read, and is of that path', (path) => {
  const line = toFaultLine(request({ operation: 'listRuns', params: { thread_id: 'x' }, path }), 3) ?? '';
  expect(parseRule(line)).toMatchObject({
    operation: 'listRuns',
    from: 3,
    to: 3,
    path,
    effect: { kind: 'error', text: '503' },
  });
});

test.each([
  ['listBatches#1 times=2: reset', { status: null }, 'reset'],
  ['listBatches: delay 2s', { status: 200 }, 'delay 2s'],
  ['*: 429 retry-after=7 message="Slow: down"', { status: 429 }, '429 retry-after=7 message="Slow: down"'],
  [undefined, { status: 502, reply: { headers: {}, body: '<html>' } }, '502'],
])('the fault made of a call that %s acted on has its effect', (line, given, effect) => {
  const fault = toFaultLine(request({ ...given, faults: line === undefined ? [] : [line] }), 4) ?? '';
  expect(parseRule(fault).line).toBe(parseRule(`listBatches#4: ${effect}`).line);
});

test.each<[string, (number | null)[]]>([
  ['', [200, 404, 429, 503, null]],
  ['4xx', [404, 429]],
  ['4xx,5xx', [404, 429, 503]],
  ['>=429 none', [429, 503, null]],
  ['>429', [503]],
  ['<404', [200]],
  ['>4xx', [503]],
  ['<=429', [200, 404, 429]],
  ['errors', [404, 429, 503, null]],
  ['4xx,x', []],
])('the filter %j leaves the statuses %j', (status, expected) => {
  const requests = [200, 404, 429, 503, null].map((one, at) => request({ ordinal: at, status: one }));
  const { shown } = applyFilters(requests, { status }, undefined);
  expect(shown.map((one) => one.status)).toEqual(expected);
  expect(findError(status) === undefined).toBe(status !== '4xx,x');
});

test.each<[filter: string, before: string, after: string]>([
  ['429', '', '429'],
  ['5xx', '429', '429,5xx'],
  ['429', '429,5xx', '5xx'],
  ['errors', '429,5xx', 'errors'],
  ['4xx', 'errors', '4xx'],
])('the chip %j makes the status filter %j to %j', (filter, before, after) => {
  expect(pressChip({ status: before }, filter)).toEqual({ status: after });
});

test('the chips of faults and unmatched requests are switches, and each has its requests', () => {
  expect(pressChip({}, 'faulted')).toEqual({ faulted: '1' });
  expect(pressChip({ faulted: '1' }, 'faulted')).toEqual({ faulted: '' });
  const requests = [
    request({ status: 404, operation: null }),
    request({ status: 404, operation: null, upstream: 'http://127.0.0.1:1' }),
    request({ status: 429, faults: ['listBatches: 429'] }),
    request({ status: null }),
  ];
  expect(chips.map(({ label, test }) => `${label} ${requests.filter(test).length}`)).toEqual([
    'Errors 4',
    '4xx 3',
    '5xx 0',
    'Limited 1',
    'Faulted 1',
    'Unmatched 1',
  ]);
  const { base, marked, shown } = applyFilters(requests, { faulted: '1', range: '' }, new Set([1]));
  expect([base.length, marked.length, shown.length]).toEqual([4, 1, 1]);
});
