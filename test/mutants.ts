// Our own server with one thing broken at a time, and the laws that are to name it.
import type { AssumptionId } from '../src/protocol/assumptions.ts';
import { pageMutants, shapeMutants } from './mutants-of-lists.ts';
import {
  batches,
  type Change,
  inBody,
  inData,
  inPages,
  inQuery,
  inRecords,
  inTexts,
  letIn,
  type Mutant,
  on,
  policy,
  render,
  runs,
  without,
} from './mutate.ts';

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

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
  ['the workspace of a policy is no uuid', ['policy-schema'], inPolicy({ workspace_id: 'workspace-1' })],
  ['the time of a policy is no date-time', ['policy-schema'], inPolicy({ created_at: '2026-01-15 12:00' })],
  ['the time of a policy is a number', ['policy-schema'], inPolicy({ last_updated_at: 1_768_478_400 })],
  ['conditions are an object', ['policy-schema'], inPolicy({ conditions: { model: 'a' } })],
];

const renderMutants: readonly Mutant[] = [
  [
    'a rendering is answered by 201',
    ['render-success'],
    on(render, (call, respond) => ({ ...respond(call), status: 201 })),
  ],
  ['renderings are escaped for HTML', ['render-verbatim'], inTexts(escapeHtml)],
  [
    'renderings are escaped for JSON',
    ['render-verbatim'],
    inTexts((text) => JSON.stringify(text).slice(1, -1)),
  ],
  ['values are rendered once more', ['render-verbatim'], inTexts((text) => text.replace(/\{\{\w+\}\}/g, ''))],
  ['values are taken for a replacement', ['render-verbatim'], inTexts((text) => text.replaceAll('$$', '$'))],
  ['other scripts are lost', ['render-verbatim'], inTexts((text) => text.replace(/[^ -~\s]/g, '?'))],
  ['line ends are lost', ['render-verbatim'], inTexts((text) => text.replace(/\r?\n/g, ' '))],
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
  ['hyperparameters are dropped', ['render-hyperparameters'], inData(({ messages }) => ({ messages }))],
  [
    'hyperparameters are nested',
    ['render-hyperparameters'],
    inData(({ messages, ...hyperparameters }) => ({ messages, hyperparameters })),
  ],
  [
    'the hyperparameters of the template win',
    ['render-hyperparameters'],
    inData((data) => ({ ...data, temperature: 1 })),
  ],
  [
    'max_tokens is a text',
    ['render-schema', 'render-hyperparameters'],
    inData((data) => ({ ...data, max_tokens: `${data.max_tokens}` })),
  ],
  [
    'stream is refused',
    ['render-stream'],
    on(render, (call, respond) => ({
      ...respond(call),
      ...(call.body?.includes('"stream":true') && { status: 400 }),
    })),
  ],
];

const needingVirtualKey =
  (change: Change): Change =>
  (call, respond) =>
    call.without?.includes('x-gateway-virtual-key') ? change(call, respond) : respond(call);

const keyMutants: readonly Mutant[] = [
  [
    'the API key is not checked',
    ['render-api-key', 'runs-api-key', 'batches-api-key', 'checkpoints-api-key', 'policy-api-key'],
    letIn('x-gateway-api-key'),
  ],
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

/** What breaks a promise of the contract. */
export const mutants = [...pageMutants, ...shapeMutants, ...policyMutants, ...renderMutants, ...keyMutants];

/** What is done in another way where the contract is silent: the assumptions that must be told, each with what fits. */
export type Variant = readonly [
  title: string,
  differs: Readonly<Partial<Record<AssumptionId, string | undefined>>>,
  change: Change,
];

export const variants: readonly Variant[] = [
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
    'batches are oldest first',
    { 'newest-first': undefined },
    inPages(
      batches,
      ({ all, limit, after }) => all.slice(after + 1, after + 1 + limit),
      (all) => all.toReversed(),
    ),
  ],
  [
    'a run has a state that the mock has not',
    { 'run-states': undefined },
    inRecords(runs, { status: 'paused' }),
  ],
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
