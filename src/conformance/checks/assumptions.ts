// The assumptions as one table: the call, the value for each status, and what else to look at.
import { type AssumptionId, assumptions } from '../../protocol/assumptions.ts';
import { fillPath } from '../../protocol/paths.ts';
import { isMapping, type Mapping } from '../../util/mapping.ts';
import { policyCall, renderCall } from '../calls.ts';
import {
  type Check,
  type CheckCall,
  type CheckTarget,
  checkEach,
  describeCall,
  differs,
  formatValue,
  NotCheckable,
} from '../check.ts';
import {
  batches,
  checkpoints,
  formatIds,
  idsOf,
  listCall,
  maxLimit,
  readPage,
  runs,
  walkList,
} from '../lists.ts';
import { fieldOf, parseReply, tryCall } from '../replies.ts';
import { findTextPaths, isWithin } from '../texts.ts';
import { assumedRecords } from './assumed-records.ts';
import {
  type AssumptionEntry,
  byStatus,
  type Look,
  onlyIf,
  orEmpty,
  refusedBy,
  type Seen,
  unless,
} from './look.ts';
import {
  compareText,
  contentsOf,
  findSomeShown,
  readData,
  renderText,
  sentMessages,
  sentParameters,
} from './renderings.ts';
import { awkwardTexts } from './variables.ts';

/** An id that does not exist in any account. */
const noOne = 'gateway-mock-verify-no-such-id';
const noPolicy = '00000000-0000-4000-8000-00000000dead';
const unknownKey = 'gateway-mock-verify-no-such-key';

const get = (path: string, query = ''): CheckCall => ({ method: 'GET', path, query });
const batch = (query: string, more: Partial<CheckCall> = {}): CheckCall => ({
  ...get(batches.contract.path, query),
  ...more,
});
const noThread = (query = ''): CheckCall => get(fillPath(runs.contract.path, { thread_id: noOne }), query);
const noJob = get(fillPath(checkpoints.contract.path, { fine_tuning_job_id: noOne }));

/** Renders the sample prompt with these fields beside the variables. */
const fields =
  (body: Mapping) =>
  ({ samples }: CheckTarget): CheckCall =>
    renderCall(samples, body);

/** Renders it with another body. */
const bodyOf =
  (body: string, type = 'application/json') =>
  ({ samples }: CheckTarget): CheckCall => ({
    ...renderCall(samples),
    body,
    headers: { 'content-type': type },
  });

const rendered = (look: Look): AssumptionEntry => [['prompt'], onlyIf((target) => readData(target), look)];
const listed = (...looks: readonly [Look, ...Look[]]): AssumptionEntry => {
  const read = (target: CheckTarget) => readPage(target, batches, { limit: 1 });
  return [batches.needs, ...looks.map((look) => onlyIf(read, look))];
};

const limitError = (code: string) => ({ param: 'limit', code });
const limitOf = (limit: string, code: string): Look =>
  refusedBy(400, batch(`limit=${limit}`), limitError(code));

/** Looks at the body of an error: all of them have the same fields. */
const errorBody =
  (toCall: (target: CheckTarget) => CheckCall): Look =>
  async (target) => {
    const call = toCall(target);
    const reply = await tryCall(target, call);
    if (reply.status < 400) return undefined;
    const body = parseReply(reply);
    const names = ['success', 'status', 'message', 'error', 'data'];
    const isCombined = names.every((name) => fieldOf(body, name) !== undefined);
    const actual = isMapping(body) ? Object.keys(body).join(', ') : 'no JSON object';
    return { request: describeCall(call), value: isCombined ? 'combined' : undefined, actual };
  };

/** Looks at a field of a rendering, to which it was sent. */
const renderedField = (
  name: string,
  sent: unknown,
  value: string,
  isWrong: (found: unknown) => boolean,
): AssumptionEntry =>
  rendered(
    byStatus(
      fields({ [name]: sent }),
      { 200: value },
      {
        findFault: (body) => {
          const found = fieldOf(fieldOf(body, 'data'), name);
          return isWrong(found) ? `data.${name} ${formatValue(found)}` : undefined;
        },
      },
    ),
  );

const blankParameter: Look = async (target) => {
  const plain = idsOf(await readPage(target, batches, {}, { fresh: true }));
  return byStatus(
    batch('after=&limit='),
    { 200: 'absent' },
    {
      findFault: (body) => {
        const data = fieldOf(body, 'data');
        const ids = (Array.isArray(data) ? data : []).map((record) => String(fieldOf(record, 'id')));
        const start = Math.max(0, ids.indexOf(plain[0] ?? '')); // new records come first
        const isSame = ids.slice(start).join() === plain.slice(0, ids.length - start).join();
        return isSame && (start > 0 || ids.length === plain.length) ? undefined : formatIds(ids);
      },
    },
  )(target);
};

const checkpointBounds: Look = async (target) => {
  const { ids } = await walkList(target, checkpoints);
  const seen = await byStatus(
    listCall(checkpoints, target.samples, { limit: maxLimit + 1 }),
    { 200: 'at-least-1', 400: '1-to-100' },
    {
      findFault: (body) => {
        const data = fieldOf(body, 'data');
        const count = Array.isArray(data) ? data.length : 0;
        return count < Math.min(maxLimit + 1, ids.length) ? `${count} of ${ids.length} records` : undefined;
      },
    },
  )(target);
  if (seen?.value !== '1-to-100') return seen;
  const { status } = await tryCall(target, listCall(checkpoints, target.samples, { limit: maxLimit }));
  return status === 200
    ? seen
    : { ...seen, value: undefined, actual: `${seen.actual}, as for limit=${maxLimit}` };
};

/** Sends other values for hyperparameters that the template sets. */
const precedence =
  (choose: (plain: Mapping) => Mapping): Look =>
  async (target) => {
    const { data: plain } = await readData(target);
    const sent = isMapping(plain) ? choose(plain) : {};
    if (Object.keys(sent).length === 0) return undefined;
    const { request, data } = await readData(target, sent, { mayFail: true });
    const other = Object.keys({ ...Object(plain), ...sent }).find((name) => {
      const found = fieldOf(data, name);
      return name in sent ? found !== sent[name] : found === undefined;
    });
    if (other === undefined) return { request, value: 'request', actual: 'the values of the request' };
    const actual = `data.${other} ${formatValue(fieldOf(data, other))}`;
    return {
      request,
      value: undefined,
      actual,
      ...(!(other in sent) && { expected: `data.${other} of the template` }),
    };
  };

const rootMessages: Look = async (target) => {
  const { request, data } = await readData(target, { messages: sentMessages });
  const texts = contentsOf(data);
  const sent: readonly unknown[] = sentMessages.map(({ content }) => content);
  const isIgnored = !texts.includes(sent[1]);
  const isReplaced = !isIgnored && texts.every((text) => sent.includes(text)); // render-messages looks at the rest
  return {
    request,
    value: isReplaced ? 'replace-template' : isIgnored ? 'template-wins' : undefined,
    actual: `${texts.length} messages, ${isIgnored ? 'without' : 'with'} the sent ones`,
  };
};

const tag = '{{gwm}}';

const rootMessagesRendered: Look = async (target) => {
  const variables = { ...target.samples.variables, gwm: 'gwm-value' };
  const { request, data } = await readData(
    target,
    { messages: [{ role: 'user', content: tag }] },
    { variables },
  );
  const texts = contentsOf(data);
  if (texts.length !== 1) throw new NotCheckable('the target does not return the sent messages.');
  const value = texts[0] === tag ? 'verbatim' : undefined;
  return {
    request,
    value,
    actual: `the content ${formatValue(texts[0])}`,
    expected: `the content ${formatValue(tag)}`,
  };
};

/**
 * The contract states that values are put into the template and that hyperparameters may be sent. It does not state that
 * values are unchanged, nor that hyperparameters come back.
 */
const hyperparametersReturned: Look = async (target) => {
  const { request, data } = await readData(target, sentParameters, { mayFail: true });
  const [name, value] =
    Object.entries(sentParameters).find(([one, sent]) => !isWithin(sent, fieldOf(data, one))) ?? [];
  if (name === undefined) return { request, value: 'mustache', actual: 'all of them' };
  const expected = `data.${name} ${formatValue(value)}, as it was sent`;
  return { request, value: undefined, actual: `data.${name} ${formatValue(fieldOf(data, name))}`, expected };
};

const textsUnchanged: Look = async (target) => {
  let seen: Seen | undefined;
  const paths = findTextPaths(target.samples.variables);
  if (paths.length === 0) return undefined;
  for (const text of [...awkwardTexts, `a ${tag} b`]) {
    const { request, found } = await renderText(target, text);
    for (const { index, places } of found) {
      const isInside = typeof target.samples.variables?.[paths[index] ?? ''] !== 'string';
      // An array or object is put in as JSON.
      const escaped = isInside ? JSON.stringify(text).slice(1, -1) : text;
      const place = places.find((one) => compareText(text, one) !== 'same' && one !== escaped);
      seen ??= { request, value: 'mustache', actual: 'the texts unchanged' };
      if (place !== undefined || places.length === 0)
        return {
          request,
          value: undefined,
          actual: place === undefined ? `no text of variable ${index}` : formatValue(place),
          expected: formatValue(text),
        };
    }
  }
  return seen;
};

const render404 = renderCall({ prompt: noOne });

/** The type requires an entry, or a reason, for every assumption. */
const entries: Readonly<Record<AssumptionId, AssumptionEntry>> = {
  ...assumedRecords,

  // Identity
  'api-keys': listed(async (target) => {
    const seen = await byStatus(
      batch('limit=1', { headers: { 'x-gateway-api-key': unknownKey } }),
      { 200: 'any' },
      { what: 'an unknown API key' },
    )(target);
    return seen && { ...seen, value: seen.value ?? 'listed' };
  }),
  'missing-api-key': listed(
    byStatus(batch('limit=1', { without: ['x-gateway-api-key'] }), { 401: '401' }, { error: { code: '03' } }),
  ),
  'unknown-api-key': listed(
    unless(
      'any',
      'the target accepts any API key: see assumed:api-keys.',
      byStatus(
        batch('limit=1', { headers: { 'x-gateway-api-key': unknownKey } }),
        { 200: 'any', 401: '401' },
        { what: 'an unknown API key', error: { code: '03' } },
      ),
    ),
  ),
  'missing-virtual-key': listed(
    byStatus(batch('limit=1', { without: ['x-gateway-virtual-key'] }), { 400: '400', 200: 'ignored' }),
  ),
  'unknown-virtual-key': listed(
    unless(
      'any',
      'the target accepts any virtual key: either it lists none, or it ignores this header.',
      byStatus(
        batch('limit=1', { headers: { 'x-gateway-virtual-key': unknownKey } }),
        { 400: '400', 200: 'any' },
        { what: 'an unknown virtual key' },
      ),
    ),
  ),
  'beta-header': [
    runs.needs,
    onlyIf(
      (target) => readPage(target, runs, { limit: 1 }),
      byStatus(({ samples }) => ({ ...listCall(runs, samples, { limit: 1 }), without: ['vendor-beta'] }), {
        200: 'accepted',
        400: 'required',
      }),
    ),
  ],
  bearer: listed(
    byStatus(
      batch('limit=1', { headers: { authorization: 'Bearer gateway-mock-verify' } }),
      { 200: 'ignored' },
      { what: 'Authorization: Bearer' },
    ),
    async (target) => {
      const call = batch('limit=1', { bearer: true, without: ['x-gateway-api-key'] });
      const { status } = await tryCall(target, call);
      const request = `${describeCall(call)}, with the key in Authorization: Bearer`;
      return {
        request,
        value: status === 200 ? undefined : 'ignored',
        actual: `status ${status}`,
        expected: 'a refusal',
      };
    },
  ),
  'request-id': listed(
    byStatus(
      batch('limit=1', { headers: { 'x-gateway-trace-id': 'gateway-mock-verify' } }),
      { 200: 'seeded' },
      {
        findFault: (_body, _target, { header }) => {
          const [id, echo] = [header('x-request-id'), header('x-gateway-trace-id')];
          const isSame = id !== null && echo === 'gateway-mock-verify';
          return isSame
            ? undefined
            : `x-request-id ${id ?? 'missing'}, x-gateway-trace-id ${echo ?? 'missing'}`;
        },
      },
    ),
  ),
  'expired-api-key': 'this needs an expired key.',
  'forbidden-api-key': 'this needs a key that is limited to some operations.',
  'session-name': 'only the mock has sessions.',
  'session-required': 'only the mock has sessions.',
  'session-removed': 'only the mock has sessions.',
  'sessions-in-use': 'only the mock has sessions.',
  'session-lost': 'only the mock has sessions.',

  // Errors: the mock checks the key first, then the parameters, then the record.
  'check-order': [
    ['virtualKey'],
    byStatus(batch('limit=many', { without: ['x-gateway-api-key'] }), { 401: 'routing-first' }),
    byStatus(noThread('limit=many'), { 400: 'routing-first' }),
  ],
  'error-body': [
    ['virtualKey'],
    ...[noThread(), batch('limit=0'), noJob, policyCall(noPolicy), render404].map((call) =>
      errorBody(() => call),
    ),
  ],
  'unknown-thread': [['virtualKey'], orEmpty(noThread(), [404], 'empty-list')],
  'unknown-job': [
    ['virtualKey'],
    orEmpty(noJob, [404], 'empty-list', { param: 'fine_tune_id', code: 'fine_tune_not_found' }),
  ],
  'unknown-prompt': [[], refusedBy(404, render404)],
  'unknown-policy': [[], refusedBy(404, policyCall(noPolicy))],
  'policy-id-format': [
    [],
    refusedBy(400, policyCall('no-uuid'), { param: 'rateLimitsPolicyId' }),
    byStatus(
      ({ samples: { policy } }) => (policy ? policyCall(policy.toUpperCase()) : undefined),
      { 200: '400' },
      { what: 'a uuid in upper case' },
    ),
  ],
  'policy-status-value': [
    ['policy'],
    refusedBy(400, ({ samples }) => policyCall(samples.policy ?? '', 'retired'), {
      param: 'status',
      code: 'invalid_value',
    }),
  ],
  'limit-too-large': [['virtualKey'], limitOf('101', 'integer_above_max_value')],
  'limit-too-small': [
    ['virtualKey'],
    limitOf('0', 'integer_below_min_value'),
    limitOf('-1', 'integer_below_min_value'),
  ],
  'limit-format': [
    ['virtualKey'],
    ...['many', '1.5', '0x10'].map((limit) => limitOf(limit, 'invalid_type')),
    byStatus(
      batch('%6Cimit=%31'),
      { 200: '400' },
      {
        what: 'limit=1 in percent-encoding',
        findFault: (body) => {
          const data = fieldOf(body, 'data');
          return Array.isArray(data) && data.length > 1 ? `${data.length} records` : undefined;
        },
      },
    ),
  ],
  'checkpoint-limit-bounds': [checkpoints.needs, checkpointBounds],
  'order-value': [
    runs.needs,
    refusedBy(400, ({ samples }) => ({ ...listCall(runs, samples), query: 'order=sideways' }), {
      param: 'order',
      code: 'invalid_value',
    }),
  ],
  'unknown-cursor': [
    ['virtualKey'],
    orEmpty(batch(`after=${noOne}`), [404, 400], 'empty-page'),
    orEmpty(
      async (target) => {
        const run = target.samples.thread && (await readPage(target, runs)).records[0]?.id;
        return run === undefined || run === '' ? undefined : batch(`after=${encodeURIComponent(run)}`);
      },
      [404, 400],
      'empty-page',
    ),
  ],
  'blank-parameter': [['virtualKey'], blankParameter],
  'repeated-parameter': [['virtualKey'], refusedBy(400, batch('limit=1&limit=2'), { param: 'limit' })],
  'unknown-parameter': [
    ['virtualKey'],
    byStatus(batch('limit=1&gwm_no_such_parameter=1'), { 200: 'ignored', 400: '400' }),
  ],
  'path-encoding': [['virtualKey'], refusedBy(400, get('/threads/%zz/runs'), { param: 'thread_id' })],
  'body-format': [
    ['prompt'],
    onlyIf((target) => readData(target), refusedBy(400, bodyOf('{"variables":'))),
    byStatus(
      fields({}),
      { 200: '400' },
      {
        findFault: (_body, _target, { header }) => {
          const charset = /charset="?([\w-]+)/i.exec(header('content-type') ?? '')?.[1];
          return charset === undefined || /^utf-?8$/i.test(charset)
            ? undefined
            : `a reply in the charset ${charset}`;
        },
      },
    ),
  ],
  'body-depth': rendered(
    refusedBy(400, bodyOf(`{"variables":{"gwm":${'['.repeat(501)}${']'.repeat(501)}}}`)),
  ),
  'body-keys': rendered(
    refusedBy(
      400,
      bodyOf(`{"variables":{}${Array.from({ length: 1000 }, (_, at) => `,"gwm${at}":1`).join('')}}`),
    ),
  ),
  'body-type': rendered(
    refusedBy(415, (target) => bodyOf(renderCall(target.samples).body ?? '', 'text/plain')(target)),
  ),
  'body-size': 'this needs a body of 10 MB.',
  'variables-required': rendered(refusedBy(400, bodyOf('{}'), { param: 'variables' })),
  'nested-hyperparameters': rendered(refusedBy(400, fields({ hyperparameters: { max_tokens: 7 } }))),
  'hyperparameter-type': rendered(
    byStatus(fields({ max_tokens: '7' }), { 400: '400', 200: 'passed-through' }),
  ),
  'hyperparameter-null': renderedField('seed', null, 'not-sent', (found) => found === null),
  'unknown-hyperparameter': renderedField('gwm_no_such_parameter', 7, 'kept', (found) => found !== 7),
  'unknown-path': [[], refusedBy(404, get('/gateway-mock-verify/no-such-path'))],
  // GET on the render path: the one call with an unserved method that changes nothing on any gateway.
  'method-not-served': [['prompt'], refusedBy(405, ({ samples }) => get(renderCall(samples).path))],
  'own-call': 'a real gateway has no such calls.',
  'http-syntax': 'this needs a request that is not valid HTTP.',
  'quota-window': 'this needs as many calls as a limit allows.',
  'quota-exceeded': 'this needs more calls than a limit allows.',
  'retry-after-cap': 'this needs more calls than a limit allows.',

  // Rendering
  'template-syntax': [
    ['prompt'],
    onlyIf((target) => readData(target), hyperparametersReturned),
    onlyIf((target) => readData(target), textsUnchanged),
  ],
  'missing-variable': [
    ['prompt', 'variables'],
    onlyIf(
      findSomeShown,
      byStatus(({ samples }) => renderCall({ ...samples, variables: {} }), { 200: 'empty', 400: '400' }),
    ),
  ],
  'root-messages': [['prompt'], rootMessages],
  'root-messages-rendered': [['prompt'], rootMessagesRendered],
  'hyperparameter-precedence': [
    ['prompt'],
    precedence((plain) => {
      const numbers = Object.entries(plain).filter(([name]) => typeof sentParameters[name] === 'number');
      const toOther = (name: string, value: unknown): unknown =>
        value === sentParameters[name] ? Number(value) + 1 : sentParameters[name];
      return Object.fromEntries(numbers.map(([name, value]) => [name, toOther(name, value)]));
    }),
    precedence(({ model }) => (typeof model === 'string' ? { model: 'gateway-mock-verify' } : {})),
  ],
  'render-reserved-keys': rendered(
    byStatus(
      fields({ prompt_id: 'gwm' }),
      { 200: 'left-out' },
      {
        findFault: (body) => {
          const passed = ['variables', 'prompt_id'].filter(
            (name) => fieldOf(fieldOf(body, 'data'), name) !== undefined,
          );
          return passed.length === 0 ? undefined : `data with ${passed.join(' and ')}`;
        },
      },
    ),
  ),
  'prompt-version': rendered(
    byStatus(
      ({ samples }) => {
        const { prompt = '' } = samples;
        if (prompt.includes('@'))
          throw new NotCheckable('the id of the prompt already has a version suffix.');
        return renderCall({ ...samples, prompt: `${prompt}@latest` });
      },
      { 200: 'suffix' },
    ),
  ),
  'recursive-partial': 'this needs a stored prompt that includes itself.',
  'render-size': 'this needs a rendering of 10 MB.',
};

/** A check that compares the target with the default of an assumption. It never fails: the contract is silent there. */
const toCheck = (id: AssumptionId): Check => {
  const { section, description, choices } = assumptions[id];
  const entry = entries[id];
  const [needs, ...looks] =
    typeof entry === 'string' ? [[], () => Promise.reject(new NotCheckable(entry))] : entry;
  return {
    id: `assumed:${id}`,
    section,
    description,
    needs,
    async *run(target) {
      yield* checkEach(looks, async function* (look) {
        const seen = await look(target);
        if (seen !== undefined && seen.value !== choices[0][0])
          yield differs(id, seen.value, seen.request, seen.actual, seen.expected);
      });
    },
  };
};

/** One check per assumption, in the order of the registry. */
export const assumptionChecks: readonly Check[] = (Object.keys(assumptions) as AssumptionId[]).map(toCheck);
