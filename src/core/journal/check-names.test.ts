import { expect, test } from 'vitest';
import { operations } from '../scenario/scenario-schema.ts';
import { checkNames, findUnknownParams, type RequestFilter } from './request-filter.ts';

test.each<RequestFilter>([
  {},
  { operation: 'listRuns', method: 'get', path: '/v1/*', params: { thread_id: '*' } },
  { operation: 'list*', query: { a: 'b' }, headers: { 'x-a': '*' } },
  { status: 100, faulted: false, unmatched: true },
  { status: '4xx', assumption: 'unknown-*' },
])('accepts the filter %j', (given) => {
  expect(checkNames(given, operations)).toEqual(given);
});

test('normalizes the line of a fault, and the names of headers', () => {
  expect(checkNames({ headers: { 'X-A': 'B' } }, operations)).toEqual({ headers: { 'x-a': 'B' } });
  expect(checkNames({ fault: 'listRuns#1-:   503' }, operations)).toEqual({ fault: 'listRuns: 503' });
});

test.each<[given: object, words: string | RegExp]>([
  [{ operation: 'listRun' }, 'unknown operation "listRun". Did you mean "listRuns"?'],
  [{ method: 'GETT' }, 'unknown method "GETT". Did you mean "GET"?'],
  [{ assumption: 'unknown-thred' }, 'unknown assumption "unknown-thred". Did you mean "unknown-thread"?'],
  [{ params: { thread: 'a' } }, /^unknown path parameter "thread"\./],
  [{ path: '/batches' }, /^the path "\/batches" does not begin with \/v1.* unmatched: true\.$/],
  [{ path: '/api/*' }, /does not begin with \/v1/],
  [
    { path: '/sessions/mine/v1/batches' },
    'the path "/sessions/mine/v1/batches" contains a session, which is not a part of it. Use "/v1/batches", and the control of the session "mine".',
  ],
  [{ headers: { 'x a': '1' } }, /^invalid header name "x a"/],
  [
    { headers: { 'X-Gateway-Virtual-Key': 'PROD*' } },
    /^"x-gateway-virtual-key" is masked.*"PROD\*" is a pattern/i,
  ],
  [{ query: { access_token: '***1234' } }, /^"access_token" is masked/],
  [{ status: 99 }, 'invalid status 99: it must be from 100 to 599.'],
  [
    { path: '/v1/batches?limit=5' },
    'the path "/v1/batches?limit=5" contains a query: filter by query instead, such as { limit: \'5\' }.',
  ],
  [{ fault: 'listRun: reset' }, /^Failed to read the fault "listRun: reset": unknown operation "listRun"\./],
  ...['listRuns for=10m: 503', '* for=10m: 503'].map((fault): [object, RegExp] => [
    { fault },
    /changed when the fault was added.*: use the line from faults\.list\(\)\.$/,
  ]),
  [
    { operation: 'listBatches', method: 'POST' },
    'no request has operation "listBatches" and method "POST": it has only GET, HEAD, OPTIONS.',
  ],
  [
    { operation: 'listRuns', path: '/v1/batches' },
    'no request has operation "listRuns" and path "/v1/batches": its path is /v1/threads/{thread_id}/runs.',
  ],
  [{ operation: 'listRuns', unmatched: true }, 'no request has unmatched and operation "listRuns".'],
  [
    { faulted: false, fault: 'listRuns: reset' },
    'no request has faulted: false and fault "listRuns: reset".',
  ],
  [
    { operation: 'listBatches', query: { afer: '*' } },
    'no request has the query parameter "afer". Did you mean "after"?',
  ],
  [
    { operation: 'listBatches', params: { thread_id: 'x' } },
    'unknown path parameter "thread_id". There are none.',
  ],
  [{ outcome: 'sent', status: 'none' }, 'no request has outcome "sent" and status none.'],
  [{ outcome: 'lost', status: 200 }, 'no request has outcome "lost" and status 200.'],
  [{ outcome: 'pending', status: 'none' }, 'no request has outcome "pending" and status none.'],
  [
    { headers: { 'X-Gateway-Virtal-Key': 'a' } },
    'no request has the header "X-Gateway-Virtal-Key". Did you mean "x-gateway-virtual-key"?',
  ],
  [
    { status: 99, operation: 'x' },
    /^unknown operation "x".*; invalid status 99: it must be from 100 to 599\.$/,
  ],
])('refuses the filter %j', (given, words) => {
  const messageOf = (): string => {
    try {
      checkNames(given, operations);
      return '';
    } catch (error) {
      return String(error);
    }
  };
  const [start, ...rest] = messageOf().split('Failed to read the request filter: ');
  expect(start).toBe('Error: ');
  expect(rest.join('')).toEqual(typeof words === 'string' ? words : expect.stringMatching(words));
});

test('a path that does not begin with /v1 is accepted for unmatched requests, as a pattern that may, and if the journal has it', () => {
  for (const filter of [
    { path: '/other', unmatched: true },
    { path: '*batches' },
    { path: '/v1*' },
    { path: '/*' },
  ])
    expect(checkNames(filter, operations)).toEqual(filter);
  expect(checkNames({ path: '/other' }, operations, ({ path }) => path === '/other')).toEqual({
    path: '/other',
  });
});

test.each([
  { operation: 'listBatches', method: 'get', path: '/v1/batches' },
  { operation: 'listRuns', method: 'OPTIONS', path: '/v1/threads/*' },
  { operation: 'list*', method: 'HEAD', path: '/v1/threads/t/runs' },
  { outcome: 'sent', status: 200, unmatched: false, faulted: true, fault: 'listRuns: reset' },
  { outcome: 'lost', status: 'none', unmatched: true },
  { headers: { 'x-gateway-trace-id': 'a', 'x-gateway': 'b', 'x-tenant': 'c' } },
] satisfies RequestFilter[])('the filter %j is accepted', (filter: RequestFilter) => {
  expect(checkNames(filter, operations)).toEqual(filter);
});

test('a name that is nearly a header of the contract is accepted if a request has it', () => {
  const filter = { headers: { 'x-gateway-config2': 'a' } };
  expect(checkNames(filter, operations, ({ headers }) => headers?.['x-gateway-config2'] === '*')).toEqual(
    filter,
  );
});

test('a path parameter is known if one of the operations has it', () => {
  expect(findUnknownParams(undefined, operations)).toEqual([]);
  expect(findUnknownParams({ thread_id: 'a', promptId: 'b' }, operations)).toEqual([]);
  expect(findUnknownParams({ 'thread_*': 'a' }, operations)).toEqual([]);
  expect(findUnknownParams({ thread_id: 'a' }, [])).toHaveLength(1);
});
