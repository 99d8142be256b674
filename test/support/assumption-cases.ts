// For each assumption a call that rests on it, and what is answered under each of its values.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AssumptionId, ChoiceOf } from '../../src/core/assumptions/table.ts';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import type { GatewayServer, ServerOptions } from '../../src/server.ts';
import { defineCall } from '../../src/service/gateway/own-calls.ts';
import { openServer } from './open-gateway.ts';
import { policy, scenarioUnder } from './quota-scenarios.ts';
import { type RawReply, toRawReply } from './raw-http.ts';
import { checkpointsOf, runsOf } from './scenario-calls.ts';
import { keys } from './transports.ts';

const { 'x-gateway-api-key': apiKey } = keys;

const stateDir = mkdtempSync(join(tmpdir(), 'gateway-mock-'));
process.once('exit', () => rmSync(stateDir, { recursive: true, force: true }));

type Ask = (server: GatewayServer) => Promise<RawReply>;

/** What of an answer matters: headers and body are matched in part. */
export interface Wanted {
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: object;
}

/** A call, and the answer under each value of an assumption. */
interface AssumptionCase<Value extends string = string> {
  readonly ask: Ask;
  readonly answers: Readonly<Record<Value, Wanted>>;
  /** Where it is asked. Default: in the scenario `default`. */
  readonly given?: ServerOptions | undefined;
}

const get =
  (path: string, headers: Readonly<Record<string, string>> = {}): Ask =>
  async ({ baseUrl }) =>
    toRawReply(await fetch(baseUrl + path, { headers: { ...keys, ...headers } }));

const getWithout =
  (left: keyof typeof keys, path: string, more: Readonly<Record<string, string>> = {}): Ask =>
  async ({ baseUrl }) => {
    const { [left]: _, ...headers } = keys;
    return toRawReply(await fetch(baseUrl + path, { headers: { ...headers, ...more } }));
  };

const post =
  (prompt: string, body: string, type = 'application/json'): Ask =>
  async ({ baseUrl }) => {
    const headers = { ...keys, 'content-type': type };
    return toRawReply(await fetch(`${baseUrl}/prompts/${prompt}/render`, { method: 'POST', headers, body }));
  };

const variables = { product: 'Pear', name: 'Ada', language: 'English', question: 'Why?' };

/** Renders `prompt_welcome` with more than its variables. */
const renderWith = (root: object): Ask => post('prompt_welcome', JSON.stringify({ variables, ...root }));

const render = (prompt: string, given: object): Ask => post(prompt, JSON.stringify({ variables: given }));

/** An assumption that has no other value. */
const only = <const Value extends string>(value: Value, wanted: Wanted, ask: Ask, given?: ServerOptions) => ({
  ask,
  given,
  answers: { [value]: wanted } as Record<Value, Wanted>,
});

/** One whose value is the status by which it refuses. */
const refusing = <const Status extends string>(
  status: Status,
  error: object,
  ask: Ask,
  given?: ServerOptions,
) => only(status, refused(Number(status), error), ask, given);

const refused = (status: number, error: object = {}): Wanted => ({ status, body: { error } });

const answered = (body: object = {}): Wanted => ({ status: 200, body });

const page = (data: unknown, more: object = {}): Wanted => answered({ object: 'list', data, ...more });

const idsOf = (...ids: string[]) => ids.map((id) => ({ id }));

const count = (wanted: number): unknown => expect.toSatisfy((data) => data.length === wanted);

const without = (field: string): unknown => expect.toSatisfy((value) => !Object.hasOwn(value, field));

/** Whether a time is in the year before the world's clock, in seconds. */
const isLately = (time: number): boolean => time > 1_737_000_000 && time <= 1_768_478_400;

const hasNoReservedKey = (data: object): boolean => !('variables' in data) && !('prompt_id' in data);

const inAnyOrder = (field: string, values: readonly string[]): unknown =>
  expect.arrayContaining(values.map((value) => expect.objectContaining({ [field]: value })));

const mentions = (...words: string[]) => ({ message: expect.stringMatching(words.join('.*')) });

const messagesOf = (...contents: string[]): Wanted =>
  answered({ data: { messages: contents.map((content) => ({ content })) } });

/** Four runs, the newest of which is the fourth, and two batches; the ids tell their order in time. */
const small: Scenario = {
  threads: { t: { records: [1, 2, 3, 4].map((n) => ({ id: `run_${n}`, created_at: 1_760_000_000 + n })) } },
  batches: { records: [1, 2].map((n) => ({ id: `batch_${n}`, created_at: 1_760_000_000 + n })) },
};

/** A world of one prompt, `p`. */
const prompt = (content: string): ServerOptions => ({
  scenario: { prompts: { p: { messages: [{ role: 'user', content }] } } },
});

const withKeys = (own: NonNullable<Scenario['keys']>): ServerOptions => ({
  scenario: { extends: 'default', keys: own },
});

const policyAt = (id: string): string => `/policies/rate-limits/${id}`;

const runStates =
  'queued in_progress requires_action cancelling cancelled failed completed incomplete expired'.split(' ');
const batchStates = 'validating in_progress finalizing completed failed expired cancelling cancelled'.split(
  ' ',
);

/** A status that the mock does not know: only an assumption allows it. */
const paused = 'paused' as 'failed';

const aTokenADay: ServerOptions = {
  scenario: scenarioUnder(policy(1, { type: 'tokens', unit: 'rpd', value: 1 })),
};

/** The type holds that none is left out. */
export const assumptionCases: { readonly [Id in AssumptionId]: AssumptionCase<ChoiceOf<Id>> } = {
  // Identity
  'api-keys': {
    ask: get('/batches', { 'x-gateway-api-key': 'not-listed' }),
    answers: { any: page(count(20)), listed: refused(401, { code: '03' }) },
  },
  'missing-api-key': refusing('401', { code: '03' }, getWithout('x-gateway-api-key', '/batches')),
  'unknown-api-key': refusing('401', { code: '03' }, get('/batches'), withKeys({ valid: ['another'] })),
  'expired-api-key': refusing('401', { code: '01' }, get('/batches'), withKeys({ expired: [apiKey] })),
  'exhausted-api-key': refusing('412', { code: '04' }, get('/batches'), withKeys({ exhausted: [apiKey] })),
  'forbidden-api-key': refusing(
    '403',
    { code: '033' },
    get('/batches'),
    withKeys({ limited: { [apiKey]: ['listRuns'] } }),
  ),
  'missing-virtual-key': {
    ask: getWithout('x-gateway-virtual-key', '/batches', { 'x-gateway-provider': 'openai' }),
    answers: {
      '400': refused(400, mentions('x-gateway-virtual-key')),
      ignored: page(count(20)),
      'stand-in': page(count(20)),
    },
  },
  'unknown-virtual-key': {
    given: withKeys({ virtual: ['another'] }),
    ask: get('/batches'),
    answers: { '400': refused(400, mentions(keys['x-gateway-virtual-key'])), ignored: page(count(20)) },
  },
  'beta-header': {
    ask: get(runsOf('thread_small')),
    answers: { accepted: page(count(6)), required: refused(400, { code: 'invalid_beta' }) },
  },
  bearer: {
    ask: getWithout('x-gateway-api-key', '/batches', { authorization: 'Bearer anything' }),
    answers: { ignored: refused(401, { code: '03' }), 'api-key': page(count(20)) },
  },
  cors: {
    ask: async ({ baseUrl }) => {
      const headers = { origin: 'http://app.test', 'access-control-request-method': 'GET' };
      return toRawReply(await fetch(`${baseUrl}/batches`, { method: 'OPTIONS', headers }));
    },
    answers: {
      open: { status: 204, headers: { 'access-control-allow-origin': 'http://app.test' } },
      refused: refused(401, { code: '03' }),
    },
  },
  'request-id': only(
    'seeded',
    {
      status: 200,
      headers: {
        'x-request-id': expect.stringMatching(/^req_[0-9a-f]{24}$/),
        'x-gateway-trace-id': 'my-trace',
      },
    },
    get('/batches', { 'x-gateway-trace-id': 'my-trace' }),
    { seed: 7 },
  ),
  'session-name': refusing(
    '400',
    { param: 'x-mock-session' },
    get('/batches', { 'x-mock-session': 'no name' }),
  ),
  'session-required': refusing('400', { param: 'x-mock-session' }, get('/batches'), { requireSession: true }),
  'session-removed': refusing(
    '410',
    { param: 'x-mock-session', ...mentions('"first"', 'sessions.create', '--max-sessions') },
    async (server) => {
      for (const name of ['first', 'second']) await server.sessions.create(name);
      return get('/batches', { 'x-mock-session': 'first' })(server);
    },
    { maxSessions: 2 },
  ),
  'session-lost': refusing(
    '410',
    { param: 'x-mock-session', ...mentions('is lost: its file is damaged', 'sessions.create') },
    async (server) => {
      writeFileSync(join(stateDir, 'sessions/first.json'), 'foreign');
      return get('/batches', { 'x-mock-session': 'first' })(server);
    },
    { stateDir },
  ),

  // Errors
  'check-order': only(
    'routing-first',
    refused(401, { code: '03' }),
    getWithout('x-gateway-api-key', `${runsOf('no_such_thread')}?limit=many`),
  ),
  'error-body': only(
    'combined',
    {
      status: 404,
      body: {
        success: false,
        status: 'failure',
        message: expect.any(String),
        error: { message: expect.any(String), type: 'invalid_request_error', param: null, code: null },
        data: { message: expect.any(String), errorCode: 'AB08' },
      },
    },
    get(runsOf('no_such_thread')),
  ),
  'unknown-thread': {
    ask: get(runsOf('no_such_thread')),
    answers: { '404': refused(404, mentions('no_such_thread')), 'empty-list': page([], { has_more: false }) },
  },
  'unknown-job': {
    ask: get(checkpointsOf('no_such_job')),
    answers: {
      '404': refused(404, { param: 'fine_tune_id', code: 'fine_tune_not_found' }),
      'empty-list': page([], { has_more: false }),
    },
  },
  'unknown-prompt': refusing('404', mentions('Invalid prompt id'), render('no_such_prompt', {})),
  'unknown-policy': refusing('404', {}, get(policyAt('22222222-2222-4222-8222-222222222222'))),
  'policy-id-format': refusing('400', { param: 'rateLimitsPolicyId' }, get(policyAt('no-uuid'))),
  'policy-status-value': refusing(
    '400',
    { param: 'status', code: 'invalid_value' },
    get(`${policyAt('11111111-1111-4111-8111-111111111111')}?status=retired`),
  ),
  'limit-too-large': refusing(
    '400',
    { param: 'limit', code: 'integer_above_max_value' },
    get('/batches?limit=101'),
  ),
  'limit-too-small': {
    ask: get('/batches?limit=0'),
    answers: {
      '400': refused(400, { param: 'limit', code: 'integer_below_min_value' }),
      'empty-page': page([], { has_more: false }),
    },
  },
  'limit-format': refusing('400', { param: 'limit', code: 'invalid_type' }, get('/batches?limit=1e1')),
  'checkpoint-limit-bounds': {
    ask: get(`${checkpointsOf('ftjob_demo')}?limit=101`),
    answers: {
      'at-least-1': page(count(41)),
      '1-to-100': refused(400, { param: 'limit', code: 'integer_above_max_value' }),
    },
  },
  'order-value': refusing(
    '400',
    { param: 'order', code: 'invalid_value' },
    get(`${runsOf('thread_small')}?order=DESC`),
  ),
  'unknown-cursor': {
    ask: get('/batches?after=no_such_batch'),
    answers: {
      '404': refused(404, { param: 'after' }),
      '400': refused(400, { param: 'after' }),
      'empty-page': page([], { has_more: false }),
    },
  },
  'blank-parameter': only('absent', page(count(20)), get('/batches?limit=&after=')),
  'repeated-parameter': refusing('400', { param: 'limit' }, get('/batches?limit=1&limit=2')),
  'unknown-parameter': {
    ask: get('/batches?colour=red'),
    answers: { ignored: page(count(20)), '400': refused(400, { param: 'colour' }) },
  },
  'path-encoding': refusing('400', { param: 'thread_id' }, get('/threads/%zz/runs')),
  'body-format': refusing('400', mentions('JSON'), post('prompt_welcome', '{"variables":')),
  'body-type': refusing('415', { param: 'content-type' }, post('prompt_welcome', '{}', 'text/plain')),
  'body-size': refusing(
    '413',
    mentions('10000000'),
    post('prompt_welcome', `{"variables":{"v":"${'x'.repeat(10_000_000)}"}}`),
  ),
  'variables-required': refusing('400', { param: 'variables' }, post('prompt_welcome', '{}')),
  'nested-hyperparameters': refusing(
    '400',
    mentions('at the root'),
    renderWith({ hyperparameters: { max_tokens: 7 } }),
  ),
  'hyperparameter-type': {
    ask: renderWith({ thinking: { budget_tokens: '7' } }),
    answers: {
      '400': refused(400, { param: 'thinking.budget_tokens' }),
      'passed-through': answered({ data: { thinking: { budget_tokens: '7' } } }),
    },
  },
  'hyperparameter-null': {
    ask: renderWith({ temperature: null }),
    answers: {
      'not-sent': answered({ data: { temperature: expect.any(Number) } }),
      kept: answered({ data: { temperature: null } }),
    },
  },
  'extra-fields': {
    ask: async ({ records, baseUrl }) => {
      await records.batches.create({ usage_tier: 7 } as object).catch(() => {});
      return toRawReply(await fetch(`${baseUrl}/batches?limit=1`, { headers: keys }));
    },
    answers: {
      refused: page([without('usage_tier')]),
      kept: page([expect.objectContaining({ usage_tier: 7 })]),
    },
  },
  'unknown-hyperparameter': only(
    'kept',
    answered({ data: { max_completion_tokens: 7 } }),
    renderWith({ max_completion_tokens: 7 }),
  ),
  'unknown-path': refusing('404', mentions('nearest is listBatches', "'batch' where"), get('/batch')),
  'method-not-served': only(
    '405',
    { status: 405, headers: { allow: 'POST, OPTIONS' } },
    get('/prompts/prompt_welcome/render'),
  ),
  'own-call': only('defined', { status: 200, body: { ok: true } }, get('/ping'), {
    calls: [defineCall({ id: 'ping', method: 'GET', path: '/ping', handle: () => ({ ok: true }) })],
  }),

  // Quotas: it is noon, so that a minute begins and half a day is left.
  'quota-window': only(
    'fixed',
    {
      status: 200,
      headers: {
        'x-ratelimit-limit-requests': '3',
        'x-ratelimit-remaining-requests': '2',
        'x-ratelimit-reset-requests': '60',
      },
    },
    get('/batches'),
    { scenario: scenarioUnder(policy(1)) },
  ),
  'quota-exceeded': only(
    '429',
    {
      status: 429,
      headers: { 'retry-after': '1', 'x-ratelimit-remaining-tokens': '1' },
      body: { error: { code: 'rate_limit_exceeded' } },
    },
    render('echo', { text: 'more than a token' }),
    aTokenADay,
  ),
  'retry-after-cap': {
    given: aTokenADay,
    ask: render('echo', { text: 'more than a token' }),
    answers: {
      '1s': { status: 429, headers: { 'retry-after': '1', 'x-ratelimit-reset-tokens': '43200' } },
      none: { status: 429, headers: { 'retry-after': '43200', 'x-ratelimit-reset-tokens': '43200' } },
    },
  },

  'quota-headers': {
    given: aTokenADay,
    ask: render('echo', { text: 'more than a token' }),
    answers: {
      sent: { status: 429, headers: { 'retry-after': '1', 'x-ratelimit-limit-tokens': '1' } },
      none: {
        status: 429,
        headers: { 'retry-after': null, 'x-ratelimit-limit-tokens': null },
        body: { error: { type: 'rate_limits_policy_exhaust_error' } },
      },
    },
  },
  'quota-scope': {
    given: aTokenADay,
    ask: render('echo', { text: 'more than a token' }),
    answers: { all: refused(429), lists: answered() },
  },

  // Lists
  'total-order': only(
    'creation-sequence',
    page(idsOf('run_b', 'run_a', 'run_c')),
    get(`${runsOf('t')}?order=asc`),
    {
      scenario: {
        threads: {
          t: { records: ['run_b', 'run_a', 'run_c'].map((id) => ({ id, created_at: 1_760_000_000 })) },
        },
      },
    },
  ),
  'newest-first': only('desc', page(idsOf('batch_2', 'batch_1')), get('/batches'), { scenario: small }),
  'before-page': only(
    'adjacent',
    page(idsOf('run_3', 'run_2'), { has_more: true }),
    get(`${runsOf('t')}?before=run_1&limit=2`),
    { scenario: small },
  ),
  'after-and-before': only(
    'between',
    page(idsOf('run_3', 'run_2'), { has_more: false }),
    get(`${runsOf('t')}?after=run_4&before=run_1`),
    { scenario: small },
  ),
  'page-ends': only('ends-of-data', answered({ first_id: 'batch_2', last_id: 'batch_1' }), get('/batches'), {
    scenario: small,
  }),
  'empty-run-ends': {
    ask: get(runsOf('thread_empty')),
    answers: {
      'empty-string': page([], { first_id: '', last_id: '' }),
      null: page([], { first_id: null, last_id: null }),
    },
  },
  'absent-values': {
    given: { scenario: { batches: { completed: 1 } } },
    ask: get('/batches'),
    answers: { null: page([{ failed_at: null }]), omitted: page([without('failed_at')]) },
  },

  // Records
  'timestamp-unit': only('seconds', page([{ created_at: expect.toSatisfy(isLately) }]), get('/batches'), {
    scenario: { clock: { start: '2026-01-15T12:00:00Z' }, batches: { validating: 1 } },
  }),
  'absent-metrics': only(
    'validation',
    page(
      [1, 2].map(() => ({
        metrics: { train_loss: expect.any(Number), train_mean_token_accuracy: expect.any(Number) },
      })),
    ),
    get(checkpointsOf('j')),
    { scenario: { jobs: { j: { checkpoints: 2 } } } },
  ),

  // Lifecycles
  'run-states': {
    given: {
      scenario: { threads: { t: { runs: Object.fromEntries(runStates.map((state) => [state, 1])) } } },
    },
    ask: async (server) => {
      await server.records.runs.create({ thread_id: 't', status: paused }).catch(() => {});
      return get(runsOf('t'))(server);
    },
    answers: {
      known: page(inAnyOrder('status', runStates)),
      any: page(inAnyOrder('status', [...runStates, paused])),
    },
  },
  'batch-states': {
    given: { scenario: { batches: Object.fromEntries(batchStates.map((state) => [state, 1])) } },
    ask: async (server) => {
      await server.records.batches.create({ status: paused }).catch(() => {});
      return get('/batches')(server);
    },
    answers: {
      known: page(inAnyOrder('status', batchStates)),
      any: page(inAnyOrder('status', [...batchStates, paused])),
    },
  },
  'policy-keys': only(
    'known',
    answered({ conditions: [{ key: 'workspace_id' }], group_by: [{ key: 'api_key' }] }),
    get(policyAt('11111111-1111-4111-8111-111111111111')),
  ),

  // Rendering
  'template-syntax': only(
    'mustache',
    messagesOf('<&><">'),
    render('p', { list: ['&', '"'] }),
    prompt('{{#list}}<{{.}}>{{/list}}{{^list}}none{{/list}}'),
  ),
  'template-lines': {
    given: prompt('A\n{{#x}}\nB\n{{/x}}\nC'),
    ask: render('p', { x: true }),
    answers: { kept: messagesOf('A\n\nB\n\nC'), removed: messagesOf('A\nB\nC') },
  },
  'template-text': only(
    'json',
    messagesOf('Say "hi"', 'Hi'),
    render('t', { text: 'Say "hi"', more: [{ content: 'Hi' }] }),
    {
      scenario: { prompts: { t: { string: '[{"role":"user","content":"{{text}}"}, {{more}}]' } } },
    },
  ),
  'structured-values': {
    given: prompt('{{list}}'),
    ask: render('p', { list: [1, { a: null }] }),
    answers: {
      json: messagesOf('[1,{"a":null}]'),
      '500': refused(500, mentions('list', 'Send it as a string')),
    },
  },
  'missing-partial': refusing(
    '400',
    { message: 'Missing prompt partials: nobody' },
    render('p', { x: false }),
    prompt('{{#x}}{{>nobody}}{{/x}}'),
  ),
  'missing-variable': {
    given: prompt('Hello {{name}}!'),
    ask: render('p', {}),
    answers: {
      empty: messagesOf('Hello !'),
      '400': refused(400, { param: 'variables', ...mentions('name') }),
    },
  },
  'root-messages': {
    given: prompt('the template'),
    ask: post('p', JSON.stringify({ variables: {}, messages: [{ role: 'user', content: 'the root' }] })),
    answers: { 'replace-template': messagesOf('the root'), 'template-wins': messagesOf('the template') },
  },
  'root-messages-rendered': only(
    'verbatim',
    messagesOf('{{v}}'),
    post('p', JSON.stringify({ variables: { v: 1 }, messages: [{ role: 'user', content: '{{v}}' }] })),
    prompt('the template'),
  ),
  'hyperparameter-precedence': only(
    'request',
    answered({ data: { temperature: 0, top_p: 0.5, max_tokens: 400 } }),
    renderWith({ temperature: 0, top_p: 0.5 }),
  ),
  'render-reserved-keys': only(
    'left-out',
    answered({ data: expect.toSatisfy(hasNoReservedKey) }),
    renderWith({ prompt_id: 'prompt_welcome' }),
  ),
  'prompt-version': only(
    'suffix',
    messagesOf('Summarise: a text'),
    render('prompt_versions@first', { text: 'a text' }),
  ),
  'recursive-partial': refusing('400', mentions('p@1 > p@1'), render('p', {}), prompt('{{>p}}')),
  'render-size': refusing(
    '400',
    mentions('10000000 steps'),
    render('p', { list: Array(11).fill(1), text: 'x'.repeat(1_000_000) }),
    prompt('{{#list}}{{text}}{{/list}}'),
  ),
};

/** Asks once, in a server of its own, under one value of the assumption. */
export const askUnder = async ({ ask, given }: AssumptionCase, assume: ServerOptions['assume']) => {
  const server = await openServer({ ...given, assume });
  const { status, header, text } = await ask(server);
  const marks = header('x-mock-assumptions')?.split(', ') ?? [];
  return { status, header, text, marks, listed: await server.assumptions.list() };
};
