// Servers that passed all checks once: refusals within the contract, small pages deep in a list, keys with one parameter,
// and values that a rendering loses.
import { fieldOf } from '../../src/conformance/replies.ts';
import { parseJson, toJsonText } from '../../src/util/json.ts';
import { isMapping } from '../../src/util/mapping.ts';
import { tryParse } from '../../src/util/try-parse.ts';
import {
  batches,
  type Change,
  checkpoints,
  hasParameter,
  inBody,
  inData,
  inEveryReply,
  inPages,
  inRecords,
  type Json,
  letIn,
  limitOf,
  type Mutant,
  on,
  policy,
  readWhole,
  recordsOf,
  render,
  runs,
  toMutants,
} from './mutate.ts';

/** Answers some calls by a status. */
const refuseIf = (pattern: RegExp, status: number, isRefused: (query: URLSearchParams) => boolean): Change =>
  on(pattern, (call, respond) => ({
    ...respond(call),
    ...(isRefused(new URLSearchParams(call.query)) && { status, text: '{"message":"no"}' }),
  }));

/** Refuses the page after the record at some place of the list. */
const refuseAfter = (
  pattern: RegExp,
  status: number,
  isRefused: (place: number, count: number) => boolean,
): Change =>
  on(pattern, (call, respond) => {
    const ids = readWhole(call, respond).map(({ id }) => id);
    const place = ids.indexOf(new URLSearchParams(call.query).get('after') ?? '');
    const isHit = place >= 0 && isRefused(place, ids.length);
    return isHit ? { ...respond(call), status, text: '{"message":"no"}' } : respond(call);
  });

export const refusalMutants: readonly Mutant[] = toMutants({
  'batches-parameters': {
    'limit=100 is refused where after is sent': refuseIf(
      batches,
      400,
      (query) => query.get('limit') === '100' && query.has('after'),
    ),
    'the last record is not found as a cursor': refuseAfter(
      batches,
      404,
      (place, count) => place === count - 1,
    ),
  },
  'runs-parameters': {
    'an empty page is answered by 204': on(runs, (call, respond) => {
      const reply = respond(call);
      const isEmpty = reply.status === 200 && recordsOf(JSON.parse(reply.text)).length === 0;
      return isEmpty ? { ...reply, status: 204, text: '' } : reply;
    }),
    'page 3 is always answered by 500': refuseAfter(runs, 500, (place) => place === 19),
    'the first run is refused as before': on(runs, (call, respond) => {
      const before = new URLSearchParams(call.query).get('before');
      const isFirst = before !== null && readWhole(call, respond)[0]?.id === before;
      return { ...respond(call), ...(isFirst && { status: 404 }) };
    }),
    'after is refused in ascending order': refuseIf(
      runs,
      400,
      (query) => query.get('order') === 'asc' && query.has('after'),
    ),
  },
  'policy-parameters': {
    'status=active is not found, though it is the default': refuseIf(
      policy,
      404,
      (query) => query.get('status') === 'active',
    ),
  },
  'policy-success-repeated': {
    'one of nine calls does not find the policy': inEveryReply(9, policy, (reply) => ({
      ...reply,
      status: 404,
    })),
  },
});

/** Cuts pages of some sizes from a changed list. */
const inSizes = (
  pattern: RegExp,
  isChanged: (limit: number | undefined) => boolean,
  arrange: (all: readonly Json[]) => readonly Json[],
): Change => {
  const changed = inPages(
    pattern,
    ({ all, limit, after, before }, data) => (before >= 0 ? data : all.slice(after + 1, after + 1 + limit)),
    arrange,
  );
  return (call, respond) => (isChanged(limitOf(call)) ? changed(call, respond) : respond(call));
};

const isSmall = (limit: number | undefined): boolean => limit !== undefined && limit <= 25;
const without70 = (all: readonly Json[]) => all.filter((_, place) => place !== 70);

/** For lists of 230 records. */
export const smallPageMutants: readonly Mutant[] = toMutants({
  'batches-limit': {
    'pages of 50 have 49 records': inSizes(
      batches,
      (limit) => limit === 50,
      (all) => all.slice(0, 49),
    ),
  },
  'batches-has-more': {
    'small pages of batches stop at 200': inSizes(batches, isSmall, (all) => all.slice(0, 200)),
    'has_more of small pages is false at one place deep in the list': on(batches, (call, respond) => {
      const reply = respond(call);
      if (reply.status !== 200 || !isSmall(limitOf(call))) return reply;
      const body = JSON.parse(reply.text);
      const isThere = recordsOf(body).some(({ id }) => id === readWhole(call, respond)[125]?.id);
      return { ...reply, text: JSON.stringify({ ...body, has_more: body.has_more && !isThere }) };
    }),
  },
  'batches-walk': {
    'small pages lose a record at place 70': inSizes(batches, isSmall, without70),
  },
  'runs-default-page': {
    'pages without limit lose a record at place 70': inSizes(runs, (limit) => limit === undefined, without70),
  },
  'runs-walk': {
    'pages of 25 show a record twice, at place 150': inSizes(
      runs,
      (limit) => limit === 25,
      (all) => [...all.slice(0, 150), ...all.slice(149)],
    ),
  },
});

export const limitOneMutants: readonly Mutant[] = toMutants({
  'runs-limit': {
    'limit=1 shows the second record': inPages(runs, ({ all, limit, after, before }, data) =>
      limit === 1 && after < 0 && before < 0 ? all.slice(1, 2) : data,
    ),
  },
  'batches-walk': {
    'limit=1 skips a record after the tenth': inPages(batches, ({ all, limit, after }, data) =>
      limit === 1 && after === 9 ? all.slice(11, 12) : data,
    ),
  },
});

/** Changes calls that have a parameter or field. */
const where = (pattern: RegExp, name: string, change: Change, value?: string): Change =>
  on(pattern, (call, respond) => {
    const body = tryParse(call.body ?? '');
    const isSent = hasParameter(call, name, value) || (isMapping(body) && name in body);
    return isSent ? change(call, respond) : respond(call);
  });

const needVirtualKey: Change = (call, respond) => ({
  ...respond(call),
  ...(call.without?.includes('x-gateway-virtual-key') && { status: 400 }),
});

export const keyParameterMutants: readonly Mutant[] = toMutants({
  'batches-api-key': {
    'the API key is not checked where after is sent': where(batches, 'after', letIn('x-gateway-api-key')),
  },
  'runs-api-key': {
    'the API key is not checked where order is sent': where(runs, 'order', letIn('x-gateway-api-key')),
  },
  'render-api-key': {
    'the API key is not checked where a render sends stream': where(
      render,
      'stream',
      letIn('x-gateway-api-key'),
    ),
  },
  'policy-virtual-key': {
    'the virtual key is demanded for status=archived': where(policy, 'status', needVirtualKey, 'archived'),
  },
  'render-virtual-key': {
    'the virtual key is demanded for renders with messages': where(render, 'messages', needVirtualKey),
  },
  'runs-virtual-key': {
    'the virtual key is not checked where after is sent': where(
      runs,
      'after',
      letIn('x-gateway-virtual-key'),
    ),
  },
});

/** Changes each variable before the server sees it. */
const inValues = (change: (value: unknown, place: number, values: readonly unknown[]) => unknown): Change =>
  on(render, (call, respond) => {
    const { variables, ...body } = Object(tryParse(call.body ?? ''));
    if (!isMapping(variables)) return respond(call);
    const values = Object.values(variables);
    const names = Object.keys(variables);
    const changed = Object.fromEntries(
      names.map((name, place) => [name, change(values[place], place, values)]),
    );
    return respond({ ...call, body: JSON.stringify({ variables: changed, ...body }) });
  });

export const inTextValues = (change: (text: string) => string): Change =>
  inValues((value) => (typeof value === 'string' ? change(value) : value));

/** What a render remembers of the call before it. */
const remember = (change: (data: Json, former: Json) => Json): Change => {
  let former: Json = {};
  return on(render, (call, respond) => {
    const reply = respond(call);
    if (reply.status !== 200) return reply;
    const body = JSON.parse(reply.text);
    const text = JSON.stringify({ ...body, data: change(body.data, former) });
    const { variables: _, messages: _messages, ...sent } = Object(tryParse(call.body ?? ''));
    former = { ...former, ...sent };
    return { ...reply, text };
  });
};

export const inMessages = (change: (messages: readonly Json[]) => readonly Json[]): Change =>
  inData((data) => ({ ...data, messages: change(data.messages as Json[]) })); // renderings have them

export const valueMutants: readonly Mutant[] = toMutants({
  'render-long-texts': {
    'long texts are cut at 5,000': inTextValues((text) => text.slice(0, 5000)),
    'long texts are cut at 255': inTextValues((text) => text.slice(0, 255)),
  },
  'render-variable-order': {
    'values are put in by their place': on(render, (call, respond) => {
      const { variables, ...body } = Object(tryParse(call.body ?? ''));
      const [name, question] = Object.values(Object(variables));
      return respond({ ...call, body: JSON.stringify({ variables: { name, question }, ...body }) });
    }),
  },
  'render-special-characters': {
    '$& is taken for the replaced text': inTextValues((text) => text.replaceAll('$&', '{{name}}')),
    'braces are lost': inTextValues((text) => text.replace(/[{}]/g, '')),
    'quotes are lost': inTextValues((text) => text.replace(/["']/g, '')),
  },
  'render-unicode': {
    'accents are lost from decomposed letters': inTextValues((text) => text.replace(/\p{M}/gu, '')),
    'letters beyond 16 bits are lost': inTextValues((text) => text.replace(/[\ud800-\udfff]/g, '')),
  },
  'render-booleans': {
    'booleans are dropped': inValues((value) => (typeof value === 'boolean' ? '' : value)),
  },
  'render-numbers': {
    '0 is rendered as nothing': inValues((value) => (value === 0 ? '' : value)),
    'numbers are rounded': inValues((value) => (typeof value === 'number' ? Math.round(value) : value)),
  },
  'render-unchanged': {
    'a hyperparameter of the last call leaks into the next': remember((data, { seed }) => ({
      ...(seed !== undefined && { seed }),
      ...data,
    })),
    'a temperature that was sent stays in the template': remember((data, { temperature }) =>
      data.temperature === 1 ? { ...data, temperature: temperature ?? 1 } : data,
    ),
    'each eleventh rendering lacks its last message': inEveryReply(11, render, (reply) => {
      const body = JSON.parse(reply.text);
      const messages = Object(fieldOf(body, 'data')).messages.slice(0, -1);
      return { ...reply, text: JSON.stringify({ ...body, data: { ...body.data, messages } }) };
    }),
  },
  'render-hyperparameters': {
    'seed does not come back': inData(({ seed: _, ...data }) => data),
    'max_tokens is one more': inData((data) => ({ ...data, max_tokens: Number(data.max_tokens) + 1 })),
    'the functions of tools lose strict': inBody(render, (body) =>
      parseJson(toJsonText(body).replaceAll(',"strict":true', '')),
    ),
  },
  'render-messages': {
    'messages of an assistant become those of a user': inMessages((messages) =>
      messages.map((message) => (message.role === 'assistant' ? { ...message, role: 'user' } : message)),
    ),
    'messages are sorted by role': inMessages((messages) =>
      messages.toSorted((a, b) => String(a.role).localeCompare(String(b.role))),
    ),
  },
});

/** Keeps renderings by their variables alone. */
const keepByVariables = (): Change => {
  const kept = new Map<string, string>();
  return on(render, (call, respond) => {
    const reply = respond(call);
    if (reply.status !== 200) return reply;
    const key = JSON.stringify(Object(tryParse(call.body ?? '')).variables);
    const text = kept.get(key) ?? reply.text;
    kept.set(key, text);
    return { ...reply, text };
  });
};

/** Takes a missing variable from the call before. */
const keepVariables = (): Change => {
  let former: Json = {};
  return on(render, (call, respond) => {
    const { variables, ...body } = Object(tryParse(call.body ?? ''));
    if (!isMapping(variables)) return respond(call);
    former = { ...former, ...variables };
    return respond({ ...call, body: JSON.stringify({ variables: former, ...body }) });
  });
};

/** Changes a sent hyperparameter before the server sees it. */
const inField = (name: string, change: (value: never) => unknown): Change =>
  on(render, (call, respond) => {
    const body = Object(tryParse(call.body ?? ''));
    return name in body
      ? respond({ ...call, body: JSON.stringify({ ...body, [name]: change(body[name] as never) }) }) // each change knows its field
      : respond(call);
  });

/** Servers that a helper invented who had not read the checks, and that passed. */
const inventedMutants: readonly Mutant[] = toMutants({
  'render-exact-values': {
    'temperatures have 32 bits': inField('temperature', Math.fround),
    'seeds have 53 bits': inField('seed', (seed) => seed),
    'seeds have 32 bits': inField('seed', (seed) => seed | 0),
    'max_tokens is at most 256': inField('max_tokens', (count) => Math.min(count, 256)),
    'the second tool is lost': inField('tools', (tools: Json[]) => tools.slice(0, 1)),
    'temperatures are at most 1': inField('temperature', (value) => Math.min(value, 1)),
    'stop is trimmed': inField('stop', (stop: string) => stop.trim()),
    'strict is lost from tools where it is false': inBody(render, (body) =>
      parseJson(toJsonText(body).replaceAll(',"strict":false', '')),
    ),
  },
  'render-parameters': {
    'logit_bias is refused where it is null': on(render, (call, respond) => ({
      ...respond(call),
      ...(call.body?.includes('"logit_bias":null') && { status: 400 }),
    })),
    'stream is refused where it is false': on(render, (call, respond) => ({
      ...respond(call),
      ...(call.body?.includes('"stream":false') && { status: 400 }),
    })),
  },
  'render-unchanged': {
    'renderings are kept by their variables alone': keepByVariables(),
    'a missing variable is that of the call before': keepVariables(),
  },
  'render-unicode': {
    'values are normalised': inTextValues((text) => text.normalize('NFC')),
    'variation selectors are lost': inTextValues((text) => text.replace(/\ufe0f/g, '')),
    'directions are lost': inTextValues((text) => text.replace(/[\u200e\u200f]/g, '')),
  },
  'render-hyperparameters': {
    'stream_options are lost': inData(({ stream_options: _, ...data }) => data),
    'stream_options are others': inField('stream_options', () => ({ include_usage: false })),
    'required is lost from the parameters of tools': inBody(render, (body) =>
      parseJson(toJsonText(body).replaceAll(',"required":["gwm"]', '')),
    ),
  },
  'batches-parameters': {
    'limit=50 alone is refused': refuseIf(batches, 400, (query) => query.get('limit') === '50'),
  },
  'render-special-characters': {
    'control characters are lost': inTextValues((text) => text.replaceAll('\u0007', '')),
    'line ends are changed': inTextValues((text) => text.replace(/\r\n/g, '\n')),
    'line breaks are lost': inTextValues((text) => text.replace(/\r?\n/g, ' ')),
    'tabs are blanks': inTextValues((text) => text.replaceAll('\t', ' ')),
    'two blanks are one': inTextValues((text) => text.replace(/ +/g, ' ')),
  },
  'render-plain-texts': {
    'values are trimmed': inTextValues((text) => text.trim()),
    'texts that look like numbers are numbers': inTextValues((text) =>
      /^[\d.]+$/.test(text) ? String(Number(text)) : text,
    ),
    'the text null is nothing': inTextValues((text) => (text === 'null' ? '' : text)),
    'an empty text is refused': on(render, (call, respond) => ({
      ...respond(call),
      ...(call.body?.includes(':""') && { status: 422 }),
    })),
  },
  'render-long-texts': {
    'texts end after 65,535': inTextValues((text) => text.slice(0, 65_535)),
  },
  'render-numbers': {
    'numbers have six digits': inValues((value) =>
      typeof value === 'number' ? Number(value.toPrecision(6)) : value,
    ),
    'large integers are rounded': inValues((value) => value),
  },
  'checkpoints-schema': {
    'a metric of validation is null': inRecords(checkpoints, {
      metrics: { step: 5, train_loss: 1.5, train_mean_token_accuracy: 0.5, valid_loss: null },
    }),
  },
  'batches-success': {
    'replies begin with a byte order mark': on(batches, (call, respond) => {
      const reply = respond(call);
      return { ...reply, text: `\ufeff${reply.text}` };
    }),
  },
});

/** For lists of any length, and other operations. */
export const blindSpotMutants: readonly Mutant[] = [
  ...refusalMutants,
  ...limitOneMutants,
  ...keyParameterMutants,
  ...valueMutants,
  ...inventedMutants,
];
