// Our own server, which does one thing in another way where the contract is silent: each look at an assumption finds it.
import type { CheckReply } from '../../src/conformance/types.ts';
import { tryParse } from '../../src/util/try-parse.ts';
import { toVariants, type Variant } from './mutants.ts';
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

export const lookVariants: readonly Variant[] = toVariants({
  'unknown-cursor': {
    'the id of a run is a cursor of batches': inQuery(
      batches,
      (query) => /^run_/.test(query.get('after') ?? '') && query.delete('after'),
    ),
  },
  'before-page': {
    'before is ignored deep in the list': inPages(runs, ({ all, limit, before }, data) =>
      before > 20 ? all.slice(0, limit) : data,
    ),
  },
  'page-ends': {
    'first_id and last_id are swapped in ascending order': inBodyWith(runs, ['order', 'asc'], (body) => ({
      ...body,
      first_id: body.last_id,
      last_id: body.first_id,
    })),
  },
  'empty-run-ends': {
    'first_id of an empty page is a word': inBody(runs, (body) =>
      body.first_id === '' ? { ...body, first_id: 'none' } : body,
    ),
  },
  'error-body limit-too-small': {
    'a limit of 0 gets a page of HTML': inErrors(batches, (reply) =>
      /below_min/.test(reply.text) ? toHtml(reply) : reply,
    ),
  },
  bearer: {
    'Authorization: Bearer has the key': (call, respond) =>
      respond(call.bearer ? { ...call, without: [] } : call),
    'another bearer is refused': (call, respond) => ({
      ...respond(call),
      ...(call.headers?.authorization && { status: 401 }),
    }),
  },
  'policy-id-format': {
    'a uuid in upper case is not found': on(policy, (call, respond) => ({
      ...respond(call),
      ...(/[A-F]/.test(call.path) && { status: 404 }),
    })),
  },
  'limit-format': {
    'queries are not decoded': on(batches, (call, respond) =>
      respond(call.query?.includes('%6C') ? { ...call, query: '' } : call),
    ),
  },
  'body-format': {
    'renderings are in Latin-1': on(render, (call, respond) =>
      withHeader('content-type', 'application/json; charset=iso-8859-1')(respond(call)),
    ),
  },
  'hyperparameter-precedence': {
    'the model of the template wins': inRendered((data) => ({ ...data, model: 'gpt-4o' })),
    'max_tokens of the template is lost where the model is sent': inRendered((data, sent) => {
      const { max_tokens: _, ...others } = data;
      return 'model' in sent && !('max_tokens' in sent) ? others : data;
    }),
  },
  'request-id': {
    'the trace id does not come back': (call, respond) =>
      withHeader('x-gateway-trace-id', 'another')(respond(call)),
  },
  'blank-parameter': {
    'an empty cursor is refused': on(batches, (call, respond) => ({
      ...respond(call),
      ...(call.query?.includes('after=&') && { status: 400 }),
    })),
  },
  'error-body': {
    'a policy that is not there gets a page of HTML': inErrors(/\/rate-limits\/.*dead/, toHtml),
    'a prompt that is not there gets a page of HTML': inErrors(/\/prompts\/.*no-such-id/, toHtml),
  },
  'error-body unknown-job': {
    'a job that is not there gets a page of HTML': inErrors(/\/fine_tuning\/jobs\/.*no-such-id/, toHtml),
  },
});
