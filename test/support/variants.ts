// Our own server, which does one thing in another way where the contract is silent: no check fails, and the assumption differs.
import type { AssumptionId } from '../../src/core/assumptions/table.ts';
import {
  arrange,
  batches,
  type Change,
  checkpoints,
  cut,
  inBody,
  inData,
  inQuery,
  inRecords,
  inReply,
  inTexts,
  inVariables,
  type Json,
  on,
  policy,
  refuse,
  render,
  runs,
  without,
} from './mutate.ts';

/** What is done in another way, and the assumptions that must be told, each without a value that fits. */
type Variant = readonly [
  title: string,
  differs: Readonly<Partial<Record<AssumptionId, undefined>>>,
  change: Change,
];

/** Variants by the assumptions that differ, separated by blanks. Those that fit a value: verify.test.ts. */
const toVariants = (table: Readonly<Record<string, Readonly<Record<string, Change>>>>): Variant[] =>
  Object.entries(table).flatMap(([ids, changes]) => {
    const differs = Object.fromEntries(ids.split(' ').flatMap((id) => (id ? [[id, undefined]] : [])));
    return Object.entries(changes).map(([title, change]): Variant => [title, differs, change]);
  });

const noThread = /\/threads\/.*no-such-id/;

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

const swapEnds = inBody((page) => ({ ...page, first_id: page.last_id, last_id: page.first_id }));

const withHeader = (name: string, value: string): Change =>
  inReply(({ header }) => ({ header: (wanted) => (wanted === name ? value : header(wanted)) }));

/** Answers refused calls by a page of HTML, if their text matches. */
const htmlErrors =
  (of = /(?:)/): Change =>
  (call, respond) => {
    const reply = respond(call);
    return reply.status >= 400 && of.test(reply.text) ? { ...reply, text: '<h1>Not found</h1>' } : reply;
  };

export const variants: readonly Variant[] = toVariants({
  // The contract says that values are substituted; not that they stay as they are, nor what comes of hyperparameters.
  'template-syntax structured-values': {
    'renderings are escaped for HTML': inTexts(escapeHtml),
  },
  'template-syntax root-messages-rendered': {
    'values and messages are rendered once more': inTexts((text) => text.replace(/\{\{\w+\}\}/g, '')),
  },
  'template-syntax hyperparameter-precedence': {
    'the hyperparameters of the template win': inData({ temperature: 1 }),
  },
  'template-syntax unknown-hyperparameter': {
    'hyperparameters are dropped': inData(({ messages }) => ({ messages })),
  },
  'template-syntax': {
    'a rendering has no model unless one is sent': inData((data, sent) =>
      'model' in sent ? data : without('model')(data),
    ),
  },
  'missing-variable': {
    'missing variables become None': inVariables((given) => ({ name: 'None', question: 'None', ...given })),
    'tags of missing variables are left': inVariables((given) => ({
      name: '{{name}}',
      question: '{{question}}',
      ...given,
    })),
  },
  'render-reserved-keys': { 'prompt_id is passed on': inData({ prompt_id: 'gwm' }) },
  'hyperparameter-precedence': {
    'max_tokens of the template is lost if the model is sent': inData((data, sent) =>
      'model' in sent && !('max_tokens' in sent) ? without('max_tokens')(data) : data,
    ),
  },
  'body-format': {
    'renderings are in Latin-1': render()(withHeader('content-type', 'application/json; charset=iso-8859-1')),
  },

  'unknown-cursor': {
    'the id of a run is a cursor of batches': batches()(
      inQuery((query) => /^run_/.test(query.get('after') ?? '') && query.delete('after')),
    ),
  },
  'checkpoint-limit-bounds': {
    'a page of checkpoints has at most 11': checkpoints('limit>11')(
      inQuery((query) => query.set('limit', '11')),
    ),
    'checkpoints are listed with a limit up to 12': checkpoints('limit>12')(refuse()),
  },
  'absent-values': {
    'a checkpoint has no step_number': checkpoints()(inRecords(without('step_number'))),
  },
  'absent-metrics': { 'a training is not measured': checkpoints()(inRecords({ metrics: { step: 5 } })) },
  'timestamp-unit': {
    ...Object.fromEntries(
      Object.entries({ runs, batches, checkpoints }).map(([name, list]) => [
        `${name} are created in milliseconds`,
        list()(inRecords((record: Json) => ({ ...record, created_at: Number(record.created_at) * 1000 }))),
      ]),
    ),
  },
  'page-ends': {
    'first_id and last_id are swapped': runs()(swapEnds),
  },
  'before-page': {
    'before shows the beginning of the list': runs('before !after')(
      cut(({ all, limit, before }) => all.slice(0, Math.min(before, limit))),
    ),
    'has_more is true with before': runs('before')(inBody({ has_more: true })),
  },
  'newest-first': { 'batches are oldest first': batches()(arrange((all) => all.toReversed())) },
  'policy-keys': { 'a policy has a key of its own': policy()(inBody({ group_by: [{ key: 'colour' }] })) },
  'limit-format': {
    'queries are not decoded': batches()((call, respond) =>
      respond(call.query?.includes('%6C') ? { ...call, query: '' } : call),
    ),
  },
  'blank-parameter': { 'an empty cursor is refused': batches('after=')(refuse()) },

  bearer: {
    'another bearer is refused': (call, respond) =>
      (call.headers?.authorization ? refuse(401) : respond)(call, respond),
  },
  'request-id': { 'the trace id does not come back': withHeader('x-gateway-trace-id', 'another') },
  'check-order': {
    'parameters are checked ahead of the key': batches('limit=many')((call, respond) => ({
      ...respond(call),
      ...(call.without && { status: 400 }),
    })),
    'the record is looked for ahead of the parameters': on(noThread)('limit=many')(
      inQuery((query) => query.delete('limit')),
    ),
  },
  'error-body': {
    'errors are texts': on(noThread)()((call, respond) => ({ ...respond(call), text: 'no' })),
    'an unknown prompt gets a page of HTML': on(/\/prompts\/.*no-such-id/)()(htmlErrors()),
  },
  'error-body unknown-job': {
    'an unknown job gets a page of HTML': on(/\/fine_tuning\/jobs\/.*no-such-id/)()(htmlErrors()),
  },
  'error-body limit-too-small': { 'a limit of 0 gets a page of HTML': batches()(htmlErrors(/below_min/)) },
  'unknown-policy': {
    'unknown policies are answered by 410': policy()((call, respond) => {
      const reply = respond(call);
      return reply.status === 404 ? { ...reply, status: 410 } : reply;
    }),
  },
  'policy-id-format': {
    'a uuid in upper case is not found': policy()((call, respond) =>
      (/[A-F]/.test(call.path) ? refuse(404) : respond)(call, respond),
    ),
  },

  // Of these, nothing is said: a busy gateway is accused of nothing.
  '': {
    'date-times are in lower case and of another zone': policy()(
      inBody({ created_at: '2026-01-15t12:00:00z', last_updated_at: '2026-01-15T12:00:00.5+05:30' }),
    ),
    'calls without a key are answered by 429': (call, respond) =>
      (call.without ? refuse(429) : respond)(call, respond),
    'a rendering with stream is answered by 429': render('stream')(refuse(429)),
  },
});
