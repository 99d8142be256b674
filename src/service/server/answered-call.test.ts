import { expect, test } from 'vitest';
import type { Call, Reply } from '../../core/protocol/call.ts';
import { toAnsweredCall } from './answered-call.ts';

const key = 'sk-0123456789abcdef';

const callOf = (given: Partial<Call>): Call => ({
  method: 'GET',
  path: '/v1/batches',
  query: '',
  header: () => undefined,
  headers: () => ({ 'x-gateway-api-key': key, accept: 'a/b' }),
  body: new Uint8Array(),
  ...given,
});

/** What is reported of a call. */
const show = (call: Partial<Call>, given: Partial<Reply>) => {
  const reply = { status: 200, headers: {}, body: '', ...given };
  const { status } = reply;
  return toAnsweredCall({ call: callOf(call), reply, status, bytes: 7, duration: 1.23456, outcome: 'sent' });
};

const plain = {
  method: 'GET',
  path: '/v1/batches',
  query: '',
  status: 200,
  bytes: 7,
  outcome: 'sent',
  session: null,
  fault: null,
  upstream: null,
  duration: 1.235,
  requestId: '',
  assumptions: [],
};

test.each<[call: Partial<Call>, reply: Partial<Reply>, expected: object]>([
  [{}, {}, {}],
  [{ path: `/v1/${key}` }, {}, { path: '/v1/***cdef' }],
  [{}, { headers: { 'x-mock-fault': `* path=*${key}: reset` } }, { fault: '* path=****cdef: reset' }],
  [{ query: 'limit=5&after=a%20b&&=x&c' }, {}, { query: 'limit=5&after=a%20b&&=x&c' }],
  [{ query: 'b=1&my+token=abcdefghijklmnop' }, {}, { query: 'b=1&my+token=***mnop' }],
  [
    { path: '/v1/abcdefgh', query: 'access_token=abcdefgh' },
    {},
    { path: '/v1/***', query: 'access_token=***' },
  ],
])('the log of the call %j with the reply %j shows %j', (call, reply, expected) => {
  expect(show(call, reply)).toEqual({ ...plain, ...expected });
});
