import { expect, test } from 'vitest';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import { describeTransports, keys } from '../support/transports.ts';

const active = '11111111-1111-4111-8111-111111111111';
const runs = '/threads/thread_demo/runs';
const checkpoints = '/fine_tuning/jobs/ftjob_demo/checkpoints';
const json = { 'content-type': 'application/json' };

const scenario: Scenario = {
  extends: 'default',
  keys: {
    valid: ['test-key'],
    expired: ['old'],
    limited: { narrow: ['listRuns'] },
    virtual: ['test-virtual-key'],
  },
};

/** A call that has several reasons to be refused, and how it is. One reason each: test/support/assumption-cases.ts. */
type Refusal = readonly [
  path: string,
  init: RequestInit | undefined,
  status: number,
  marks: string,
  param?: string,
];

const withBody = (body: string, headers: object = json): RequestInit => ({
  method: 'POST',
  headers: { ...keys, ...headers },
  body,
});
const withKey = (key: string, virtual = 'test-virtual-key'): RequestInit => ({
  headers: { 'x-gateway-api-key': key, 'x-gateway-virtual-key': virtual },
});
const noKey = { headers: {} };
const none = undefined;

const refusals: readonly Refusal[] = [
  [`${runs}?before=run_nobody`, none, 404, 'before-page, unknown-cursor', 'before'],
  ['/batches', withKey(', '), 401, 'missing-api-key'], // as two empty headers arrive
  // Several reasons to refuse: path, method, API key, virtual key, parameters, body, existence, in this order.
  ['/nothing?limit=0', noKey, 404, 'unknown-path'],
  ['/batches', { ...noKey, method: 'PUT' }, 405, 'method-not-served'],
  ['/threads/%zz/runs?limit=0', noKey, 401, 'missing-api-key'],
  [
    '/threads/nobody/runs?limit=0',
    withKey('test-key', ''),
    400,
    'missing-virtual-key',
    'x-gateway-virtual-key',
  ],
  ['/threads/nobody/runs?limit=0', none, 400, 'limit-too-small', 'limit'],
  ['/prompts/nobody/render', { ...withBody('{'), ...noKey }, 401, 'missing-api-key'],
  ['/prompts/nobody/render', withBody('{'), 400, 'body-format'],
  ['/prompts/nobody/render', withBody('{"variables":{}}'), 404, 'unknown-prompt'],
];

describeTransports('a call', { scenario }, ({ call, share }) => {
  test.for(share(refusals))(
    '%s %j is refused by %i under %s',
    async ([path, init, status, marks, param = null]) => {
      const reply = await call(path, init);
      expect(reply.status).toBe(status);
      expect((await reply.json()).error.param).toBe(param);
      expect(reply.headers.get('x-mock-assumptions')).toBe(`${marks}, error-body`);
    },
  );

  test.each(share([runs, '/batches', checkpoints, `/policies/rate-limits/${active}`]))(
    'by HEAD is answered as by GET, without the body: %s',
    async (target) => {
      const [head, get] = [await call(target, { method: 'HEAD' }), await call(target)];
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength));
    },
  );

  test.each(
    share([
      [undefined, /^trace_/],
      ['a trace of mine', /^a trace of mine$/],
      ['x'.repeat(256), /^x{256}$/],
      ['x'.repeat(257), /^trace_/],
      ['\xe9', /^trace_/],
    ] as const),
  )('with the trace id %j gets %s', async (sent, echoed) => {
    const headers = { ...keys, ...(sent !== undefined && { 'x-gateway-trace-id': sent }) };
    expect((await call('/batches', { headers })).headers.get('x-gateway-trace-id')).toMatch(echoed);
  });
});
