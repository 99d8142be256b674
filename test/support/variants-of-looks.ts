// Our own server, which does one thing in another way where the contract is silent: each look at an assumption finds it.
import type { CheckReply } from '../../src/conformance/types.ts';
import { tryParse } from '../../src/util/try-parse.ts';
import type { Variant } from './mutants.ts';
import {
  batches,
  type Change,
  inBody,
  inBodyWith,
  inPages,
  inQuery,
  type Json,
  on,
  policy,
  render,
  runs,
} from './mutate.ts';

/** Changes what is refused. */
const inErrors = (pattern: RegExp, change: (reply: CheckReply) => CheckReply): Change =>
  on(pattern, (call, respond) => {
    const reply = respond(call);
    return reply.status >= 400 ? change(reply) : reply;
  });

const toHtml = (reply: CheckReply): CheckReply => ({ ...reply, text: '<h1>Not found</h1>' });

/** Changes the data of a rendering, of which `sent` is the body. */
const inRendered = (change: (data: Json, sent: Json) => Json): Change =>
  inBody(render, (body, { body: sent }) => ({
    ...body,
    data: change(Object(body.data), Object(tryParse(sent ?? ''))),
  }));

const withHeader =
  (name: string, value: string) =>
  (reply: CheckReply): CheckReply => ({
    ...reply,
    header: (wanted) => (wanted === name ? value : reply.header(wanted)),
  });

export const lookVariants: readonly Variant[] = [
  [
    'the id of a run is a cursor of batches',
    { 'unknown-cursor': undefined },
    inQuery(batches, (query) => /^run_/.test(query.get('after') ?? '') && query.delete('after')),
  ],
  [
    'before is ignored deep in the list',
    { 'before-page': undefined },
    inPages(runs, ({ all, limit, before }, data) => (before > 20 ? all.slice(0, limit) : data)),
  ],
  [
    'first_id and last_id are swapped in ascending order',
    { 'page-ends': undefined },
    inBodyWith(runs, ['order', 'asc'], (body) => ({
      ...body,
      first_id: body.last_id,
      last_id: body.first_id,
    })),
  ],
  [
    'first_id of an empty page is a word',
    { 'empty-run-ends': undefined },
    inBody(runs, (body) => (body.first_id === '' ? { ...body, first_id: 'none' } : body)),
  ],
  ...(
    [
      ['a job', { 'unknown-job': undefined }, /\/fine_tuning\/jobs\/.*no-such-id/],
      ['a policy', {}, /\/rate-limits\/.*dead/],
      ['a prompt', {}, /\/prompts\/.*no-such-id/],
    ] as const
  ).map(
    ([what, differs, pattern]): Variant => [
      `${what} that is not there gets a page of HTML`,
      { 'error-body': undefined, ...differs },
      inErrors(pattern, toHtml),
    ],
  ),
  [
    'a limit of 0 gets a page of HTML',
    { 'error-body': undefined, 'limit-too-small': undefined },
    inErrors(batches, (reply) => (/below_min/.test(reply.text) ? toHtml(reply) : reply)),
  ],
  [
    'Authorization: Bearer has the key',
    { bearer: undefined },
    (call, respond) => respond(call.bearer ? { ...call, without: [] } : call),
  ],
  [
    'another bearer is refused',
    { bearer: undefined },
    (call, respond) => ({ ...respond(call), ...(call.headers?.authorization && { status: 401 }) }),
  ],
  [
    'a uuid in upper case is not found',
    { 'policy-id-format': undefined },
    on(policy, (call, respond) => ({ ...respond(call), ...(/[A-F]/.test(call.path) && { status: 404 }) })),
  ],
  [
    'queries are not decoded',
    { 'limit-format': undefined },
    on(batches, (call, respond) => respond(call.query?.includes('%6C') ? { ...call, query: '' } : call)),
  ],
  [
    'renderings are in Latin-1',
    { 'body-format': undefined },
    on(render, (call, respond) =>
      withHeader('content-type', 'application/json; charset=iso-8859-1')(respond(call)),
    ),
  ],
  [
    'the model of the template wins',
    { 'hyperparameter-precedence': undefined },
    inRendered((data) => ({ ...data, model: 'gpt-4o' })),
  ],
  [
    'max_tokens of the template is lost where the model is sent',
    { 'hyperparameter-precedence': undefined },
    inRendered((data, sent) => {
      const { max_tokens: _, ...others } = data;
      return 'model' in sent && !('max_tokens' in sent) ? others : data;
    }),
  ],
  [
    'the trace id does not come back',
    { 'request-id': undefined },
    (call, respond) => withHeader('x-gateway-trace-id', 'another')(respond(call)),
  ],
  [
    'an empty cursor is refused',
    { 'blank-parameter': undefined },
    on(batches, (call, respond) => ({
      ...respond(call),
      ...(call.query?.includes('after=&') && { status: 400 }),
    })),
  ],
];
