// The texts that are made of a request, and the filters.
import { expect, test } from 'vitest';
import { parseRule } from '../../../core/faults/rule.ts';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { chainOf, findAttempts } from './attempts.ts';
import { applySearch, chips, parseSearch, toggleTerm } from './filter.ts';
import { whyOf } from './status.tsx';
import { describeOutcome, toCall, toCurl, toFaultLine } from './texts.ts';
import { findLinks, toScale } from './waterfall.tsx';

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
  outcome: given.status === null ? 'lost' : 'sent',
  status: 200,
  bytes: 0,
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
  expect(toCurl(toCall(request(given), 'http://127.0.0.1:1/v1', {}))).toMatch(expected);
});

test.each([
  '/v1/threads/thread_demo/runs',
  '/v1/threads/a"b/runs',
  '/v1/threads/x:/runs:',
  '/v1/threads/%20%22{/runs',
  '/v1/threads/=*[{"/runs',
])('the fault made of %s can be read, and is of that path', (path) => {
  const line = toFaultLine(request({ operation: 'listRuns', params: { thread_id: 'x' }, path }));
  expect(parseRule(line)).toMatchObject({
    operation: 'listRuns',
    from: 1,
    to: 1,
    path,
    effect: { kind: 'error', text: '503' },
  });
});

test.each([
  ['listBatches#1 times=2: reset', { status: null }, 'reset'],
  ['listBatches: delay 2s', { status: 200 }, 'delay 2s'],
  ['*: 429 retry-after=7 message="Slow: down"', { status: 429 }, '429 retry-after=7 message="Slow: down"'],
  ['listBatches: delay 2s | *: 503', { status: 503 }, '503'],
  [undefined, { status: 502 }, '502'],
  [undefined, { status: 200 }, '503'],
])('the fault made of a call that %s acted on has its effect', (line, given, effect) => {
  const fault = toFaultLine(request({ ...given, faults: line?.split(' | ') ?? [] }));
  expect(parseRule(fault).line).toBe(parseRule(`listBatches#1: ${effect}`).line);
});

test.each<[string, (number | null)[]]>([
  ['', [200, 404, 429, 503, null]],
  ['status:4xx', [404, 429]],
  ['status:4xx,5xx', [404, 429, 503]],
  ['STATUS:5XX', [503]],
  ['is:failed', [404, 429, 503, null]],
  ['outcome:lost', [null]],
  ['op:listbatches outcome:sent,lost', [200, 404, 429, 503, null]],
  ['op:listRuns', []],
  ['status:4xx,x', []],
])('the search %j leaves the statuses %j', (text, expected) => {
  const requests = [200, 404, 429, 503, null].map((status, at) => request({ ordinal: at, status }));
  const search = parseSearch(text);
  expect(applySearch(requests, search, undefined).map(({ status }) => status)).toEqual(expected);
  expect(search.error === undefined).toBe(text !== 'status:4xx,x');
});

test('words of a search that are no terms are for the server', () => {
  expect(parseSearch('http://a status:404 x:y zebra').words).toBe('http://a x:y zebra');
});

test('a chip adds its term to the search, and takes it out', () => {
  expect(toggleTerm('zebra', 'is:failed')).toBe('zebra is:failed');
  expect(toggleTerm('zebra is:failed', 'is:failed')).toBe('zebra');
  const requests = [
    request({ status: 404, operation: null }),
    request({ status: 404, operation: null, upstream: 'http://127.0.0.1:1' }),
    request({ status: 429, faults: ['listBatches: 429'] }),
    request({ status: null }),
  ];
  expect(
    chips.map(({ term }) => `${term} ${applySearch(requests, parseSearch(term), undefined).length}`),
  ).toEqual(['is:failed 4', 'is:faulted 1', 'status:429 1', 'is:unmatched 1']);
});

test.each<[string, Partial<RecordedRequest>, string | undefined]>([
  ['a plain call', {}, undefined],
  ['an error by fault', { status: 503, faults: ['listBatches#1: 503'] }, '503 by fault'],
  ['a delay', { faults: ['listBatches: delay 3s'] }, '+3 s'],
  ['a connection that a fault closed', { status: null, faults: ['listBatches: reset'] }, 'reset'],
  ['a reply that a fault cut', { outcome: 'cut', bytes: 1476, faults: ['*: hang-up'] }, 'cut at 1,476 B'],
  ['a client that left', { status: null }, 'client left'],
  ['an unknown path', { status: 404, operation: null }, 'no such path'],
])('the reason of %s is said in a few words', (_, fields, expected) => {
  expect(whyOf(request(fields), undefined)?.text).toBe(expected);
});

test.each<[Partial<RecordedRequest>, string]>([
  [{ outcome: 'pending', duration: null }, 'The reply is under way'],
  [{ bytes: 2953, duration: 12 }, 'Sent in 12 ms, 2,953 bytes'],
  [{ duration: 1000 }, 'Sent in 1.0 s, 0 bytes'],
  [{ outcome: 'lost', status: null, duration: 97 }, 'The client left after 97 ms, before the reply'],
  [
    { outcome: 'lost', faults: ['*: reset'], duration: 2 },
    'The connection was closed after 2.0 ms, before the reply',
  ],
  [
    {
      outcome: 'cut',
      bytes: 1476,
      duration: 20,
      faults: ['*: hang-up'],
      reply: { headers: {}, body: '{"data… (cut: 1476 of 2953 bytes were sent)' },
    },
    'Cut at 1,476 of 2,953 bytes, after 20 ms',
  ],
  [
    { outcome: 'cut', bytes: 1476, duration: 97, faults: ['*: drip 2s'] },
    'The client left after 97 ms, at 1,476 bytes',
  ],
])('what became of the reply %j is said as %j', (fields, expected) => {
  expect(describeOutcome(request(fields))).toBe(expected);
});

test('calls that were sent again after they failed are counted as attempts of one call', () => {
  const at = (second: number) => `2026-11-22T12:00:0${second}Z`;
  const requests = [
    request({ ordinal: 1, status: 503, receivedAt: '2026-11-22T11:58:50Z', duration: 70_000 }),
    request({ ordinal: 2, status: 429, receivedAt: at(1) }),
    request({ ordinal: 3, status: 503, receivedAt: at(1), path: '/v1/other' }),
    request({ ordinal: 6, receivedAt: at(2), headers: { 'user-agent': 'curl/8.14' } }),
    request({ ordinal: 4, receivedAt: at(3) }),
    request({ ordinal: 5, receivedAt: at(4) }),
  ];
  expect(
    [...findAttempts(requests)].map(([ordinal, { before, count }]) => [ordinal, before.ordinal, count]),
  ).toEqual([
    [2, 1, 2],
    [4, 2, 3],
  ]);
  const [, second = request({})] = requests;
  expect(chainOf(second, requests).map(({ ordinal }) => ordinal)).toEqual([1, 2, 4]);
  expect(toScale(requests.slice(0, 3))).toEqual({
    from: Date.parse('2026-11-22T11:58:50Z'),
    to: Date.parse(at(1)) + 1,
  });
  const links = findLinks(requests.toReversed(), findAttempts(requests));
  expect(
    [...links].map(([ordinal, lines]) => [
      ordinal,
      lines.map(({ before, after }) => [before.ordinal, after.ordinal]),
    ]),
  ).toEqual([
    [4, [[2, 4]]],
    [6, [[2, 4]]],
    [3, [[2, 4]]],
    [
      2,
      [
        [2, 4],
        [1, 2],
      ],
    ],
    [1, [[1, 2]]],
  ]);
});
