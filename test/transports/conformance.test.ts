import { describe, expect, test } from 'vitest';
import { createHttpTarget } from '../../src/conformance/client.ts';
import { findAssumptions } from '../../src/conformance/run/report.ts';
import { type CheckReport, runChecks } from '../../src/conformance/run/run-checks.ts';
import type { CheckSamples } from '../../src/conformance/types.ts';
import type { AssumptionChoices } from '../../src/protocol/assumptions.ts';
import type { ShippedScenario } from '../../src/scenario/shipped-names.ts';
import { isFull } from '../support/settings.ts';
import { describeTransports, keys, transports } from '../support/transports.ts';

const active = '11111111-1111-4111-8111-111111111111';
const runs = '/threads/thread_demo/runs';
const checkpoints = '/fine_tuning/jobs/ftjob_demo/checkpoints';
const render = '/prompts/prompt_welcome/render';
const json = { 'content-type': 'application/json' };

const samples = {
  thread: 'thread_demo',
  job: 'ftjob_demo',
  policy: active,
  archivedPolicy: '22222222-2222-4222-8222-222222222222',
  prompt: 'prompt_welcome',
  variables: { product: 'a product', language: 'a language', name: 'a name', question: 'a question' },
} satisfies CheckSamples & Record<keyof CheckSamples, unknown>;

const brokenIn = ({ results }: CheckReport): unknown[] =>
  results.filter(({ outcome }) => outcome === 'failed').map(({ check, findings }) => [check.id, ...findings]);

/** The shipped scenarios that switch assumptions, and the one that does not: the checks find what each has switched. */
const switched: readonly (readonly [
  scenario: ShippedScenario,
  given: CheckSamples,
  found: AssumptionChoices,
])[] = [
  ['default', samples, {}],
  ['default', { thread: 'thread_small' }, {}],
  ['default', { thread: 'thread_empty', job: 'ftjob_empty' }, {}],
  [
    'lenient-answers',
    samples,
    {
      'missing-virtual-key': 'ignored',
      'unknown-thread': 'empty-list',
      'unknown-job': 'empty-list',
      'unknown-cursor': 'empty-page',
      'hyperparameter-type': 'passed-through',
      'absent-values': 'omitted',
      'empty-run-ends': 'null',
      'root-messages': 'template-wins',
    },
  ],
  [
    'strict-answers',
    samples,
    {
      'beta-header': 'required',
      'unknown-parameter': '400',
      'checkpoint-limit-bounds': '1-to-100',
      'unknown-cursor': '400',
      'missing-variable': '400',
    },
  ],
];

/** The quickest one, unless all are looked at: that they answer alike, equal-bytes.test.ts tests. */
const one = Object.fromEntries(
  Object.entries(transports).filter(([name]) => name === 'the server, the direct way'),
);

for (const [scenario, given, found] of switched)
  describeTransports(
    `the checks in ${scenario}, at ${given.thread}`,
    { scenario },
    ({ baseUrl }) => {
      test('are kept, and what differs from an assumption is what the scenario switches', async () => {
        const accepted = { apiKey: 'key-valid', virtualKey: 'virtual-valid' };
        const report = await runChecks(createHttpTarget(baseUrl(), accepted, given));
        expect(brokenIn(report)).toEqual([]);
        expect(findAssumptions(report)).toEqual(found);
        expect(report.unanswered).toBe(0);
        if (given !== samples) return;
        const left = report.results
          .filter(({ outcome }) => outcome === 'unchecked')
          .map(({ check }) => check.id);
        // Where the messages of a call are not taken, nothing is known of the system message among them.
        const unseen = 'root-messages' in found ? ['render-messages'] : [];
        expect(left.filter((id) => !id.startsWith('assumed:'))).toEqual(unseen);
      });
    },
    isFull ? transports : one,
  );

/** What a refused call answers: its status, and what `error` says of it. */
interface Refusal {
  readonly status: number;
  readonly error: object;
  readonly marks: string;
}

const expectRefusal = async (reply: Response, { status, error, marks }: Refusal): Promise<void> => {
  expect(reply.status).toBe(status);
  expect((await reply.json()).error).toMatchObject(error);
  expect(reply.headers.get('x-mock-assumptions')).toBe(`${marks}, error-body`);
};

describeTransports('errors', {}, ({ call, post, share }) => {
  test.each(
    share([
      [
        `${runs}?limit=101`,
        'limit-too-large',
        {
          param: 'limit',
          code: 'integer_above_max_value',
          message:
            "Invalid 'limit': integer above maximum value. Expected a value <= 100, but got 101 instead.",
        },
      ],
      [
        `${runs}?limit=0`,
        'limit-too-small',
        {
          param: 'limit',
          code: 'integer_below_min_value',
          message: "Invalid 'limit': integer below minimum value. Expected a value >= 1, but got 0 instead.",
        },
      ],
      ['/batches?limit=-1', 'limit-too-small', { param: 'limit', code: 'integer_below_min_value' }],
      [
        '/batches?limit=99999999999999999999',
        'limit-too-large',
        {
          message:
            "Invalid 'limit': integer above maximum value. Expected a value <= 100, but got 99999999999999999999 instead.",
        },
      ],
      ['/batches?limit=abc', 'limit-format', { param: 'limit', code: 'invalid_type' }],
      ['/batches?limit=1.5', 'limit-format', { code: 'invalid_type' }],
      ['/batches?limit=1e2', 'limit-format', { code: 'invalid_type' }],
      ['/batches?limit=%205', 'limit-format', { code: 'invalid_type' }],
      ['/batches?limit=%2B5', 'limit-format', { code: 'invalid_type' }],
      ['/batches?limit=0x10', 'limit-format', { code: 'invalid_type' }],
      ['/batches?limit=%D9%A3', 'limit-format', { code: 'invalid_type' }],
      [
        `${runs}?order=ASC`,
        'order-value',
        {
          param: 'order',
          code: 'invalid_value',
          message: "Invalid value: 'ASC'. Supported values are: 'asc' and 'desc'.",
        },
      ],
      [`${runs}?order=asc&order=desc`, 'repeated-parameter', { param: 'order' }],
      [`${runs}?after=a&after=a`, 'repeated-parameter', { param: 'after' }],
      ['/threads/%zz/runs', 'path-encoding', { param: 'thread_id' }],
      ['/policies/rate-limits/abc', 'policy-id-format', { param: 'rateLimitsPolicyId' }],
    ]),
  )('%s is answered by 400 under %s', async (target, marks, error) => {
    await expectRefusal(await call(target), {
      status: 400,
      error: { type: 'invalid_request_error', ...error },
      marks,
    });
  });

  test.each(
    share([
      ['/threads/nobody/runs', 'unknown-thread', { message: "No thread found with id 'nobody'." }],
      [
        '/fine_tuning/jobs/nobody/checkpoints',
        'unknown-job',
        { message: 'Could not find fine tune: nobody', param: 'fine_tune_id', code: 'fine_tune_not_found' },
      ],
      [`${runs}?after=run_nobody`, 'unknown-cursor', { param: 'after' }],
      [`${runs}?before=run_nobody`, 'before-page, unknown-cursor', { param: 'before' }],
      ['/batches?after=batch_nobody', 'unknown-cursor', { param: 'after' }],
      [`${checkpoints}?after=ftckpt_nobody`, 'unknown-cursor', { param: 'after' }],
      ['/Batches', 'unknown-path', {}],
      ['/batches/', 'unknown-path', {}],
      ['/threads//runs', 'unknown-path', {}],
      ['/', 'unknown-path', {}],
    ]),
  )('%s is answered by 404 under %s', async (target, marks, error) => {
    await expectRefusal(await call(target), {
      status: 404,
      error: { code: null, param: null, ...error },
      marks,
    });
  });

  test('a cursor of another list is unknown in this one', async () => {
    const other = await (await call('/threads/thread_small/runs?limit=1')).json();
    await expectRefusal(await call(`${runs}?after=${other.first_id}`), {
      status: 404,
      error: { param: 'after' },
      marks: 'unknown-cursor',
    });
  });

  test('a path that no operation has names the nearest one, and what differs', async () => {
    const { message } = await (await call('/thread/thread_demo/runs')).json();
    expect(message).toContain('listRuns, GET /threads/{thread_id}/runs');
    expect(message).toContain("segment 1 is 'thread' where 'threads' was expected");
  });

  test.each(
    share([
      ['/batches', 'DELETE', 'GET, HEAD, OPTIONS'],
      ['/batches', 'POST', 'GET, HEAD, OPTIONS'],
      [render, 'GET', 'POST, OPTIONS'],
      [render, 'HEAD', 'POST, OPTIONS'],
    ]),
  )('%s is not served by %s, and Allow says by what', async (target, method, allow) => {
    const reply = await call(target, { method });
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe(allow);
    expect(reply.headers.get('x-mock-assumptions')).toBe('method-not-served, error-body');
  });

  test.each(
    share([
      ['no JSON', '{"variables":', json, 400, 'body-format', null],
      ['an array', '[]', json, 400, 'body-format', null],
      ['nothing', '', json, 400, 'body-format', null],
      ['plain text', '{"variables":{}}', { 'content-type': 'text/plain' }, 415, 'body-type', 'content-type'],
      ['no variables', '{}', json, 400, 'variables-required', 'variables'],
      ['variables that are a list', '{"variables":[]}', json, 400, 'variables-required', 'variables'],
      [
        'nested hyperparameters',
        '{"variables":{},"hyperparameters":{}}',
        json,
        400,
        'nested-hyperparameters',
        'hyperparameters',
      ],
      ['a wrong type', '{"variables":{},"max_tokens":"7"}', json, 400, 'hyperparameter-type', 'max_tokens'],
    ]),
  )('a body of %s is refused', async (_title, body, headers, status, marks, param) => {
    await expectRefusal(await post(render, body, { ...keys, ...headers }), {
      status,
      error: { param },
      marks,
    });
  });

  test('the body that carries an error has all that the families of clients read', async () => {
    const reply = await call(`${runs}?limit=101`);
    const message =
      "Invalid 'limit': integer above maximum value. Expected a value <= 100, but got 101 instead.";
    expect(await reply.json()).toEqual({
      success: false,
      status: 'failure',
      message,
      error: { message, type: 'invalid_request_error', param: 'limit', code: 'integer_above_max_value' },
      data: { message, errorCode: 'AB01' },
    });
  });
});

describeTransports('parameters that say nothing', {}, ({ getJson, share }) => {
  test.each(
    share(['limit=', 'after=', 'order=&before=', 'unknown=1', 'unknown=1&unknown=2', '&&', 'limit=020']),
  )('?%s is as if it were absent, or the default', async (query) => {
    expect(await getJson(`${runs}?${query}`)).toEqual(await getJson(runs));
  });
});

const lockedOut = {
  scenario: {
    threads: { thread_demo: { runs: 1 } },
    prompts: { prompt_welcome: 'prompt_welcome' },
    keys: {
      valid: ['good'],
      expired: ['old'],
      limited: { narrow: ['listRuns'] },
      virtual: ['vk-1', 'vk-2'],
    },
  },
};

describeTransports('keys', lockedOut, ({ call, post, share }) => {
  const virtual = { 'x-gateway-virtual-key': 'vk-1' };

  test.each(
    share([
      [
        'no API key',
        {},
        401,
        {
          code: '03',
          type: 'authentication_error',
          message: expect.stringMatching(/^Invalid API Key: the header x-gateway-api-key is missing/),
        },
        'missing-api-key',
      ],
      ['an empty one', { 'x-gateway-api-key': '' }, 401, { code: '03' }, 'missing-api-key'],
      // As two empty headers arrive.
      ['two empty ones', { 'x-gateway-api-key': ', ' }, 401, { code: '03' }, 'missing-api-key'],
      [
        'one that is not listed',
        { 'x-gateway-api-key': 'bad' },
        401,
        {
          code: '03',
          message: 'Invalid API Key',
        },
        'unknown-api-key',
      ],
      ['an expired one', { 'x-gateway-api-key': 'old' }, 401, { code: '01' }, 'expired-api-key'],
      [
        'no virtual key',
        { 'x-gateway-api-key': 'good' },
        400,
        { param: 'x-gateway-virtual-key' },
        'missing-virtual-key',
      ],
      [
        'a virtual key that is not listed',
        { 'x-gateway-api-key': 'good', 'x-gateway-virtual-key': 'vk-9' },
        400,
        { message: 'Following keys are not valid: vk-9' },
        'unknown-virtual-key',
      ],
    ]),
  )('%s is refused', async (_title, headers, status, error, marks) => {
    await expectRefusal(
      await call('/threads/thread_demo/runs', { headers: headers as Record<string, string> }),
      { status, error, marks },
    );
  });

  test('a limited key serves its operations, and is forbidden the others', async () => {
    const headers = { ...virtual, 'x-gateway-api-key': 'narrow' };
    expect((await call('/threads/thread_demo/runs', { headers })).status).toBe(200);
    await expectRefusal(await call('/batches', { headers }), {
      status: 403,
      error: { code: '033', type: 'permission_error' },
      marks: 'forbidden-api-key',
    });
  });

  test('a listed key is served, and Authorization is not looked at', async () => {
    const headers = { ...virtual, 'x-gateway-api-key': 'good', authorization: 'Bearer whatever' };
    expect((await call('/batches', { headers })).status).toBe(200);
  });

  test('the checks come in their order: path, method, API key, virtual key, parameters, body, existence', async () => {
    const none = { headers: {} as Record<string, string> };
    const narrow = { headers: { 'x-gateway-api-key': 'good' } };
    const both = { headers: { ...virtual, 'x-gateway-api-key': 'good' } };
    const statusOf = async (reply: Promise<Response>) =>
      (await reply).headers.get('x-mock-assumptions')?.split(',')[0];
    expect(await statusOf(call('/nothing?limit=0', none))).toBe('unknown-path');
    expect(await statusOf(call('/batches', { ...none, method: 'PUT' }))).toBe('method-not-served');
    expect(await statusOf(call('/threads/%zz/runs?limit=0', none))).toBe('missing-api-key');
    expect(await statusOf(call('/threads/nobody/runs?limit=0', narrow))).toBe('missing-virtual-key');
    expect(await statusOf(call('/threads/nobody/runs?limit=0', both))).toBe('limit-too-small');
    expect(await statusOf(call('/threads/nobody/runs?limit=1', both))).toBe('unknown-thread');
    expect(await statusOf(post('/prompts/nobody/render', '{', {}))).toBe('missing-api-key');
    expect(
      await statusOf(post('/prompts/nobody/render', '{', { ...json, 'x-gateway-api-key': 'good' })),
    ).toBe('body-format');
    expect(
      await statusOf(
        post('/prompts/nobody/render', '{"variables":{}}', { ...json, 'x-gateway-api-key': 'good' }),
      ),
    ).toBe('unknown-prompt');
  });
});

describeTransports('HTTP', {}, ({ call, post }) => {
  test.each([runs, '/batches', checkpoints, `/policies/rate-limits/${active}`])(
    'HEAD %s answers as GET does, without the body',
    async (target) => {
      const [head, get] = [await call(target, { method: 'HEAD' }), await call(target)];
      expect(head.status).toBe(200);
      expect(await head.text()).toBe('');
      expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength));
    },
  );

  test.each([
    ['/batches', 'GET, HEAD, OPTIONS'],
    [render, 'POST, OPTIONS'],
  ])('OPTIONS %s tells the methods, without a key', async (target, allow) => {
    const reply = await call(target, { method: 'OPTIONS', headers: {} });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('allow')).toBe(allow);
  });

  test('a page of another origin may send its headers, and read those of the reply', async () => {
    const origin = 'https://app.test';
    const asked = 'content-type, x-gateway-api-key, x-gateway-virtual-key, x-my-own';
    const preflight = await call(render, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': asked },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-headers')).toBe(asked);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    for (const path of ['/batches', '/batches?limit=0', '/nothing']) {
      const reply = await call(path, { headers: { ...keys, origin } });
      expect(reply.headers.get('access-control-allow-origin')).toBe(origin);
      expect(reply.headers.get('access-control-expose-headers')).toContain('x-request-id');
    }
  });

  test('a trace id is echoed; without one the reply makes its own', async () => {
    const headers = { ...keys, 'x-gateway-trace-id': 'trace-of-mine' };
    expect((await call('/batches', { headers })).headers.get('x-gateway-trace-id')).toBe('trace-of-mine');
    expect((await call('/batches')).headers.get('x-gateway-trace-id')).toMatch(/^trace_/);
    for (const [sent, echoed] of [
      ['a trace of mine', /^a trace of mine$/],
      ['x'.repeat(256), /^x{256}$/],
      ['x'.repeat(257), /^trace_/],
      ['\xe9', /^trace_/],
    ] as const) {
      const reply = await call('/batches', { headers: { ...keys, 'x-gateway-trace-id': sent } });
      expect(reply.headers.get('x-gateway-trace-id')).toMatch(echoed);
    }
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.api+json',
    'APPLICATION/JSON',
  ])('a body of the type %s is read', async (type) => {
    expect((await post(render, { variables: {} }, { ...keys, 'content-type': type })).status).toBe(200);
  });
});

describe('assumptions that are switched to an error', () => {
  const cases: readonly (readonly [AssumptionChoices, path: string, error: object])[] = [
    [{ 'unknown-cursor': '400' }, `${runs}?after=x`, { param: 'after' }],
    [{ 'unknown-parameter': '400' }, '/batches?page=2', { param: 'page', code: 'unknown_parameter' }],
    [{ 'beta-header': 'required' }, runs, { code: 'invalid_beta' }],
  ];
  for (const [choices, path, error] of cases)
    describeTransports(`${JSON.stringify(choices)} on ${path}`, { assumptions: choices }, ({ call }) => {
      test('answers 400, and says what is wrong', async () => {
        const reply = await call(path);
        expect(reply.status).toBe(400);
        expect(await reply.json()).toMatchObject({ error });
      });
    });
});
