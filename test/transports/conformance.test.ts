import { expect, test } from 'vitest';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import { describeTransports, keys } from '../support/transports.ts';

const active = '11111111-1111-4111-8111-111111111111';
const runs = '/threads/thread_demo/runs';
const checkpoints = '/fine_tuning/jobs/ftjob_demo/checkpoints';
const render = '/prompts/prompt_welcome/render';
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

/** A call, and how it is refused. What `error` says of it: the tests of src/core/protocol. */
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
const by = (method: string): RequestInit => ({ method, headers: keys });
const noKey = { headers: {} };
const text = { 'content-type': 'text/plain' };
const none = undefined;

const refusals: readonly Refusal[] = [
  [`${runs}?limit=101`, none, 400, 'limit-too-large', 'limit'],
  ['/batches?limit=%D9%A3', none, 400, 'limit-format', 'limit'],
  [`${runs}?order=ASC`, none, 400, 'order-value', 'order'],
  [`${runs}?after=a&after=a`, none, 400, 'repeated-parameter', 'after'],
  ['/threads/%zz/runs', none, 400, 'path-encoding', 'thread_id'],
  ['/policies/rate-limits/abc', none, 400, 'policy-id-format', 'rateLimitsPolicyId'],
  ['/threads/nobody/runs', none, 404, 'unknown-thread'],
  ['/fine_tuning/jobs/nobody/checkpoints', none, 404, 'unknown-job', 'fine_tune_id'],
  [`${checkpoints}?after=ftckpt_nobody`, none, 404, 'unknown-cursor', 'after'],
  [`${runs}?before=run_nobody`, none, 404, 'before-page, unknown-cursor', 'before'],
  ['/Batches', none, 404, 'unknown-path'],
  ['/batches/', none, 404, 'unknown-path'],
  ['/threads//runs', none, 404, 'unknown-path'],
  ['/batches', by('DELETE'), 405, 'method-not-served'],
  [render, by('GET'), 405, 'method-not-served'],
  [render, withBody('{"variables":'), 400, 'body-format'],
  [render, withBody('{"variables":{}}', text), 415, 'body-type', 'content-type'],
  [render, withBody('{"variables":[]}'), 400, 'variables-required', 'variables'],
  [render, withBody('{"variables":{},"max_tokens":"7"}'), 400, 'hyperparameter-type', 'max_tokens'],
  ['/batches', noKey, 401, 'missing-api-key'],
  ['/batches', withKey(', '), 401, 'missing-api-key'], // as two empty headers arrive
  ['/batches', withKey('bad'), 401, 'unknown-api-key'],
  ['/batches', withKey('old'), 401, 'expired-api-key'],
  ['/batches', withKey('narrow'), 403, 'forbidden-api-key'],
  ['/batches', withKey('test-key', ''), 400, 'missing-virtual-key', 'x-gateway-virtual-key'],
  ['/batches', withKey('test-key', 'vk-9'), 400, 'unknown-virtual-key', 'x-gateway-virtual-key'],
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
      if (status === 405)
        expect(reply.headers.get('allow')).toBe(path === render ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS');
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
