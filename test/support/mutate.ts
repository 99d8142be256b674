// How one thing of our own server is broken, between a check and its target.

import { fieldOf, parseReply } from '../../src/conformance/replies.ts';
import { findTexts, replaceTexts } from '../../src/conformance/texts.ts';
import type { CheckCall, CheckReply, KeyHeader } from '../../src/conformance/types.ts';
import { parseJson, toJsonText } from '../../src/util/json.ts';

export type Respond = (call: CheckCall) => CheckReply;

/** What answers in the place of the server, which it may ask. */
export type Change = (call: CheckCall, respond: Respond) => CheckReply;

/** What is broken, the checks that must fail (these and no others), and how. */
export type Mutant = readonly [title: string, breaks: readonly string[], change: Change];

/** Mutants by the checks that must fail, separated by blanks; then each by its title. */
export const toMutants = (table: Readonly<Record<string, Readonly<Record<string, Change>>>>): Mutant[] =>
  Object.entries(table).flatMap(([breaks, changes]) =>
    Object.entries(changes).map(([title, change]): Mutant => [title, breaks.split(' '), change]),
  );

export type Json = Readonly<Record<string, unknown>>;

// The calls of one operation each.
export const runs = /^GET \/threads\/thread_a\/runs$/;
export const batches = /^GET \/batches$/;
export const checkpoints = /^GET \/fine_tuning\/jobs\/job_a\/checkpoints$/;
export const policy = /^GET \/policies\/rate-limits\//;
export const render = /^POST \/prompts\/greeting\/render$/;

/** Changes the answers to some calls alone. */
export const on =
  (pattern: RegExp, change: Change): Change =>
  (call, respond) =>
    pattern.test(`${call.method} ${call.path}`) ? change(call, respond) : respond(call);

/** Changes the bodies of good replies. */
export const inBody = (pattern: RegExp, change: (body: Json, call: CheckCall) => unknown): Change =>
  on(pattern, (call, respond) => {
    const reply = respond(call);
    return reply.status === 200
      ? { ...reply, text: toJsonText(change(parseJson(reply.text) as Json, call)) } // a good reply is an object
      : reply;
  });

/** Changes each record of a list, or some fields of it. */
export const inRecords = (pattern: RegExp, change: Json | ((record: Json) => Json)): Change =>
  inBody(pattern, (body) => ({
    ...body,
    data: recordsOf(body).map((record) =>
      typeof change === 'function' ? change(record) : { ...record, ...change },
    ),
  }));

/** Changes what a rendering has in data. */
export const inData = (change: (data: Json) => Json): Change =>
  inBody(render, (body) => ({ ...body, data: change(fieldOf(body, 'data') as Json) })); // renderings have it

/** Changes each text of the rendered messages. */
export const inTexts = (change: (text: string) => string): Change =>
  inData((data) => {
    const texts = findTexts(data.messages);
    return { ...data, messages: replaceTexts(data.messages, (index) => change(texts[index] ?? '')) };
  });

/** Changes the query before the server sees it. */
export const inQuery = (pattern: RegExp, change: (query: URLSearchParams) => unknown): Change =>
  on(pattern, (call, respond) => {
    const query = new URLSearchParams(call.query);
    change(query);
    return respond({ ...call, query: query.toString() });
  });

/** Changes the limit, or its absence; what is refused stays so. */
export const inLimit = (pattern: RegExp, change: (limit: number | undefined) => number | undefined): Change =>
  inQuery(pattern, (query) => {
    const asked = query.has('limit') ? Number(query.get('limit')) : undefined;
    if (asked !== undefined && !(asked >= 1 && asked <= 100)) return;
    const limit = change(asked);
    if (limit === undefined) query.delete('limit');
    else query.set('limit', String(Math.min(100, limit)));
  });

/** What a call asks for. */
export interface Asked {
  /** The whole list, in the order of the call. */
  readonly all: readonly Json[];
  readonly limit: number;
  /** Where the cursors stand; -1 without one. */
  readonly after: number;
  readonly before: number;
}

/** Cuts the pages of a list in another way than the server does, and may arrange the list first. */
export const inPages = (
  pattern: RegExp,
  cut: (asked: Asked, data: readonly Json[]) => readonly Json[],
  arrange = (all: readonly Json[]) => all,
): Change =>
  on(pattern, (call, respond) => {
    const reply = respond(call);
    if (reply.status !== 200) return reply;
    const body = JSON.parse(reply.text);
    const query = new URLSearchParams(call.query);
    const all = arrange(readWhole(call, respond));
    const find = (name: string): number => all.findIndex(({ id }) => id === query.get(name));
    const [after, before] = [find('after'), find('before')];
    const limit = limitOf(call) || (pattern === checkpoints ? 10 : 20);
    const data = cut({ all, limit, after, before }, recordsOf(body));
    const [first_id, last_id] = data.length > 0 ? [data[0]?.id, data.at(-1)?.id] : emptyEnds(pattern);
    const has_more = before < 0 ? data.length > 0 && last_id !== all.at(-1)?.id : body.has_more;
    return { ...reply, text: JSON.stringify({ ...body, data, first_id, last_id, has_more }) };
  });

/** The same, of calls alone that have no limit. */
export const inPagesWithoutLimit = (pattern: RegExp, cut: Parameters<typeof inPages>[1]): Change => {
  const changed = inPages(pattern, cut);
  return (call, respond) => (hasParameter(call, 'limit') ? respond(call) : changed(call, respond));
};

/** first_id and last_id of an empty page. */
const emptyEnds = (pattern: RegExp) =>
  pattern === runs ? ['', ''] : pattern === checkpoints ? [null, null] : [];

/** The whole list of which a call asks a page, in its order. */
export const readWhole = (call: CheckCall, respond: Respond): readonly Json[] => {
  const query = new URLSearchParams(call.query);
  for (const cursor of ['after', 'before']) query.delete(cursor);
  query.set('limit', '100');
  const all: Json[] = [];
  for (;;) {
    const body = parseReply(respond({ ...call, query: query.toString() })); // most replies are read many times
    all.push(...recordsOf(body));
    if (!fieldOf(body, 'has_more')) return all;
    query.set('after', String(fieldOf(body, 'last_id')));
  }
};

/** Changes the bodies of good replies to calls whose query has this parameter, with this value if one is given. */
export const inBodyWith = (
  pattern: RegExp,
  [name, value]: readonly [string, string?],
  change: (body: Json, call: CheckCall) => unknown,
): Change => inBody(pattern, (body, call) => (hasParameter(call, name, value) ? change(body, call) : body));

/** Refuses calls whose query has this parameter, with this value if one is given. */
export const refuseWith = (
  pattern: RegExp,
  [name, value]: readonly [string, string?],
  status = 400,
): Change =>
  on(pattern, (call, respond) =>
    hasParameter(call, name, value) ? { ...respond(call), status, text: '{"message":"no"}' } : respond(call),
  );

export const hasParameter = ({ query }: CheckCall, name: string, value?: string): boolean => {
  const found = new URLSearchParams(query).get(name);
  return value === undefined ? found !== null : found === value;
};

/** Changes every `count`th good reply alone. */
export const inEveryReply = (
  count: number,
  pattern: RegExp,
  change: (reply: CheckReply, call: CheckCall) => CheckReply,
): Change => {
  let replies = 0;
  return on(pattern, (call, respond) => {
    const reply = respond(call);
    if (reply.status === 200) replies += 1;
    return reply.status === 200 && replies % count === 0 ? change(reply, call) : reply;
  });
};

/** Changes the bodies of every `count`th good reply alone. */
export const inEvery = (count: number, pattern: RegExp, change: (body: Json) => unknown): Change =>
  inEveryReply(count, pattern, (reply) => ({
    ...reply,
    text: toJsonText(change(parseJson(reply.text) as Json)), // as above
  }));

/** All calls of an operation. */
export const toPattern = ({ method, path }: { readonly method: string; readonly path: string }): RegExp =>
  new RegExp(`^${method} ${path.replace(/\{.*?\}/g, '[^/]+')}$`);

/** Lets calls in that carry no key of one kind. */
export const letIn =
  (header: KeyHeader): Change =>
  (call, respond) =>
    respond({ ...call, without: (call.without ?? []).filter((name) => name !== header) });

export const without =
  (field: string) =>
  (body: Json): Json => {
    const { [field]: _, ...rest } = body;
    return rest;
  };

export const recordsOf = (body: unknown): Json[] => fieldOf(body, 'data') as Json[]; // pages of our own server have them

export const limitOf = ({ query }: CheckCall): number | undefined => {
  const limit = new URLSearchParams(query).get('limit');
  return limit === null ? undefined : Number(limit);
};
