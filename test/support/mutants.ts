// Our own server with one thing broken at a time, and the checks that must fail.

import { validCalls } from '../../src/tools/conformance/calls.ts';
import {
  arrange,
  batches,
  both,
  type Change,
  checkpoints,
  cut,
  every,
  inBody,
  inData,
  inField,
  inLimit,
  inMessages,
  inQuery,
  inRecords,
  inReply,
  inText,
  inTexts,
  inTextValues,
  inValues,
  inVariables,
  type Json,
  letIn,
  needVirtualKey,
  on,
  policy,
  readWhole,
  recordsOf,
  refuse,
  render,
  runs,
  toPattern,
  without,
} from './mutate.ts';

/** What is broken, the checks that must fail (and none of other operations), and how. */
export type Mutant = readonly [title: string, breaks: readonly string[], change: Change];

/** Mutants by the checks that must fail, separated by blanks; then each by its title. */
type Table = Readonly<Record<string, Readonly<Record<string, Change>>>>;

const toMutants = (table: Table): Mutant[] =>
  Object.entries(table).flatMap(([breaks, changes]) =>
    Object.entries(changes).map(([title, change]): Mutant => [title, breaks.split(' '), change]),
  );

/** The same of several things, such as lists. */
const ofEach = <Thing>(things: readonly Thing[], toTable: (thing: Thing) => Table): Mutant[] =>
  things.flatMap((thing) => toMutants(toTable(thing)));

const lists = [
  { name: 'batches', list: batches },
  { name: 'runs', list: runs },
  { name: 'checkpoints', list: checkpoints },
] as const;
/** The lists whose limit the contract bounds. */
const bounded = lists.filter(({ name }) => name !== 'checkpoints');

const more = (has_more: boolean): Change => inBody({ has_more });
const noLimit = inLimit(() => undefined);
const noAfter = inQuery((query) => query.delete('after'));
const noOrder = inQuery((query) => query.delete('order'));
const fromStart = cut(({ all, limit }) => all.slice(0, limit));
const apiKey = letIn('x-gateway-api-key');
const virtualKey = letIn('x-gateway-virtual-key');
const all = validCalls.map(({ name }) => name);

/** Changes pages that are empty. */
const onEmpty =
  (change: Change): Change =>
  (call, respond) => {
    const reply = respond(call);
    const isEmpty = reply.status === 200 && recordsOf(JSON.parse(reply.text)).length === 0;
    return isEmpty ? change(call, respond) : reply;
  };

/** Refuses the page after or before the record at some place of the list. */
const refuseAt = (
  cursor: 'after' | 'before',
  status: number,
  isRefused: (place: number, count: number) => boolean,
): Change =>
  inReply((reply, call, respond) => {
    const ids = readWhole(call, respond).map(({ id }) => id);
    const place = ids.indexOf(new URLSearchParams(call.query).get(cursor) ?? '');
    return place >= 0 && isRefused(place, ids.length) ? refuse(status)(call, () => reply) : {};
  });

/** Changes the third record of each page that has one. */
const inThird = (change: (record: Json, page: readonly Json[]) => Json): Change =>
  inBody((page) => ({
    ...page,
    data: recordsOf(page).map((record, at, data) => (at === 2 ? change(record, data) : record)),
  }));

const listMutants: readonly Mutant[] = [
  ...ofEach(lists, ({ name, list }) => ({
    [`${name}-ids`]: {
      [`one of ${name} has an empty id`]: list()(inThird((record) => ({ ...record, id: '' }))),
      [`one of ${name} has no id`]: list()(inThird(without('id'))),
      [`a page of ${name} has a record twice`]: list()(inThird((record, [first]) => first ?? record)),
      [`pages of 20 ${name} have the fields of the next record`]: list('limit=20')(
        inBody((page) => ({
          ...page,
          data: recordsOf(page).map(({ id }, at, data) => ({ ...(data[at + 1] ?? data[at]), id })),
        })),
      ),
    },
    [`${name}-limit-after`]: { [`limit of ${name} is ignored with after`]: list('after')(noLimit) },
    [`${name}-default-limit`]: {
      [`the default limit of ${name} is 5 with after`]: list('after')(inLimit((limit = 5) => limit)),
    },
    [`${name}-end`]: {
      [`the last of ${name} is shown again and again`]: list('after')(
        onEmpty(cut(({ all }) => all.slice(-1))),
      ),
    },
    [`${name}-walk`]: {
      [`${name} begin again at their end, and say so`]: list()(both(more(true), onEmpty(fromStart))),
    },
    [`${name}-has-more`]: {
      [`an empty page of ${name} says that more follows`]: list('after')(onEmpty(more(true))),
      [`has_more of ${name} is false without limit`]: list('!limit')(more(false)),
    },
    [`${name}-parameters`]: {
      [`after is not found for ${name}`]: list('after')(refuse(404)),
      [`limit=1 is refused for ${name}`]: list('limit=1')(refuse()),
    },
    [`${name}-after ${name}-walk ${name}-default-page`]: {
      [`a page of ${name} shows its first record twice`]: list('!before')(
        cut(({ data }) => [...data.slice(0, 1), ...data.slice(0, -1)]),
      ),
    },
    [`${name}-default-page`]: {
      [`after is ignored for ${name} without limit`]: list('!limit')(noAfter),
    },
    [`${name}-api-key`]: { [`the API key of ${name} is not checked with limit`]: list('limit')(apiKey) },
  })),
  ...ofEach(bounded, ({ name, list }) => ({
    [`${name}-parameters`]: {
      [`limit=100 is answered by 500 for ${name}`]: list('limit=100')(refuse(500)),
      [`limits above 50 are refused for ${name}`]: list('limit>50')(refuse()),
    },
  })),
  ...toMutants({
    'runs-parameters': {
      'order=desc is refused': runs('order=desc')(refuse()),
      'an empty page is answered by 204': runs()(onEmpty(refuse(204))),
      'page 3 is always answered by 500': runs()(refuseAt('after', 500, (place) => place === 19)),
      'the first run is refused as before': runs()(refuseAt('before', 404, (place) => place === 0)),
      'after is refused in ascending order': runs('order=asc after')(refuse()),
    },
    'batches-parameters': {
      'limit=100 is refused with after': batches('limit=100 after')(refuse()),
      'limit=50 alone is refused': batches('limit=50')(refuse()),
      'the last record is not found as a cursor': batches()(
        refuseAt('after', 404, (place, count) => place === count - 1),
      ),
    },
    'runs-limit runs-limit-after runs-limit-before': {
      'limit is ignored in ascending order': runs('order=asc')(noLimit),
    },
    'runs-limit': {
      'limit=1 shows the second record': runs('limit=1 !after !before')(cut(({ all }) => all.slice(1, 2))),
    },
    'batches-limit batches-limit-after': {
      'limit is at most 10': batches()(inLimit((limit) => limit && Math.min(limit, 10))),
    },
    'checkpoints-limit checkpoints-limit-after': {
      'limit of checkpoints is one more': checkpoints()(inLimit((limit) => limit && limit + 1)),
    },
    'runs-default-limit': {
      'the default limit is 10 in ascending order': runs('order=asc')(inLimit((limit = 10) => limit)),
    },
    'runs-has-more runs-before-has-more': {
      'has_more is false in ascending order': runs('order=asc')(more(false)),
    },
    'runs-has-more': {
      'has_more is true in ascending order': runs('order=asc')(more(true)),
    },
    'runs-before-has-more': {
      'has_more is false with before in ascending order': runs('before order=asc')(more(false)),
      'has_more is false with before, without limit': runs('before !limit')(more(false)),
    },
    'runs-after runs-walk runs-end runs-default-page': {
      'after is ignored in ascending order': runs('order=asc')(noAfter),
    },
    'batches-walk': {
      'limit=1 skips a record after the tenth': batches('limit=1')(
        cut(({ all, after, data }) => (after === 9 ? all.slice(11, 12) : data)),
      ),
    },
    'runs-before runs-default-page': {
      'before shows its page the wrong way round': runs('before !after')(
        cut(({ data }) => data.toReversed()),
      ),
    },
    'runs-limit-before': { 'limit is ignored with before': runs('before')(noLimit) },
    'runs-default-page': {
      'before is ignored without limit': runs('!limit')(inQuery((query) => query.delete('before'))),
      'after goes desc in ascending order without limit': runs('!limit after')(noOrder),
    },
    'runs-order': { 'order is ignored': runs()(noOrder) },
    'runs-default-order runs-default-page': {
      'the default order is asc': runs('!order')(inQuery((query) => query.set('order', 'asc'))),
    },
    'runs-order runs-walk runs-default-page runs-limit': {
      'asc leaves a run out': runs('order=asc')(
        inBody((page) => ({ ...page, data: recordsOf(page).filter((_, index) => index !== 20) })),
      ),
    },
    'runs-owner': {
      'runs are of another thread': runs()(inRecords({ thread_id: 'thread_b' })),
      'pages are kept by their query alone': (call, respond) =>
        respond({ ...call, path: call.path.replace('/thread_b/', '/thread_a/') }),
    },
    'checkpoints-owner': {
      'checkpoints are of another job': checkpoints()(inRecords({ fine_tuning_job_id: 'job_b' })),
    },
    'batches-api-key': { 'the API key is not checked with after': batches('after')(apiKey) },
    'runs-api-key': { 'the API key is not checked with order': runs('order')(apiKey) },
    'runs-virtual-key': { 'the virtual key is not checked with after': runs('after')(virtualKey) },
  }),
];

/** Replies, pages and records of another shape. */
const shapeMutants: readonly Mutant[] = [
  ...ofEach(validCalls, ({ name, contract }) => ({
    [`${name}-success`]: { [`${contract.id} answers by 201`]: on(toPattern(contract))()(refuse(201)) },
  })),
  ...toMutants({
    'batches-success': {
      'JSON comes as text/html': batches()(inReply(() => ({ header: () => 'text/html' }))),
      'replies begin with a byte order mark': batches()(inText((page) => `\ufeff${page}`)),
    },
    'runs-schema': {
      'a run has no created_at': runs()(inRecords(without('created_at'))),
    },
    'batches-schema': {
      'the timestamps of batches have fractions': batches()(inRecords({ expires_at: 1.5 })),
    },
    'checkpoints-schema': {
      'a metric of validation is null': checkpoints()(
        inRecords({
          metrics: { step: 5, train_loss: 1.5, train_mean_token_accuracy: 0.5, valid_loss: null },
        }),
      ),
    },
    'batches-envelope': {
      'the constant of a page is another': batches()(inBody({ object: 'page' })),
    },
    'checkpoints-envelope': {
      'data is missing': checkpoints()(inBody(without('data'))),
    },
    'runs-envelope': {
      'last_id of runs is null': runs()(inBody({ last_id: null })),
    },
  }),
];

const onPolicy = (change: Json): Change => policy()(inBody(change));
const otherPolicy = { id: '33333333-3333-4333-8333-333333333333' };
const isArchived = inQuery((query) => query.set('status', 'archived'));
const orArchived: Change = (call, respond) => {
  const found = respond(call);
  return found.status === 200 ? found : isArchived(call, respond);
};

const policyMutants: readonly Mutant[] = toMutants({
  'policy-status-filter policy-archived-filter policy-default-archived': {
    'status is ignored': policy()((call, respond) =>
      orArchived({ ...call, query: 'status=active' }, respond),
    ),
  },
  'policy-default-archived': { 'archived policies are found by default': policy('!status')(orArchived) },
  'policy-default-status policy-default-archived': {
    'the default status is archived': policy('!status')(isArchived),
  },
  'policy-id': { 'another policy is found': onPolicy(otherPolicy) },
  'policy-schema': {
    'the workspace of a policy is not a uuid': onPolicy({ workspace_id: 'workspace-1' }),
    'the time of a policy is no date-time': onPolicy({ created_at: '2026-01-15 12:00' }),
  },
  'policy-parameters': {
    'status=active is not found, though it is the default': policy('status=active')(refuse(404)),
  },
  'policy-success-repeated': {
    'one of nine calls does not find the policy': policy()(every(9)(refuse(404))),
  },
  'policy-api-key': { 'the API key of policies is not checked with status': policy('status')(apiKey) },
  'policy-virtual-key': {
    'the virtual key is required for status=archived': policy('status=archived')(needVirtualKey),
  },
});

/** What a rendering remembers of the calls before it. */
const remember = (change: (data: Json, former: Json) => Json): Change => {
  let former: Json = {};
  return inData((data, { variables: _, messages: _messages, ...sent }) => {
    const changed = change(data, former);
    former = { ...former, ...sent };
    return changed;
  });
};

/** Keeps renderings by their variables alone. */
const keepByVariables = (): Change => {
  const kept = new Map<string, string>();
  return render()(
    inReply(({ text }, { body = '' }) => {
      const key = JSON.stringify(JSON.parse(body).variables);
      kept.set(key, kept.get(key) ?? text);
      return { text: kept.get(key) ?? '' };
    }),
  );
};

/** The first page of the other thread. */
const otherPage: Change = (_call, respond) => respond({ method: 'GET', path: '/threads/thread_b/runs' });

const renderMutants: readonly Mutant[] = toMutants({
  'runs-other-cursor': {
    'a cursor of another thread leads to that thread': (call, respond) =>
      /(?:after|before)=/.test(call.query ?? '') && respond(call).status === 404
        ? otherPage(call, respond)
        : respond(call),
  },
  'render-substitutes': {
    'the second variable is left as a tag with blanks': inVariables((given) => ({
      ...given,
      question: '{{ question }}',
    })),
    'a variable is substituted once alone': inTexts((text) => text.replace(/^Hello .*?,/, 'Hello {{name}},')),
  },
  'render-body': {
    'success is false': render()(inBody({ success: false })),
    'messages have no role': inMessages((messages) => messages.map(without('role'))),
    'hyperparameters are nested': inData(({ messages, ...hyperparameters }) => ({
      messages,
      hyperparameters,
    })),
  },
  'render-schema render-body': { 'success is missing': render()(inBody(without('success'))) },
  'render-body render-substitutes': {
    'there are no messages': inData({ messages: [] }),
  },
  'render-schema': {
    'the contents of messages are objects': inMessages((messages) =>
      messages.map(({ content, ...message }) => ({ ...message, content: { text: content } })),
    ),
  },
  'render-schema render-hyperparameters': {
    'hyperparameters that are sent come back as texts': inData((data) =>
      data.temperature === 1 ? data : { ...data, temperature: String(data.temperature) },
    ),
  },
  'render-variable-names': {
    'the names of variables are matched without regard to case if there is no better': inVariables(
      (given) => ({
        ...given,
        name: given.name ?? given.NAME,
      }),
    ),
  },
  'render-variable-order': {
    'values are put in by their place': inVariables((given) => {
      const [name, question] = Object.values(given);
      return { name, question };
    }),
  },
  'render-letters': {
    'values are cut behind their first word': inTextValues((text) => text.split(' ')[0] ?? ''),
  },
  'render-long-texts': {
    'long texts are cut at 65,535': inTextValues((text) => text.slice(0, 65_535)),
  },
  'render-unicode': {
    'accents are lost from decomposed letters': inTextValues((text) => text.replace(/\p{M}/gu, '')),
    'letters beyond 16 bits are lost': inTextValues((text) => text.replace(/[\ud800-\udfff]/g, '')),
    'values are normalised': inTextValues((text) => text.normalize('NFC')),
    'no-break spaces are spaces': inTextValues((text) => text.replaceAll('\u00a0', ' ')),
    'quotation marks are straight': inTextValues((text) => text.replace(/[“”]/g, '"')),
    'dashes are hyphens': inTextValues((text) => text.replace(/[–—]/g, '-')),
    'line separators are line breaks': inTextValues((text) => text.replaceAll('\u2028', '\n')),
    'zero-width spaces are lost': inTextValues((text) => text.replace(/[\u200b\ufeff]/g, '')),
    'variation selectors are lost': inTextValues((text) => text.replace(/\ufe0f/g, '')),
    'directions are lost': inTextValues((text) => text.replace(/[\u200e\u200f]/g, '')),
  },
  'render-special-characters': {
    'values are taken for a replacement': inTexts((text) => text.replaceAll('$$', '$')),
    '$& is taken for the replaced text': inTextValues((text) => text.replaceAll('$&', '{{name}}')),
    'braces are lost': inTextValues((text) => text.replace(/[{}]/g, '')),
    'a plus is a blank': inTextValues((text) => text.replaceAll('+', ' ')),
    'addresses are masked': inTextValues((text) => text.replace(/[\w.]+@[\w.]+/g, '[email]')),
    'slashes are joined': inTextValues((text) => text.replaceAll('//', '/')),
    'emphasis of Markdown is lost': inTextValues((text) => text.replace(/\*(\w+)\*/g, '$1')),
    'quotes are lost': inTextValues((text) => text.replace(/["']/g, '')),
    'control characters are lost': inTextValues((text) => text.replaceAll('\u0007', '')),
    'line ends are changed': inTextValues((text) => text.replace(/\r\n/g, '\n')),
    'line breaks are lost': inTextValues((text) => text.replace(/\r?\n/g, ' ')),
    'tabs are blanks': inTextValues((text) => text.replaceAll('\t', ' ')),
    'two blanks are one': inTextValues((text) => text.replace(/ +/g, ' ')),
  },
  'render-plain-texts': {
    'dates are written in another form': inTextValues((text) =>
      text.replace(/^(\d{4}-\d\d-\d\d)$/, '$1T00:00:00Z'),
    ),
    'an empty text becomes None': inTextValues((text) => text || 'None'),
    'values are trimmed': inTextValues((text) => text.trim()),
    'texts that look like numbers are numbers': inTextValues((text) =>
      /^[\d.]+$/.test(text) ? String(Number(text)) : text,
    ),
    'the text null is nothing': inTextValues((text) => (text === 'null' ? '' : text)),
    'an empty text is refused': render()((call, respond) =>
      (call.body?.includes(':""') ? refuse(422) : respond)(call, respond),
    ),
  },
  'render-numbers': {
    'negative numbers lose their sign': inValues((value) =>
      typeof value === 'number' ? Math.abs(value) : value,
    ),
    '0 is rendered as nothing': inValues((value) => (value === 0 ? '' : value)),
    'numbers have six digits': inValues((value) =>
      typeof value === 'number' ? Number(value.toPrecision(6)) : value,
    ),
    'large integers are rounded': inValues((value) => (typeof value === 'bigint' ? Number(value) : value)),
  },
  'render-booleans': {
    'booleans are dropped': inValues((value) => (typeof value === 'boolean' ? '' : value)),
  },
  'render-parameters': {
    'logit_bias is refused if it is null': render('logit_bias=null')(refuse()),
    'stream is refused if it is false': render('stream=false')(refuse()),
    ...Object.fromEntries(
      'messages stream tools tool_choice response_format top_p presence_penalty functions'
        .split(' ')
        .map((name) => [`${name} is refused at the root`, render(name)(refuse())]),
    ),
  },
  'render-hyperparameters': {
    'seed does not come back': inData(without('seed')),
    'required is lost from the parameters of tools': render()(
      inText((text) => text.replaceAll(',"required":["gwm"]', '')),
    ),
    'false is lost from the parameters of tools': render()(
      inText((text) => text.replaceAll(',"additionalProperties":false', '')),
    ),
    'null is lost from the parameters of tools': render()(
      inText((text) => text.replaceAll('"default":null', '')),
    ),
  },
  'render-zero-values': {
    'a temperature of 0 is dropped': inData((data) =>
      data.temperature === 0 ? without('temperature')(data) : data,
    ),
    'false is dropped': inData((data) => (data.logprobs === false ? without('logprobs')(data) : data)),
  },
  'render-exact-values': {
    'temperatures have 32 bits': inField('temperature', Math.fround),
    'temperatures are at most 1': inField('temperature', (value) => Math.min(value, 1)),
    'seeds have 53 bits': inField('seed', Number),
    'the second tool is lost': inField('tools', (tools: Json[]) => tools.slice(0, 1)),
    'stop is trimmed': inField('stop', (stop: string) => stop.trim()),
    'strict is lost from tools if it is false': render()(
      inText((text) => text.replaceAll(',"strict":false', '')),
    ),
    'user is cut at 32': inField('user', (user: string) => user.slice(0, 32)),
    'user loses letters beyond 16 bits': inField('user', (user: string) =>
      user.replace(/[\ud800-\udfff]/g, ''),
    ),
  },
  'render-messages': {
    'empty contents become null': inMessages((messages) =>
      messages.map((message) => (message.content === '' ? { ...message, content: null } : message)),
    ),
    'sent messages are in Latin-1': render('messages')(inTexts((text) => text.replace(/[^\0-\xff]/g, '?'))),
    'names of sent messages are lost': render('messages')(
      inMessages((messages) => messages.map(without('name'))),
    ),
    'the first message is lost': inMessages((messages) => messages.slice(1)),
    'messages are sorted by role': inMessages((messages) =>
      messages.toSorted((a, b) => String(a.role).localeCompare(String(b.role))),
    ),
  },
  'render-unchanged': {
    'a hyperparameter of the last call leaks into the next': remember((data, { seed }) => ({
      ...(seed !== undefined && { seed }),
      ...data,
    })),
    'a temperature that was sent stays in the template': remember((data, { temperature }) =>
      data.temperature === 1 ? { ...data, temperature: temperature ?? 1 } : data,
    ),
    'each eleventh rendering lacks its last message': render()(
      every(11)(inMessages((messages) => messages.slice(0, -1))),
    ),
    'renderings are kept by their variables alone': keepByVariables(),
  },
  'render-api-key': {
    'the API key is not checked if a rendering sends stream': render('stream')(apiKey),
  },
  'render-virtual-key': {
    'the virtual key is required for renderings with messages': render('messages')(needVirtualKey),
  },
});

const keyMutants: readonly Mutant[] = toMutants({
  [all.map((name) => `${name}-api-key`).join(' ')]: {
    'the API key is not checked': apiKey,
    'a blank API key is accepted': (call, respond) => {
      const { 'x-gateway-api-key': key, ...headers } = call.headers ?? {};
      return respond(key === '' ? { ...call, headers } : call);
    },
  },
});

/** What breaks a promise of the contract. */
export const mutants: readonly Mutant[] = [
  ...shapeMutants,
  ...listMutants,
  ...policyMutants,
  ...renderMutants,
  ...keyMutants,
];

/** Changes the records from the place `from` of the list on, in whatever order it is asked for. */
const inRecordsFrom = (from: number, change: (record: Json) => Json): Change =>
  inBody((page, call, respond) => {
    const ids = readWhole({ ...call, query: '' }, respond).map(({ id }) => id);
    return { ...page, data: recordsOf(page).map((one) => (ids.indexOf(one.id) >= from ? change(one) : one)) };
  });

const swapAt = (records: readonly Json[], at: number): readonly Json[] =>
  records.map((record, index) => records[index === at ? at + 1 : index === at + 1 ? at : index] ?? record);

const without70 = arrange((records) => records.filter((_, place) => place !== 70));

/** What is wrong deep in a list of 230 records alone. */
const deepMutants: readonly Mutant[] = [
  ...toMutants({
    'runs-owner': {
      'runs are of another thread behind the first 100': runs()(
        inRecordsFrom(100, (run) => ({ ...run, thread_id: 'thread_b' })),
      ),
    },
    'runs-order': {
      'two runs stand the wrong way round behind the first 100': runs()(
        arrange((records) => swapAt(records, 115)),
      ),
    },
    'batches-limit': {
      'pages of 50 have 49 records': batches('limit=50')(arrange((records) => records.slice(0, 49))),
    },
    'batches-has-more': {
      'small pages of batches stop at 200': batches('limit<26')(arrange((records) => records.slice(0, 200))),
      'has_more of small pages is false at one place deep in the list': batches('limit<26')(
        inBody((page, call, respond) => {
          const { id } = Object(readWhole(call, respond)[125]);
          return { ...page, has_more: page.has_more && !recordsOf(page).some((record) => record.id === id) };
        }),
      ),
    },
    'batches-walk': { 'small pages lose a record at place 70': batches('limit<26')(without70) },
    'runs-default-page': { 'pages without limit lose a record at place 70': runs('!limit')(without70) },
  }),
  ...ofEach(lists, ({ name, list }) => ({
    [`${name}-schema`]: {
      [`${name} have a wrong type behind the first 100`]: list()(
        inRecordsFrom(100, (record) => ({ ...record, created_at: String(record.created_at) })),
      ),
    },
    [`${name}-has-more`]: {
      [`has_more of ${name} is false behind the first 100`]: list('after')(more(false)),
    },
    [`${name}-after${name === 'runs' ? ' runs-order' : ''}`]: {
      [`a record of ${name} is lost at each border of pages behind the first 100`]: list('after')(
        cut(({ all, limit, after, data }) => (after < 100 ? data : all.slice(after + 2, after + 2 + limit))),
      ),
    },
  })),
];

/** What is wrong in one of ten replies. */
const one = every(10);
const flakyMutants: readonly Mutant[] = [
  ...toMutants({
    'runs-owner': {
      'one of ten replies has runs of another thread': runs()(one(inRecords({ thread_id: 'thread_b' }))),
    },
    'policy-schema': {
      'one of ten policies has a value of a wrong type': policy()(one(inBody({ value: '5' }))),
    },
    'render-body': { 'one of ten renderings has no success': render()(one(inBody({ success: false }))) },
  }),
  ...ofEach(lists, ({ name, list }) => ({
    [`${name}-schema`]: {
      [`one of ten replies has a wrong type in ${name}`]: list()(one(inRecords({ created_at: 'now' }))),
    },
    [`${name}-envelope`]: {
      [`one of ten replies has a has_more of a wrong type in ${name}`]: list()(
        one(inBody({ has_more: 'yes' })),
      ),
    },
  })),
  ...ofEach(validCalls, ({ name, contract }) => ({
    [`${name}-success`]: {
      [`one of ten replies of ${name} is cut off`]: on(toPattern(contract))()(
        one(inText((text) => text.slice(0, 50))),
      ),
    },
    [`${name}-success-repeated`]: {
      [`one of ten calls of ${name} fails`]: on(toPattern(contract))()(one(refuse(500))),
    },
  })),
];

/** For long lists. */
export const longListMutants: readonly Mutant[] = [...deepMutants, ...flakyMutants];

/** What is lost from one reply in so many that no check sees it twice. */
export const rareMutants: readonly Mutant[] = ofEach(lists, ({ name, list }) => ({
  [`${name}-none-lost`]: {
    [`one of 15 replies loses a record of ${name}`]: list()(
      every(15)(inBody((page) => ({ ...page, data: recordsOf(page).filter((_, index) => index !== 3) }))),
    ),
  },
}));
