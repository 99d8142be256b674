import { expect, test } from 'vitest';
import { type RawCall, type Reply, whenEnded } from '../protocol/call.ts';
import { toAnsweredCall } from './answered-call.ts';

const key = 'sk-0123456789abcdef';

const callOf = (given: Partial<RawCall>): RawCall => ({
  method: 'GET',
  path: '/v1/batches',
  query: '',
  header: () => undefined,
  headers: () => ({ 'x-gateway-api-key': key, accept: 'a/b' }),
  body: new Uint8Array(),
  ...given,
});

/** What is reported once the reply has ended. */
const show = (call: Partial<RawCall>, reply: Partial<Reply>) => {
  let shown: object = {};
  const whole = { status: 200, headers: {}, body: '', ...reply };
  const sent = whenEnded(whole, (status) => {
    shown = toAnsweredCall(callOf(call), whole, status, 1.23456);
  });
  sent.delivery?.onEnd?.();
  return shown;
};

const plain = {
  method: 'GET',
  path: '/v1/batches',
  query: '',
  status: 200,
  session: null,
  fault: null,
  upstream: null,
  duration: 1.235,
  requestId: '',
  assumptions: [],
};

test.each<[call: Partial<RawCall>, reply: Partial<Reply>, expected: object]>([
  [{}, {}, {}],
  [
    { method: 'POST', path: '/v1/x%20y' },
    { status: 404 },
    { method: 'POST', path: '/v1/x%20y', status: 404 },
  ],
  [{}, { delivery: { breaks: 'reset' } }, { status: null }],
  [{}, { delivery: { breaks: 'hang-up' } }, {}],
  [{}, { delivery: { delay: 5 } }, {}],
  [
    {},
    { headers: { 'x-mock-session': 'a', 'x-mock-fault': 'listRuns: reset', 'x-request-id': 'req_1' } },
    { session: 'a', fault: 'listRuns: reset', requestId: 'req_1' },
  ],
  [
    {},
    { headers: { 'x-mock-assumptions': 'unknown-thread, error-body' } },
    { assumptions: ['unknown-thread', 'error-body'] },
  ],
  [{ path: `/v1/${key}` }, {}, { path: '/v1/***cdef' }],
  [{ query: `a=${key}&b=1` }, {}, { query: 'a=***cdef&b=1' }],
  [{}, { headers: { 'x-mock-fault': `* path=*${key}: reset` } }, { fault: '* path=****cdef: reset' }],
  [{ query: 'limit=5&after=a%20b&&=x&c' }, {}, { query: 'limit=5&after=a%20b&&=x&c' }],
  [{ query: 'API_KEY=any&b=1' }, {}, { query: 'API_KEY=***&b=1' }],
  [{ query: 'b=1&my+token=abcdefghijklmnop' }, {}, { query: 'b=1&my+token=***mnop' }],
  [{ query: 'token=' }, {}, { query: 'token=' }],
  [
    { path: '/v1/abcdefgh', query: 'access_token=abcdefgh' },
    {},
    { path: '/v1/***', query: 'access_token=***' },
  ],
])('the log of the call %j with the reply %j shows %j', (call, reply, expected) => {
  expect(show(call, reply)).toEqual({ ...plain, ...expected });
});
