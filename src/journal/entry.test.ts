import { describe, expect, test, vi } from 'vitest';
import { flattenHeaders, type RawCall, type Reply } from '../protocol/call.ts';
import {
  bodySizeOf,
  type Entry,
  idOf,
  queryOf,
  sizeOf,
  type Trace,
  toEntry,
  toRecordedRequest,
  toRequestWithoutBodies,
} from './entry.ts';

const key = 'sk-0123456789abcdef';
const bytesOf = (text: string) => new TextEncoder().encode(text);

const callOf = (given: Partial<RawCall> = {}): RawCall => ({
  method: 'POST',
  path: '/v1/prompts/p/render',
  query: 'a=1&b=2&b=3&b=4&c=',
  header: () => undefined,
  headers: () => ({ 'x-gateway-api-key': key, 'x-a': ['1', '2'], 'x-none': undefined, 'x-b': 'b' }),
  body: bytesOf('{"é":1}'),
  ...given,
});

const reply: Reply = {
  status: 200,
  headers: { 'x-request-id': 'req_1', 'x-c': 'c' },
  body: '{"data":1}',
};

const entryOf = (call: Partial<RawCall> = {}, trace: Trace = {}, given: Reply | undefined = reply) =>
  toEntry(callOf(call), 90, trace, given, ['body-format']);

const recorded = {
  id: 'req_1',
  ordinal: 0,
  time: '1970-01-01T00:01:30.000Z',
  receivedAt: expect.any(String),
  method: 'POST',
  path: '/v1/prompts/p/render',
  operation: null,
  params: {},
  query: { a: '1', b: ['2', '3', '4'], c: '' },
  headers: { 'x-gateway-api-key': '***cdef', 'x-a': '1, 2', 'x-b': 'b' },
  body: '{"é":1}',
  status: 200,
  reply: { headers: reply.headers, body: reply.body },
  faults: [],
  idleFaults: [],
  assumptions: ['body-format'],
  page: null,
  nearest: null,
  upstream: null,
  refusal: null,
  duration: null,
  bodiesDropped: false,
};

const trace: Trace = {
  operation: 'listRuns',
  params: { thread_id: 'a' },
  faults: ['listRuns: delay 1s'],
  idleFaults: [{ fault: 'listRuns: reset', reason: 'why' }],
  page: { ids: ['run_1', 'run_2'], has_more: true },
  nearest: 'The nearest is listRuns.',
  upstream: 'http://127.0.0.1:5000/v1',
};

describe('a recorded request', () => {
  test('has all that was sent and replied', () => {
    expect(toRecordedRequest(entryOf())).toEqual(recorded);
    expect(toRecordedRequest(entryOf({}, trace))).toEqual({ ...recorded, ...trace });
    expect(toRecordedRequest({ ...entryOf(), duration: 7 }).duration).toBe(7);
  });

  test('has no bodies if they are not wanted', () => {
    expect(toRequestWithoutBodies(entryOf({}, trace))).toEqual({
      ...recorded,
      ...trace,
      body: null,
      reply: { ...recorded.reply, body: null },
    });
  });

  test.each<[what: string, call: Partial<RawCall>, reply: Reply | undefined, expected: object]>([
    ['has a null body if none was sent', { body: new Uint8Array() }, reply, { body: null }],
    ['has a null body if it was too large', { body: 'too-large' }, reply, { body: null }],
    ['has a null body if it broke off', { body: 'broken' }, reply, { body: null }],
    ['has no reply if the request was passed through', {}, undefined, { id: '', status: null, reply: null }],
    [
      'has no reply after a reset',
      {},
      { ...reply, delivery: { breaks: 'reset' } },
      { id: 'req_1', status: null, reply: null },
    ],
    ['has the reply after a hang-up', {}, { ...reply, delivery: { breaks: 'hang-up' } }, {}],
    [
      'has a reply without a body',
      {},
      { ...reply, body: null },
      { reply: { ...recorded.reply, body: null } },
    ],
  ])('%s', (_what, call, given, expected) => {
    const entry = toEntry(callOf(call), 90, {}, given, ['body-format']);
    expect(toRecordedRequest(entry)).toEqual({ ...recorded, ...expected });
  });

  test('hides credentials everywhere', () => {
    const hidden = '***cdef';
    const shown = toRecordedRequest(
      toEntry(
        callOf({
          path: `/v1/${key}`,
          query: `${key}=${key}&b=1&b=${key}`,
          headers: () => ({ authorization: `Bearer ${key}`, 'x-a': `<${key}>` }),
          body: bytesOf(`{"a":"${key}"}`),
        }),
        0,
        {
          params: { a: key },
          faults: [`* path=*${key}: reset`],
          idleFaults: [{ fault: `* path=${key}: reset`, reason: `no ${key}` }],
          page: { ids: [key], has_more: false },
          nearest: `no ${key}`,
        },
        { status: 200, headers: { 'x-c': key, 'x-mock-assumptions': key }, body: key },
        [],
      ),
    );
    expect(shown).toMatchObject({
      path: `/v1/${hidden}`,
      query: { [hidden]: hidden, b: ['1', hidden] },
      headers: { authorization: hidden, 'x-a': `<${hidden}>` },
      body: `{"a":"${hidden}"}`,
      params: { a: hidden },
      faults: [`* path=*${hidden}: reset`],
      idleFaults: [{ fault: `* path=${hidden}: reset`, reason: `no ${hidden}` }],
      page: { ids: [hidden], has_more: false },
      nearest: `no ${hidden}`,
      // Assumption names are never secret.
      reply: { headers: { 'x-c': hidden, 'x-mock-assumptions': key }, body: hidden },
    });
  });

  test.each([
    [400, '{"message":"not valid: ***"}'],
    [399, '{"message":"not valid: $&"}'],
  ])('hides a short key at the end of a message only in errors (%i)', (status, body) => {
    const call = { headers: () => ({ 'x-gateway-api-key': '$&' }) };
    const given = { status, headers: {}, body: '{"message":"not valid: $&"}' };
    expect(toRecordedRequest(entryOf(call, {}, given)).reply?.body).toBe(body);
  });
});

test('the id of a request without a reply is empty', () => {
  expect([idOf(entryOf()), idOf({ ...entryOf(), replyHeaders: null })]).toEqual(['req_1', '']);
});

test('credentials leave the entry when it is read, and the size of its bodies stays the same', () => {
  const entry = entryOf({ path: `/v1/${key}`, query: `a=${key}`, body: bytesOf(`{"a":"${key}"}`) });
  const size = bodySizeOf(entry);
  const first = toRecordedRequest(entry);
  const kept = JSON.stringify([entry, new TextDecoder().decode(entry.body ?? undefined)]);
  expect(kept).not.toContain(key);
  expect(bodySizeOf(entry)).toBe(size);
  expect(toRecordedRequest(entry)).toEqual(first);
});

test('the size of an entry is the size of its bodies', () => {
  expect(bodySizeOf(entryOf())).toBe(8 + 10);
  expect(bodySizeOf({ ...entryOf(), body: null })).toBe(10);
  expect(bodySizeOf({ ...entryOf(), replyBody: null })).toBe(8);
  expect(bodySizeOf({ ...entryOf(), body: null, replyBody: null })).toBe(0);
});

const long = 'x'.repeat(10_000);

test.each<[what: string, longer: Partial<Entry>]>([
  ['path', { call: { method: 'GET', path: long, query: '' } }],
  ['query', { call: { method: 'GET', path: '', query: long } }],
  ['header', { headers: { cookie: long } }],
  ['name of a header', { headers: { [long]: '' } }],
  ['header of the reply', { replyHeaders: { 'x-gateway-trace-id': long } }],
  ['body', { body: new Uint8Array(10_000) }],
  ['body of the reply', { replyBody: long }],
  ['path parameter', { trace: { params: { thread_id: long } } }],
  ['page', { trace: { page: { ids: Array(1000).fill('0123456789'), has_more: false } } }],
  ['fault', { trace: { faults: [long] } }],
  ['fault that could not act', { trace: { idleFaults: [{ fault: long, reason: '' }] } }],
  ['description of the nearest operation', { trace: { nearest: long } }],
])('the memory of an entry counts a long %s', (_what, longer) => {
  expect(sizeOf({ ...entryOf(), ...longer })).toBeGreaterThan(9500);
});

test.each<[query: string, expected: object]>([
  ['', {}],
  ['a', { a: '' }],
  ['a=%20b+c', { a: ' b c' }],
  ['a=1&b=2&a=1', { a: ['1', '1'], b: '2' }],
])('the query "%s" is shown as %j', (query, expected) => {
  expect(queryOf(entryOf({ query }))).toEqual(expected);
});

test('each header becomes one text, whatever its name', () => {
  const flat = flattenHeaders(JSON.parse('{"__proto__":"a","b":["c","d"],"e":[]}'));
  expect(Object.entries(flat)).toEqual([
    ['__proto__', 'a'],
    ['b', 'c, d'],
    ['e', ''],
  ]);
});

test('a parameter that is repeated thousands of times is read in time linear in the query', () => {
  const put = vi.spyOn(Map.prototype, 'set');
  const found = queryOf({ call: { method: 'GET', path: '/', query: 'a=1&'.repeat(5000) } });
  const writes = put.mock.calls.length;
  put.mockRestore();
  expect([found.a?.length, writes]).toEqual([5000, 1]);
});
