// Our own server with one thing broken at a time, and the checks that must fail.

import { goodCalls } from '../../src/conformance/calls.ts';
import type { AssumptionId } from '../../src/protocol/assumptions.ts';
import { isMapping } from '../../src/util/mapping.ts';
import { tryParse } from '../../src/util/try-parse.ts';
import { blindSpotMutants } from './mutants-of-blind-spots.ts';
import { cursorMutants } from './mutants-of-cursors.ts';
import { pageMutants, shapeMutants } from './mutants-of-lists.ts';
import {
  batches,
  type Change,
  checkpoints,
  inBody,
  inBodyWith,
  inData,
  inPages,
  inQuery,
  inRecords,
  inTexts,
  type Json,
  letIn,
  limitOf,
  type Mutant,
  on,
  policy,
  render,
  runs,
  toPattern,
  without,
} from './mutate.ts';

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** As JSON of ASCII alone has it. */
const escapeAsJson = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const inPolicy = (change: object): Change => inBody(policy, (body) => ({ ...body, ...change }));

const policyMutants: readonly Mutant[] = [
  [
    'status is ignored',
    ['policy-status-filter', 'policy-archived-filter', 'policy-default-archived'],
    on(policy, (call, respond) => {
      const found = respond({ ...call, query: 'status=active' });
      return found.status === 200 ? found : respond({ ...call, query: 'status=archived' });
    }),
  ],
  [
    'archived policies are found by default',
    ['policy-default-archived'],
    on(policy, (call, respond) => {
      const found = respond(call);
      return found.status === 200 || call.query ? found : respond({ ...call, query: 'status=archived' });
    }),
  ],
  [
    'the default status is archived',
    ['policy-default-status', 'policy-default-archived'],
    inQuery(policy, (query) => query.has('status') || query.set('status', 'archived')),
  ],
  ['another policy is found', ['policy-id'], inPolicy({ id: '33333333-3333-4333-8333-333333333333' })],
  ['the type of a policy is another', ['policy-schema'], inPolicy({ type: 'dollars' })],
  ['the unit of a policy is in upper case', ['policy-schema'], inPolicy({ unit: 'RPM' })],
  ['the unit of a policy is null', ['policy-schema'], inPolicy({ unit: null })],
  ['a policy has no value', ['policy-schema'], inBody(policy, without('value'))],
  ['the workspace of a policy is not a uuid', ['policy-schema'], inPolicy({ workspace_id: 'workspace-1' })],
  ['the time of a policy is no date-time', ['policy-schema'], inPolicy({ created_at: '2026-01-15 12:00' })],
  ['the time of a policy is a number', ['policy-schema'], inPolicy({ last_updated_at: 1_768_478_400 })],
  ['conditions are an object', ['policy-schema'], inPolicy({ conditions: { model: 'a' } })],
];

const inMessages = (change: (messages: readonly Json[]) => readonly Json[]): Change =>
  inData((data) => ({ ...data, messages: change(data.messages as Json[]) })); // renderings have them

/** Changes the variables before the server sees them. */
const inVariables = (change: (variables: Json) => Json): Change =>
  on(render, (call, respond) => {
    const { variables, ...body } = Object(tryParse(call.body ?? ''));
    return isMapping(variables)
      ? respond({ ...call, body: JSON.stringify({ variables: change(variables), ...body }) })
      : respond(call);
  });

/** Changes the texts among them. */
const inTextVariables = (change: (text: string) => string): Change =>
  inVariables((variables) =>
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        typeof value === 'string' ? change(value) : value,
      ]),
    ),
  );

/** Refuses a rendering with a field at the root of its body. */
const refuseField = (name: string, status = 400): Change =>
  on(render, (call, respond) => ({
    ...respond(call),
    ...(Object.hasOwn(Object(tryParse(call.body ?? '')), name) && { status }),
  }));

/** Shows another text in the place of a variable's. */
const inVariable = (name: string, text: string): Change =>
  inVariables((variables) => ({ ...variables, [name]: text }));

const renderMutants: readonly Mutant[] = [
  [
    'variables are not substituted',
    ['render-substitutes'],
    inData((data) => ({ ...data, messages: [{ role: 'user', content: 'Hello {{name}}' }] })),
  ],
  ['success is false', ['render-body'], inBody(render, (body) => ({ ...body, success: false }))],
  ['success is missing', ['render-schema', 'render-body'], inBody(render, without('success'))],
  ['messages are missing', ['render-body', 'render-substitutes'], inData(without('messages'))],
  [
    'there are no messages',
    ['render-body', 'render-substitutes'],
    inData((data) => ({ ...data, messages: [] })),
  ],
  [
    'the contents of messages are objects',
    ['render-schema'],
    inBody(render, (body) =>
      JSON.parse(JSON.stringify(body).replace(/"content":(".*?[^\\]")/g, '"content":{"text":$1}')),
    ),
  ],
  [
    'hyperparameters that are sent come back as texts',
    ['render-schema', 'render-hyperparameters'],
    inData((data) => (data.temperature === 1 ? data : { ...data, temperature: String(data.temperature) })),
  ],
  ['the second variable is left as its tag', ['render-substitutes'], inVariable('question', '{{question}}')],
  [
    'the second variable is left as a tag with blanks',
    ['render-substitutes'],
    inVariable('question', '{{ question }}'),
  ],
  ['the second variable is lost', ['render-substitutes'], inVariable('question', '')],
  [
    'a variable is substituted once alone',
    ['render-substitutes'],
    inMessages((messages) =>
      messages.map((message) => ({
        ...message,
        content: String(message.content).replace(/^Hello .*?,/, 'Hello {{name}},'),
      })),
    ),
  ],
  [
    'the names of variables are matched without regard to case',
    ['render-variable-names'],
    inVariables((variables) =>
      Object.fromEntries(Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value])),
    ),
  ],
  [
    'the names of variables are matched without regard to case where there is no better',
    ['render-variable-names'],
    inVariables((variables) => ({ ...variables, name: variables.name ?? variables.NAME })),
  ],
  ['values are put in in lower case', ['render-letters'], inTextVariables((text) => text.toLowerCase())],
  ['values are put in in upper case', ['render-letters'], inTextVariables((text) => text.toUpperCase())],
  [
    'letters beyond ASCII are lost from values',
    ['render-unicode'],
    inTextVariables((text) => text.replace(/[^ -~\s]/g, '?')),
  ],
  [
    'values are cut behind their first word',
    ['render-letters'],
    inTextVariables((text) => text.split(' ')[0] ?? ''),
  ],
  [
    'numbers among the variables are dropped',
    ['render-numbers'],
    inVariables((variables) =>
      Object.fromEntries(Object.entries(variables).filter(([, value]) => typeof value === 'string')),
    ),
  ],
  ...[
    'messages',
    'stream',
    'tools',
    'tool_choice',
    'response_format',
    'top_p',
    'presence_penalty',
    'functions',
  ].map((name): Mutant => [`${name} is refused at the root`, ['render-parameters'], refuseField(name)]),
  ['tools are answered by 500', ['render-parameters'], refuseField('tools', 500)],
  ['stream is answered by 503', ['render-parameters'], refuseField('stream', 503)],
  [
    'a temperature of 0 is dropped',
    ['render-zero-values'],
    inData((data) => (data.temperature === 0 ? without('temperature')(data) : data)),
  ],
  [
    'a temperature of 0 is taken for none',
    ['render-zero-values'],
    inData((data) => ({ ...data, temperature: data.temperature || 1 })),
  ],
  [
    'false is dropped',
    ['render-zero-values'],
    inData((data) => (data.logprobs === false ? without('logprobs')(data) : data)),
  ],
  [
    'system messages are lost',
    ['render-messages'],
    inMessages((messages) => messages.filter(({ role }) => role !== 'system')),
  ],
  ['the first message is lost', ['render-messages'], inMessages((messages) => messages.slice(1))],
  [
    'max_tokens is a text',
    ['render-schema', 'render-hyperparameters'],
    inData((data) => ({ ...data, max_tokens: `${data.max_tokens}` })),
  ],
  [
    'hyperparameters are nested',
    ['render-body'],
    inData(({ messages, ...hyperparameters }) => ({ messages, hyperparameters })),
  ],
  [
    'values are taken for a replacement',
    ['render-special-characters'],
    inTexts((text) => text.replaceAll('$$', '$')),
  ],
];

const needingVirtualKey =
  (change: Change): Change =>
  (call, respond) =>
    call.without?.includes('x-gateway-virtual-key') ? change(call, respond) : respond(call);

const acceptBlankKey: Change = (call, respond) => {
  const { 'x-gateway-api-key': key, ...headers } = call.headers ?? {};
  return respond(key === '' ? { ...call, headers } : call);
};

const keyMutants: readonly Mutant[] = [
  ['the API key is not checked', goodCalls.map(({ name }) => `${name}-api-key`), letIn('x-gateway-api-key')],
  ...(['runs', 'batches', 'checkpoints'] as const).map(
    (name): Mutant => [
      `the API key of ${name} is not checked where limit is sent`,
      [`${name}-api-key`],
      on({ runs, batches, checkpoints }[name], (call, respond) =>
        limitOf(call) === undefined ? respond(call) : letIn('x-gateway-api-key')(call, respond),
      ),
    ],
  ),
  [
    'the API key of policies is not checked where status is sent',
    ['policy-api-key'],
    on(policy, (call, respond) => (call.query ? letIn('x-gateway-api-key')(call, respond) : respond(call))),
  ],
  ['a blank API key is accepted', goodCalls.map(({ name }) => `${name}-api-key`), acceptBlankKey],
  ['the API key is not checked for renderings', ['render-api-key'], on(render, letIn('x-gateway-api-key'))],
  [
    'the virtual key is asked for with policies',
    ['policy-virtual-key'],
    needingVirtualKey(on(policy, (call, respond) => ({ ...respond(call), status: 400 }))),
  ],
  [
    'the virtual key is asked for with renderings',
    ['render-virtual-key'],
    needingVirtualKey(on(render, (call, respond) => ({ ...respond(call), status: 400 }))),
  ],
];

/** What can be broken of any operation. */
const successMutants: readonly Mutant[] = goodCalls.map(({ name, contract }) => [
  `${contract.id} answers by 201`,
  [`${name}-success`],
  on(toPattern(contract), (call, respond) => ({
    ...respond(call),
    status: 201,
  })),
]);

/** What breaks a promise of the contract. */
export const mutants: readonly Mutant[] = [
  ...successMutants,
  ...pageMutants,
  ...shapeMutants,
  ...cursorMutants,
  ...policyMutants,
  ...renderMutants,
  ...keyMutants,
  ...blindSpotMutants,
];

/** What is done in another way where the contract is silent: the assumptions that must be told, each with what fits. */
export type Variant = readonly [
  title: string,
  differs: Readonly<Partial<Record<AssumptionId, string | undefined>>>,
  change: Change,
];

/** The contract says that values are substituted; not that they stay as they are, nor what comes of hyperparameters. */
const renderVariants: readonly Variant[] = (
  [
    ['renderings are escaped for HTML', inTexts(escapeHtml)],
    ['renderings are escaped for JSON', inTexts((text) => JSON.stringify(text).slice(1, -1))],
    ['other scripts are escaped', inTexts((text) => text.replace(/[^ -~\s]/g, escapeAsJson))],
  ] as const
).map(([title, change]) => [title, { 'template-syntax': undefined }, change]);

/** What has no time for a second call is not accused of anything. */
const busyVariants: readonly Variant[] = [
  [
    'calls without a key are answered by 429',
    {},
    (call, respond) => (call.without ? { ...respond(call), status: 429 } : respond(call)),
  ],
  ['a rendering with stream is answered by 429', {}, refuseField('stream', 429)],
];

export const variants: readonly Variant[] = [
  ...renderVariants,
  [
    'values and messages are rendered once more',
    { 'template-syntax': undefined, 'root-messages-rendered': undefined },
    inTexts((text) => text.replace(/\{\{\w+\}\}/g, '')),
  ],
  [
    'the hyperparameters of the template win',
    { 'template-syntax': undefined, 'hyperparameter-precedence': undefined },
    inData((data) => ({ ...data, temperature: 1 })),
  ],
  [
    'prompt_id is passed on',
    { 'render-reserved-keys': undefined },
    inData((data) => ({ ...data, prompt_id: 'gwm' })),
  ],
  [
    'hyperparameters are dropped',
    { 'template-syntax': undefined, 'unknown-hyperparameter': undefined },
    inData(({ messages }) => ({ messages })),
  ],
  ...busyVariants,
  [
    'a page of checkpoints has at most 11',
    { 'checkpoint-limit-bounds': undefined },
    inQuery(checkpoints, (query) => Number(query.get('limit')) > 11 && query.set('limit', '11')),
  ],
  [
    'checkpoints are listed with a limit up to 12',
    { 'checkpoint-limit-bounds': undefined },
    on(checkpoints, (call, respond) => ({
      ...respond(call),
      ...((limitOf(call) ?? 0) > 12 && { status: 400 }),
    })),
  ],
  [
    'a checkpoint has no step_number',
    { 'absent-values': undefined },
    inRecords(checkpoints, without('step_number')),
  ],
  [
    'the model of a checkpoint is null',
    { 'absent-values': undefined },
    inRecords(checkpoints, { fine_tuned_model_checkpoint: null }),
  ],
  [
    'a training is not measured',
    { 'absent-metrics': undefined },
    inRecords(checkpoints, { metrics: { step: 5 } }),
  ],
  ...(['runs', 'batches', 'checkpoints'] as const).map(
    (name): Variant => [
      `${name} are created in milliseconds`,
      { 'timestamp-unit': undefined },
      inRecords({ runs, batches, checkpoints }[name], (record) => ({
        ...record,
        created_at: Number(record.created_at) * 1000,
      })),
    ],
  ),
  [
    'all timestamps of runs are in milliseconds',
    { 'timestamp-unit': undefined },
    inRecords(runs, (run) =>
      Object.fromEntries(
        Object.entries(run).map(([name, value]) => [
          name,
          /_at$/.test(name) && typeof value === 'number' ? value * 1000 : value,
        ]),
      ),
    ),
  ],
  [
    'parameters are checked ahead of the key',
    { 'check-order': undefined },
    on(batches, (call, respond) => ({
      ...respond(call),
      ...(call.without?.[0] === 'x-gateway-api-key' && call.query === 'limit=many' && { status: 400 }),
    })),
  ],
  [
    'what is asked for is looked for ahead of the parameters',
    { 'check-order': undefined },
    on(/\/threads\/.*no-such-id/, (call, respond) =>
      respond(call.query === 'limit=many' ? { ...call, query: '' } : call),
    ),
  ],
  [
    'date-times are in lower case and of another zone',
    {},
    inPolicy({ created_at: '2026-01-15t12:00:00z', last_updated_at: '2026-01-15T12:00:00.5+05:30' }),
  ],
  [
    'first_id and last_id are swapped',
    { 'page-ends': undefined },
    inBody(runs, (body) => ({ ...body, first_id: body.last_id, last_id: body.first_id })),
  ],
  [
    'before shows the beginning of the list',
    { 'before-page': undefined },
    inPages(runs, ({ all, limit, after, before }, data) =>
      before < 0 || after >= 0 ? data : all.slice(0, Math.min(before, limit)),
    ),
  ],
  [
    'has_more is true wherever before is sent',
    { 'before-page': undefined },
    inBodyWith(runs, ['before'], (body) => ({ ...body, has_more: true })),
  ],
  [
    'batches are oldest first',
    { 'newest-first': undefined },
    inPages(
      batches,
      ({ all, limit, after }) => all.slice(after + 1, after + 1 + limit),
      (all) => all.toReversed(),
    ),
  ],
  ['a run has a state that the mock has not', { 'run-states': 'any' }, inRecords(runs, { status: 'paused' })],
  [
    'a batch has files before it ends',
    { 'batch-states': undefined },
    inRecords(batches, { output_file_id: 'file-1' }),
  ],
  ['lists need no virtual key', { 'missing-virtual-key': 'ignored' }, letIn('x-gateway-virtual-key')],
  [
    'errors are texts',
    { 'error-body': undefined },
    on(/\/threads\/.*no-such-id/, (call, respond) => ({ ...respond(call), text: 'no' })),
  ],
  [
    'nothing is found by 410',
    { 'unknown-policy': undefined },
    on(policy, (call, respond) => {
      const reply = respond(call);
      return reply.status === 404 ? { ...reply, status: 410 } : reply;
    }),
  ],
  [
    'a policy has a key of its own',
    { 'policy-keys': undefined },
    inPolicy({ group_by: [{ key: 'colour' }] }),
  ],
];
