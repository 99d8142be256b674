// Our own server with one thing broken at a time, and the checks that must fail.

import { goodCalls } from '../../src/conformance/calls.ts';
import type { AssumptionId } from '../../src/protocol/assumptions.ts';
import { isMapping } from '../../src/util/mapping.ts';
import { tryParse } from '../../src/util/try-parse.ts';
import { blindSpotMutants, inMessages, inTextValues } from './mutants-of-blind-spots.ts';
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
  toMutants,
  toPattern,
  without,
} from './mutate.ts';

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** As JSON of ASCII alone has it. */
const escapeAsJson = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const inPolicy = (change: object): Change => inBody(policy, (body) => ({ ...body, ...change }));

const policyMutants: readonly Mutant[] = toMutants({
  'policy-status-filter policy-archived-filter policy-default-archived': {
    'status is ignored': on(policy, (call, respond) => {
      const found = respond({ ...call, query: 'status=active' });
      return found.status === 200 ? found : respond({ ...call, query: 'status=archived' });
    }),
  },
  'policy-default-archived': {
    'archived policies are found by default': on(policy, (call, respond) => {
      const found = respond(call);
      return found.status === 200 || call.query ? found : respond({ ...call, query: 'status=archived' });
    }),
  },
  'policy-default-status policy-default-archived': {
    'the default status is archived': inQuery(
      policy,
      (query) => query.has('status') || query.set('status', 'archived'),
    ),
  },
  'policy-id': {
    'another policy is found': inPolicy({ id: '33333333-3333-4333-8333-333333333333' }),
  },
  'policy-schema': {
    'the type of a policy is another': inPolicy({ type: 'dollars' }),
    'the unit of a policy is in upper case': inPolicy({ unit: 'RPM' }),
    'the unit of a policy is null': inPolicy({ unit: null }),
    'a policy has no value': inBody(policy, without('value')),
    'the workspace of a policy is not a uuid': inPolicy({ workspace_id: 'workspace-1' }),
    'the time of a policy is no date-time': inPolicy({ created_at: '2026-01-15 12:00' }),
    'the time of a policy is a number': inPolicy({ last_updated_at: 1_768_478_400 }),
    'conditions are an object': inPolicy({ conditions: { model: 'a' } }),
  },
});

/** Changes the variables before the server sees them. */
const inVariables = (change: (variables: Json) => Json): Change =>
  on(render, (call, respond) => {
    const { variables, ...body } = Object(tryParse(call.body ?? ''));
    return isMapping(variables)
      ? respond({ ...call, body: JSON.stringify({ variables: change(variables), ...body }) })
      : respond(call);
  });

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
  ...toMutants({
    'render-substitutes': {
      'variables are not substituted': inData((data) => ({
        ...data,
        messages: [{ role: 'user', content: 'Hello {{name}}' }],
      })),
      'the second variable is left as its tag': inVariable('question', '{{question}}'),
      'the second variable is left as a tag with blanks': inVariable('question', '{{ question }}'),
      'the second variable is lost': inVariable('question', ''),
      'a variable is substituted once alone': inMessages((messages) =>
        messages.map((message) => ({
          ...message,
          content: String(message.content).replace(/^Hello .*?,/, 'Hello {{name}},'),
        })),
      ),
    },
    'render-body': {
      'success is false': inBody(render, (body) => ({ ...body, success: false })),
      'hyperparameters are nested': inData(({ messages, ...hyperparameters }) => ({
        messages,
        hyperparameters,
      })),
    },
    'render-schema render-body': {
      'success is missing': inBody(render, without('success')),
    },
    'render-body render-substitutes': {
      'messages are missing': inData(without('messages')),
      'there are no messages': inData((data) => ({ ...data, messages: [] })),
    },
    'render-schema': {
      'the contents of messages are objects': inBody(render, (body) =>
        JSON.parse(JSON.stringify(body).replace(/"content":(".*?[^\\]")/g, '"content":{"text":$1}')),
      ),
    },
    'render-schema render-hyperparameters': {
      'hyperparameters that are sent come back as texts': inData((data) =>
        data.temperature === 1 ? data : { ...data, temperature: String(data.temperature) },
      ),
      'max_tokens is a text': inData((data) => ({ ...data, max_tokens: `${data.max_tokens}` })),
    },
    'render-variable-names': {
      'the names of variables are matched without regard to case': inVariables((variables) =>
        Object.fromEntries(Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value])),
      ),
      'the names of variables are matched without regard to case where there is no better': inVariables(
        (variables) => ({ ...variables, name: variables.name ?? variables.NAME }),
      ),
    },
    'render-letters': {
      'values are put in in lower case': inTextValues((text) => text.toLowerCase()),
      'values are put in in upper case': inTextValues((text) => text.toUpperCase()),
      'values are cut behind their first word': inTextValues((text) => text.split(' ')[0] ?? ''),
    },
    'render-unicode': {
      'letters beyond ASCII are lost from values': inTextValues((text) => text.replace(/[^ -~\s]/g, '?')),
    },
    'render-numbers': {
      'numbers among the variables are dropped': inVariables((variables) =>
        Object.fromEntries(Object.entries(variables).filter(([, value]) => typeof value === 'string')),
      ),
    },
    'render-parameters': {
      'tools are answered by 500': refuseField('tools', 500),
      'stream is answered by 503': refuseField('stream', 503),
    },
    'render-zero-values': {
      'a temperature of 0 is dropped': inData((data) =>
        data.temperature === 0 ? without('temperature')(data) : data,
      ),
      'a temperature of 0 is taken for none': inData((data) => ({
        ...data,
        temperature: data.temperature || 1,
      })),
      'false is dropped': inData((data) => (data.logprobs === false ? without('logprobs')(data) : data)),
    },
    'render-messages': {
      'system messages are lost': inMessages((messages) => messages.filter(({ role }) => role !== 'system')),
      'the first message is lost': inMessages((messages) => messages.slice(1)),
    },
    'render-special-characters': {
      'values are taken for a replacement': inTexts((text) => text.replaceAll('$$', '$')),
    },
  }),
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
  ...toMutants({
    'policy-api-key': {
      'the API key of policies is not checked where status is sent': on(policy, (call, respond) =>
        call.query ? letIn('x-gateway-api-key')(call, respond) : respond(call),
      ),
    },
    'render-api-key': {
      'the API key is not checked for renderings': on(render, letIn('x-gateway-api-key')),
    },
    'policy-virtual-key': {
      'the virtual key is asked for with policies': needingVirtualKey(
        on(policy, (call, respond) => ({ ...respond(call), status: 400 })),
      ),
    },
    'render-virtual-key': {
      'the virtual key is asked for with renderings': needingVirtualKey(
        on(render, (call, respond) => ({ ...respond(call), status: 400 })),
      ),
    },
  }),
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
  ['a blank API key is accepted', goodCalls.map(({ name }) => `${name}-api-key`), acceptBlankKey],
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

/** Variants by the assumptions that differ, which no value of theirs fits, separated by blanks; then each by its title. */
export const toVariants = (table: Readonly<Record<string, Readonly<Record<string, Change>>>>): Variant[] =>
  Object.entries(table).flatMap(([ids, changes]) => {
    const differs = Object.fromEntries(ids.split(' ').flatMap((id) => (id === '' ? [] : [[id, undefined]])));
    return Object.entries(changes).map(([title, change]): Variant => [title, differs, change]);
  });

/** The contract says that values are substituted; not that they stay as they are, nor what comes of hyperparameters. */
const renderVariants: readonly Variant[] = (
  [
    ['renderings are escaped for HTML', inTexts(escapeHtml)],
    ['renderings are escaped for JSON', inTexts((text) => JSON.stringify(text).slice(1, -1))],
    ['other scripts are escaped', inTexts((text) => text.replace(/[^ -~\s]/g, escapeAsJson))],
  ] as const
).map(([title, change]) => [title, { 'template-syntax': undefined }, change]);

/** What has no time for a second call is not accused of anything. */
const busyVariants: readonly Variant[] = toVariants({
  '': {
    'calls without a key are answered by 429': (call, respond) =>
      call.without ? { ...respond(call), status: 429 } : respond(call),
    'a rendering with stream is answered by 429': refuseField('stream', 429),
  },
});

export const variants: readonly Variant[] = [
  ...toVariants({
    'template-syntax root-messages-rendered': {
      'values and messages are rendered once more': inTexts((text) => text.replace(/\{\{\w+\}\}/g, '')),
    },
    'template-syntax hyperparameter-precedence': {
      'the hyperparameters of the template win': inData((data) => ({ ...data, temperature: 1 })),
    },
    'render-reserved-keys': {
      'prompt_id is passed on': inData((data) => ({ ...data, prompt_id: 'gwm' })),
    },
    'template-syntax unknown-hyperparameter': {
      'hyperparameters are dropped': inData(({ messages }) => ({ messages })),
    },
    'checkpoint-limit-bounds': {
      'a page of checkpoints has at most 11': inQuery(
        checkpoints,
        (query) => Number(query.get('limit')) > 11 && query.set('limit', '11'),
      ),
      'checkpoints are listed with a limit up to 12': on(checkpoints, (call, respond) => ({
        ...respond(call),
        ...((limitOf(call) ?? 0) > 12 && { status: 400 }),
      })),
    },
    'absent-values': {
      'a checkpoint has no step_number': inRecords(checkpoints, without('step_number')),
      'the model of a checkpoint is null': inRecords(checkpoints, { fine_tuned_model_checkpoint: null }),
    },
    'absent-metrics': {
      'a training is not measured': inRecords(checkpoints, { metrics: { step: 5 } }),
    },
    'timestamp-unit': {
      'all timestamps of runs are in milliseconds': inRecords(runs, (run) =>
        Object.fromEntries(
          Object.entries(run).map(([name, value]) => [
            name,
            /_at$/.test(name) && typeof value === 'number' ? value * 1000 : value,
          ]),
        ),
      ),
    },
    'check-order': {
      'parameters are checked ahead of the key': on(batches, (call, respond) => ({
        ...respond(call),
        ...(call.without?.[0] === 'x-gateway-api-key' && call.query === 'limit=many' && { status: 400 }),
      })),
      'what is asked for is looked for ahead of the parameters': on(
        /\/threads\/.*no-such-id/,
        (call, respond) => respond(call.query === 'limit=many' ? { ...call, query: '' } : call),
      ),
    },
    '': {
      'date-times are in lower case and of another zone': inPolicy({
        created_at: '2026-01-15t12:00:00z',
        last_updated_at: '2026-01-15T12:00:00.5+05:30',
      }),
    },
    'page-ends': {
      'first_id and last_id are swapped': inBody(runs, (body) => ({
        ...body,
        first_id: body.last_id,
        last_id: body.first_id,
      })),
    },
    'before-page': {
      'before shows the beginning of the list': inPages(runs, ({ all, limit, after, before }, data) =>
        before < 0 || after >= 0 ? data : all.slice(0, Math.min(before, limit)),
      ),
      'has_more is true wherever before is sent': inBodyWith(runs, ['before'], (body) => ({
        ...body,
        has_more: true,
      })),
    },
    'newest-first': {
      'batches are oldest first': inPages(
        batches,
        ({ all, limit, after }) => all.slice(after + 1, after + 1 + limit),
        (all) => all.toReversed(),
      ),
    },
    'batch-states': {
      'a batch has files before it ends': inRecords(batches, { output_file_id: 'file-1' }),
    },
    'error-body': {
      'errors are texts': on(/\/threads\/.*no-such-id/, (call, respond) => ({
        ...respond(call),
        text: 'no',
      })),
    },
    'unknown-policy': {
      'nothing is found by 410': on(policy, (call, respond) => {
        const reply = respond(call);
        return reply.status === 404 ? { ...reply, status: 410 } : reply;
      }),
    },
    'policy-keys': {
      'a policy has a key of its own': inPolicy({ group_by: [{ key: 'colour' }] }),
    },
  }),
  ...renderVariants,
  ...busyVariants,
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
  ['a run has a state that the mock has not', { 'run-states': 'any' }, inRecords(runs, { status: 'paused' })],
  ['lists need no virtual key', { 'missing-virtual-key': 'ignored' }, letIn('x-gateway-virtual-key')],
];
