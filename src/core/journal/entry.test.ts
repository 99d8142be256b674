import { describe, expect, test } from 'vitest';
import { entryOf as makeEntry } from '../../../test/support/journal-entry.ts';
import { setLimit } from '../../../test/support/set-limit.ts';
import type { Call, Reply } from '../protocol/call.ts';
import { copyRequest, type Trace } from './recorded-request.ts';

const key = 'sk-0123456789abcdef';
const bytesOf = (text: string) => new TextEncoder().encode(text);

const sent: Partial<Call> = {
  method: 'POST',
  path: '/v1/prompts/p/render',
  query: 'a=1&b=2&b=3&b=4&c=',
  headers: () => ({ 'x-gateway-api-key': key, 'x-a': ['1', '2'], 'x-none': undefined, 'x-b': 'b' }),
  body: bytesOf('{"é":1}'),
};

const reply: Reply = {
  status: 200,
  headers: { 'x-request-id': 'req_1', 'x-c': 'c' },
  body: '{"data":1}',
};

const requestOf = (call: Partial<Call> = {}, trace: Trace = {}, given: Reply | null = reply) =>
  makeEntry({ ...sent, ...call }, given, { time: 90, ...trace, assumptions: ['body-format'] }).request;

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
  outcome: 'sent',
  status: 200,
  bytes: 0,
  reply: { headers: reply.headers, body: reply.body },
  faults: [],
  idleFaults: [],
  assumptions: ['body-format'],
  page: null,
  nearest: null,
  upstream: null,
  refusal: null,
  duration: null,
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
    expect(requestOf()).toEqual(recorded);
    expect(requestOf({}, trace)).toEqual({ ...recorded, ...trace });
  });

  test('gets its duration when the reply was sent, also if it was read before', () => {
    const entry = makeEntry();
    const { request } = entry;
    expect(request.duration).toBeNull();
    entry.duration = 7;
    expect(entry.request).toBe(request);
    expect([request.duration, copyRequest(request).duration]).toEqual([7, 7]);
  });

  test('is copied without bodies if they are not wanted', () => {
    const reply = { ...recorded.reply, body: null };
    expect(copyRequest(requestOf({}, trace), false)).toEqual({ ...recorded, ...trace, body: null, reply });
  });

  test('has the start of a large body, and says so', () => {
    setLimit('keptBody', 6);
    const long = 'é'.repeat(3);
    const exact = makeEntry({ body: bytesOf(long) });
    expect([exact.request.body, exact.maskedValues.isCut]).toEqual([long, undefined]);
    const { body, reply: replied } = requestOf({ body: bytesOf(`${long}é`) }, {}, { ...reply, body: long });
    expect(body).toBe(`${long}… (cut: the journal keeps 6 of 8 bytes)`);
    expect(replied?.body).toBe(long);
    expect(requestOf({}, {}, { ...reply, body: `${long}${long}ab` }).reply?.body).toContain(
      'keeps 6 of 8 bytes',
    );
  });

  test.each<[what: string, call: Partial<Call>, reply: Reply | null, expected: object]>([
    ['a null body if none was sent', { body: new Uint8Array() }, reply, { body: null }],
    ['a null body if it was too large', { body: 'too-large' }, reply, { body: null }],
    ['none if it was left to other handlers', {}, null, { id: '', outcome: null, status: null, reply: null }],
    [
      'none after a reset',
      {},
      { ...reply, delivery: { breaks: 'reset' } },
      { outcome: 'lost', status: null, reply: null },
    ],
    ['one without a body', {}, { ...reply, body: null }, { reply: { ...recorded.reply, body: null } }],
  ])('has %s', (_what, call, given, expected) => {
    const entry = makeEntry({ ...sent, ...call }, given, { time: 90, assumptions: ['body-format'] });
    expect(entry.request).toEqual({ ...recorded, ...expected });
  });

  test('hides a credential wherever the same value stands', () => {
    const hidden = '***cdef';
    const shown = requestOf(
      {
        path: `/v1/${key}`,
        query: `${key}=${key}&b=1&b=${key}`,
        headers: () => ({ authorization: `Bearer ${key}`, 'x-a': `<${key}>` }),
        body: bytesOf(`{"a":"${key}","password":"from-the-body"}`),
      },
      {
        params: { a: key },
        faults: [`* path=*${key}: reset`],
        idleFaults: [{ fault: `* path=${key}: reset`, reason: `no ${key}` }],
        page: { ids: [key], has_more: false },
        nearest: `no ${key}`,
      },
      { status: 200, headers: { 'x-c': key }, body: `${key} from-the-body` },
    );
    expect(shown).toMatchObject({
      path: `/v1/${hidden}`,
      query: { [hidden]: hidden, b: ['1', hidden] },
      headers: { authorization: hidden, 'x-a': `<${hidden}>` },
      body: `{"a":"${hidden}","password":"***"}`,
      params: { a: hidden },
      faults: [`* path=*${hidden}: reset`],
      idleFaults: [{ fault: `* path=${hidden}: reset`, reason: `no ${hidden}` }],
      page: { ids: [key], has_more: false }, // the ids of records are not masked
      nearest: `no ${hidden}`,
      reply: { headers: { 'x-c': hidden }, body: `${hidden} ***` },
    });
  });
});

const long = 'x'.repeat(10_000);

test.each<[call: Partial<Call>, reply: Partial<Reply>, trace: Trace]>([
  [{ path: long }, {}, {}],
  [{ query: long }, {}, {}],
  [{ headers: () => ({ cookie: long }) }, {}, {}],
  [{ body: new Uint8Array(10_000) }, {}, {}],
  [{}, { headers: { 'x-gateway-trace-id': long } }, {}],
  [{}, { body: long }, {}],
  [{}, {}, { params: { thread_id: long } }],
  [{}, {}, { page: { ids: Array(1000).fill('0123456789'), has_more: false } }],
  [{}, {}, { faults: [long] }],
  [{}, {}, { idleFaults: [{ fault: long, reason: '' }] }],
  [{}, {}, { nearest: long }],
])('the memory of an entry counts what is long: %#', (call, reply, trace) => {
  expect(makeEntry(call, reply, trace).memoryUsed).toBeGreaterThan(9500);
});

test.each<[query: string, expected: object]>([
  ['', {}],
  ['a', { a: '' }],
  ['a=%20b+c', { a: ' b c' }],
  ['a=1&b=2&a=1', { a: ['1', '1'], b: '2' }],
])('the query "%s" is shown as %j', (query, expected) => {
  expect(requestOf({ query }).query).toEqual(expected);
});
