// How one thing of our own server is broken, between a check and its target.

import { parseJson, toJsonText } from '../../src/core/util/json.ts';
import { isMapping } from '../../src/core/util/mapping.ts';
import { tryParse } from '../../src/core/util/try-parse.ts';
import { fieldOf, parseReply } from '../../src/tools/conformance/replies.ts';
import { findTexts, replaceTexts } from '../../src/tools/conformance/texts.ts';
import type { CheckCall, CheckReply, KeyHeader } from '../../src/tools/conformance/types.ts';

type Respond = (call: CheckCall) => CheckReply;

/** What answers in place of the server, which it may ask. */
export type Change = (call: CheckCall, respond: Respond) => CheckReply;

export type Json = Readonly<Record<string, unknown>>;

/** All calls of an operation. */
export const toPattern = ({ method, path }: { readonly method: string; readonly path: string }): RegExp =>
  new RegExp(`^${method} ${path.replace(/\{.*?\}/g, '[^/]+')}$`);

/** The parameters of a call, and the fields at the root of its body. */
const sentIn = ({ query, body }: CheckCall): Json => {
  const fields = tryParse(body ?? '');
  return { ...Object.fromEntries(new URLSearchParams(query)), ...(isMapping(fields) && fields) };
};

const fulfils = (sent: Json, condition: string): boolean => {
  if (condition === '') return true;
  const [, not, name = '', sign, wanted] = /^(!?)(\w+)(?:([=<>])(.*))?$/.exec(condition) ?? [];
  if (sign === '=') return String(sent[name]) === wanted;
  if (sign !== undefined)
    return sign === '<' ? Number(sent[name]) < Number(wanted) : Number(sent[name]) > Number(wanted);
  return name in sent === (not === '');
};

/**
 * Changes some calls alone: those of an operation, and of them those that fulfil all conditions, separated by blanks:
 * `after`, `!limit`, `order=asc`, `limit>50`.
 */
export const on =
  (pattern: RegExp) =>
  (conditions = '') =>
  (change: Change): Change =>
  (call, respond) => {
    const sent = sentIn(call);
    const isHit =
      pattern.test(`${call.method} ${call.path}`) && conditions.split(' ').every((one) => fulfils(sent, one));
    return (isHit ? change : respond)(call, respond);
  };

// The calls of one operation each.
const [ofRuns, ofCheckpoints] = [
  /^GET \/threads\/thread_a\/runs$/,
  /^GET \/fine_tuning\/jobs\/job_a\/checkpoints$/,
];
export const runs = on(ofRuns);
export const batches = on(/^GET \/batches$/);
export const checkpoints = on(ofCheckpoints);
export const policy = on(/^GET \/policies\/rate-limits\//);
export const render = on(/^POST \/prompts\/greeting\/render$/);

/** Applies one change to what another one answers. */
export const both =
  (outer: Change, inner: Change): Change =>
  (call, respond) =>
    outer(call, (asked) => inner(asked, respond));

/** Changes good replies. */
export const inReply =
  (change: (reply: CheckReply, call: CheckCall, respond: Respond) => Partial<CheckReply>): Change =>
  (call, respond) => {
    const good = respond(call);
    return good.status === 200 ? { ...good, ...change(good, call, respond) } : good;
  };

/** Changes every `count`th good reply alone. */
export const every =
  (count: number) =>
  (change: Change): Change => {
    let replies = 0;
    return inReply((good, call) => {
      replies += 1;
      return replies % count === 0 ? change(call, () => good) : good;
    });
  };

/** Answers by another status. */
export const refuse =
  (status = 400): Change =>
  (call, respond) => ({ ...respond(call), status, text: '{"message":"no"}' });

/** Changes the body of good replies: some fields, or by a function. */
export const inBody = (change: Json | ((body: Json, call: CheckCall, respond: Respond) => unknown)): Change =>
  inReply((good, call, respond) => {
    const read = parseJson(good.text) as Json; // good replies are objects
    return {
      text: toJsonText(typeof change === 'function' ? change(read, call, respond) : { ...read, ...change }),
    };
  });

/** Changes the text of good replies. */
export const inText = (change: (text: string) => string): Change =>
  inReply((good) => ({ text: change(good.text) }));

/** Changes each record of a list. */
export const inRecords = (change: Json | ((record: Json) => Json)): Change =>
  inBody((page) => ({
    ...page,
    data: recordsOf(page).map((record) =>
      typeof change === 'function' ? change(record) : { ...record, ...change },
    ),
  }));

/** Changes what renderings have in data; `sent` are the fields of the call. */
export const inData = (change: Json | ((data: Json, sent: Json) => Json)): Change =>
  render()(
    inBody((rendered, call) => {
      const given = Object(fieldOf(rendered, 'data'));
      const changed = typeof change === 'function' ? change(given, sentIn(call)) : { ...given, ...change };
      return { ...rendered, data: changed };
    }),
  );

/** Changes the rendered messages. */
export const inMessages = (change: (messages: readonly Json[]) => readonly Json[]): Change =>
  inData((given) => ({ ...given, messages: change(given.messages as Json[]) })); // renderings have them

/** Changes each text of the rendered messages. */
export const inTexts = (change: (text: string) => string): Change =>
  inMessages((given) => {
    const found = findTexts(given);
    return replaceTexts(given, (index) => change(found[index] ?? '')) as Json[]; // the shape is the same
  });

/** Changes the query before the server sees it. */
export const inQuery =
  (change: (query: URLSearchParams) => unknown): Change =>
  (call, respond) => {
    const changed = new URLSearchParams(call.query);
    change(changed);
    return respond({ ...call, query: changed.toString() });
  };

/** Changes the limit, or its absence; what is refused stays so. */
export const inLimit = (change: (limit: number | undefined) => number | undefined): Change =>
  inQuery((sent) => {
    const asked = sent.has('limit') ? Number(sent.get('limit')) : undefined;
    if (asked !== undefined && !(asked >= 1 && asked <= 100)) return;
    const changed = change(asked);
    if (changed === undefined) sent.delete('limit');
    else sent.set('limit', String(Math.min(100, changed)));
  });

/** Changes the fields of renderings before the server sees them. */
const inFields = (change: (sent: Json) => Json): Change =>
  render()((call, respond) => {
    const sent = tryParse(call.body ?? '', parseJson); // large integers keep their digits
    return respond(isMapping(sent) ? { ...call, body: toJsonText(change(sent)) } : call);
  });

/** Changes a sent hyperparameter before the server sees it. */
export const inField = (name: string, change: (value: never) => unknown): Change =>
  render(name)(inFields((sent) => ({ ...sent, [name]: change(sent[name] as never) }))); // each change knows its field

/** Changes the variables before the server sees them. */
export const inVariables = (change: (variables: Json) => Json): Change =>
  inFields((sent) => (isMapping(sent.variables) ? { ...sent, variables: change(sent.variables) } : sent));

/** Changes each variable. */
export const inValues = (change: (value: unknown) => unknown): Change =>
  inVariables((given) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, change(value)])),
  );

export const inTextValues = (change: (text: string) => string): Change =>
  inValues((value) => (typeof value === 'string' ? change(value) : value));

/** What a call asks for, and what the server shows. */
interface Asked {
  /** The whole list, in the order of the call. */
  readonly all: readonly Json[];
  readonly limit: number;
  /** Where the cursors stand; -1 without one. */
  readonly after: number;
  readonly before: number;
  readonly data: readonly Json[];
}

/** The part of a list that a call asks for. */
const usualCut = ({ all, limit, after }: Asked) => all.slice(after + 1, after + 1 + limit);

/** Cuts the pages of a list in another way than the server does, or from a list that is arranged in another way. */
export const cut = (
  toData: (asked: Asked) => readonly Json[] = usualCut,
  arrange = (all: readonly Json[]) => all,
) =>
  inBody((page, call, respond) => {
    const sent = new URLSearchParams(call.query);
    const all = arrange(readWhole(call, respond));
    const find = (name: string): number => all.findIndex(({ id }) => id === sent.get(name));
    const isCheckpoints = ofCheckpoints.test(`GET ${call.path}`);
    const limit = Number(sent.get('limit')) || (isCheckpoints ? 10 : 20);
    const [after, before] = [find('after'), find('before')];
    const data = toData({ all, limit, after, before, data: recordsOf(page) });
    const empty = ofRuns.test(`GET ${call.path}`) ? '' : isCheckpoints ? null : undefined;
    const [first_id, last_id] = data.length > 0 ? [data[0]?.id, data.at(-1)?.id] : [empty, empty];
    const has_more = before < 0 ? data.length > 0 && last_id !== all.at(-1)?.id : page.has_more;
    return { ...page, data, first_id, last_id, has_more };
  });

/** Shows another list, except where `before` is sent. */
export const arrange =
  (change: (all: readonly Json[]) => readonly Json[]): Change =>
  (call, respond) =>
    'before' in sentIn(call) ? respond(call) : cut(usualCut, change)(call, respond);

/** The whole list of which a call asks a page, in its order. */
export const readWhole = (call: CheckCall, respond: Respond): readonly Json[] => {
  const sent = new URLSearchParams(call.query);
  for (const cursor of ['after', 'before']) sent.delete(cursor);
  sent.set('limit', '100');
  const all: Json[] = [];
  for (;;) {
    const page = parseReply(respond({ ...call, query: sent.toString() })); // most replies are read many times
    all.push(...recordsOf(page));
    if (!fieldOf(page, 'has_more')) return all;
    sent.set('after', String(fieldOf(page, 'last_id')));
  }
};

/** Lets calls in that carry no key of one kind. */
export const letIn =
  (header: KeyHeader): Change =>
  (call, respond) =>
    respond({ ...call, without: (call.without ?? []).filter((name) => name !== header) });

/** Refuses calls without a virtual key. */
export const needVirtualKey: Change = (call, respond) =>
  (call.without?.includes('x-gateway-virtual-key') ? refuse() : respond)(call, respond);

export const without =
  (name: string) =>
  (value: Json): Json => {
    const { [name]: _, ...rest } = value;
    return rest;
  };

export const recordsOf = (page: unknown): Json[] => fieldOf(page, 'data') as Json[]; // pages of our own server have them
