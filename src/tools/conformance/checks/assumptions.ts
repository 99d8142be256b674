// The assumptions as one table: the call, the value for each status, and what else to look at.
import { type AssumptionId, assumptions } from '../../../core/assumptions/table.ts';
import { fillPath } from '../../../core/protocol/paths.ts';
import { isMapping, type Mapping, mapValues } from '../../../core/util/mapping.ts';
import { policyCall, renderCall } from '../calls.ts';
import { checkEach, describeCall, differs, formatValue, NotCheckable } from '../check.ts';
import { batches, checkpoints, listCall, maxLimit, runs } from '../lists.ts';
import { fieldOf, itemsOf, parseReply, readObject, tryCall } from '../replies.ts';
import { findTexts, isWithin } from '../texts.ts';
import type { Check, CheckCall, CheckSamples, CheckTarget } from '../types.ts';
import { formatIds, idsOf, readOtherThread, readPage, walkList } from '../walk.ts';
import { assumedRecords } from './assumed-records.ts';
import { type AssumptionEntry, entryOf, type FindOther, type Look, look, notVisible } from './look.ts';
import {
  contentsOf,
  findShown,
  readData,
  renderText,
  renderTexts,
  sentMessages,
  sentParameters,
} from './renderings.ts';
import { awkwardTexts } from './variables.ts';

/** An id that does not exist in any account. */
const noOne = 'gateway-mock-verify-no-such-id';
const noPolicy = policyCall('00000000-0000-4000-8000-00000000dead');
const noPrompt = renderCall({ prompt: noOne });

const get = (path: string, query = ''): CheckCall => ({ method: 'GET', path, query });
const batch = (query: string, more: Partial<CheckCall> = {}): CheckCall => ({
  ...get(batches.contract.path, query),
  ...more,
});
/** The first batch, with changed headers. */
const batchWith = (name: string, value: string): CheckCall =>
  batch('limit=1', { headers: { [name]: value } });
const batchWithout = (...without: NonNullable<CheckCall['without']>): CheckCall =>
  batch('limit=1', { without });
const noThread = (query = ''): CheckCall => get(fillPath(runs.contract.path, { thread_id: noOne }), query);
const noJob = get(fillPath(checkpoints.contract.path, { fine_tuning_job_id: noOne }));
const unknownKey = batchWith('x-gateway-api-key', 'gateway-mock-verify-no-such-key');
const unknownVirtualKey = batchWith('x-gateway-virtual-key', 'gateway-mock-verify-no-such-key');

const runsWith =
  (more: Partial<CheckCall>) =>
  (samples: CheckSamples): CheckCall => ({ ...listCall(runs, samples), ...more });

/** Renders the sample prompt with these fields beside the variables. */
const fields =
  (body: Mapping) =>
  (samples: CheckSamples): CheckCall =>
    renderCall(samples, body);

const bodyOf =
  (body: string | undefined, type = 'application/json') =>
  (samples: CheckSamples): CheckCall => {
    const call = renderCall(samples);
    return { ...call, body: body ?? call.body, headers: { 'content-type': type } };
  };

const limitOf = (code: string, ...limits: readonly string[]): Look[] =>
  limits.map((limit) => look(batch(`limit=${limit}`), 400, { param: 'limit', code }));

/** Says that a page has records. */
const isNotEmpty = (body: unknown): string | undefined => {
  const data = fieldOf(body, 'data');
  return Array.isArray(data) && data.length === 0 ? undefined : 'a list that is not empty';
};

/** Looks at a field of the rendered data. */
const inData =
  (name: string, isOther: (found: unknown) => boolean): FindOther =>
  (body) => {
    const found = fieldOf(fieldOf(body, 'data'), name);
    return isOther(found) ? `data.${name} ${formatValue(found)}` : undefined;
  };

const isNotSeven = (found: unknown): boolean => found !== 7;
const isPresent = (found: unknown): boolean => found !== undefined;

const traceIds: FindOther = (_body, { header }) => {
  const [id, echo] = [header('x-request-id'), header('x-gateway-trace-id')];
  return id !== null && echo === 'gateway-mock-verify'
    ? undefined
    : `x-request-id ${id ?? 'missing'}, x-gateway-trace-id ${echo ?? 'missing'}`;
};

const otherCharset: FindOther = (_body, { header }) => {
  const charset = /charset="?([\w-]+)/i.exec(header('content-type') ?? '')?.[1] ?? 'utf-8';
  return /^utf-?8$/i.test(charset) ? undefined : `a reply in the charset ${charset}`;
};

const moreThanOne: FindOther = (body) => {
  const { length } = itemsOf(body, 'data');
  return length > 1 ? `${length} records` : undefined;
};

/** Looks at the body of an error: all of them have the same fields. */
const errorBody =
  (call: CheckCall): Look =>
  async (target) => {
    const reply = await tryCall(target, call);
    const body = parseReply(reply);
    const names = ['success', 'status', 'message', 'error', 'data'];
    if (reply.status < 400 || names.every((name) => fieldOf(body, name) !== undefined)) return undefined;
    const actual = isMapping(body) ? Object.keys(body).join(', ') : 'no JSON object';
    return { request: describeCall(call), actual };
  };

const blankParameter: Look = async (target) => {
  const plain = idsOf(await readPage(target, batches, {}, { fresh: true }));
  return look(batch('after=&limit='), 200, (body) => {
    const ids = itemsOf(body, 'data').map((record) => String(fieldOf(record, 'id')));
    const start = Math.max(0, ids.indexOf(plain[0] ?? '')); // new records come first
    const isSame = ids.slice(start).join() === plain.slice(0, ids.length - start).join();
    return isSame && (start > 0 || ids.length === plain.length) ? undefined : formatIds(ids);
  })(target);
};

/** A header may stand in for the virtual key, unless it is not needed at all. */
const missingVirtualKey: Look = async (target) => {
  const call = batchWithout('x-gateway-virtual-key');
  const missing = await look(call, anyOr400)(target);
  if (missing?.value !== '400') return missing;
  const standIn = { ...call.headers, 'x-gateway-provider': 'openai' };
  return look({ ...call, headers: standIn }, { 200: 'stand-in', 400: '400' })(target);
};

const hyperparameterNull: Look = async (target) => {
  const seen = await look(fields({ seed: null }), 200)(target);
  if (seen !== undefined) return seen;
  const { request, data } = await readData(target, { seed: null });
  const found = fieldOf(data, 'seed');
  return found === null ? { request, value: 'kept', actual: 'data.seed null' } : undefined;
};

const checkpointBounds: Look = async (target) => {
  const { ids } = await walkList(target, checkpoints);
  const toCall = (limit: number): CheckCall => listCall(checkpoints, target.samples, { limit });
  const seen = await look(toCall(maxLimit + 1), { 200: 'at-least-1', 400: '1-to-100' }, (body) => {
    const count = itemsOf(body, 'data').length;
    return count < Math.min(maxLimit + 1, ids.length) ? `${count} of ${ids.length} records` : undefined;
  })(target);
  if (seen?.value !== '1-to-100') return seen;
  const { status } = await tryCall(target, toCall(maxLimit));
  return status === 200 ? seen : { ...seen, value: undefined, actual: `${seen.actual}, as for limit=100` };
};

/** Sends hyperparameters, and looks whether they come back, and the others of the template with them. */
const returns =
  (choose: (plain: Mapping) => Mapping, namesOf: (plain: Mapping) => readonly string[] = () => []): Look =>
  async (target) => {
    const { data } = await readData(target);
    const plain = isMapping(data) ? data : {};
    const sent = choose(plain);
    if (Object.keys(sent).length === 0) return undefined;
    const { request, data: found } = await readData(target, sent, { mayFail: true });
    const name = [...Object.keys(sent), ...namesOf(plain)].find((header) =>
      header in sent ? !isWithin(sent[header], fieldOf(found, header)) : fieldOf(found, header) === undefined,
    );
    if (name === undefined) return undefined;
    const wanted = name in sent ? `${formatValue(sent[name])}, as it was sent` : 'of the template';
    const actual = `data.${name} ${formatValue(fieldOf(found, name))}`;
    return { request, actual, expected: `data.${name} ${wanted}` };
  };

/** Other numbers than the template has. */
const otherNumbers = (plain: Mapping): Mapping =>
  Object.fromEntries(
    Object.entries(plain).flatMap(([name, value]) => {
      const sent = sentParameters[name];
      return typeof sent === 'number' ? [[name, value === sent ? sent + 1 : sent]] : [];
    }),
  );

const rootMessages: Look = async (target) => {
  const { request, data } = await readData(target, { messages: sentMessages });
  const texts = contentsOf(data);
  const sent: readonly unknown[] = sentMessages.map(({ content }) => content);
  const isIgnored = !texts.includes(sent[1]);
  if (!isIgnored && texts.every((text) => sent.includes(text))) return undefined; // render-messages looks at the rest
  const actual = `${texts.length} messages, ${isIgnored ? 'without' : 'with'} the sent ones`;
  return { request, value: isIgnored ? 'template-wins' : undefined, actual };
};

const tag = '{{gwm}}';

const rootMessagesRendered: Look = async (target) => {
  const variables = { ...target.samples.variables, gwm: 'gwm-value' };
  const messages = [{ role: 'user', content: tag }];
  const { request, data } = await readData(target, { messages }, { variables });
  const texts = contentsOf(data);
  if (texts.length !== 1) throw new NotCheckable('the target does not return the sent messages.');
  return texts[0] === tag ? undefined : { request, actual: `the content ${formatValue(texts[0])}` };
};

/** The contract states that values are put into the template, but not that they are unchanged. */
const textsUnchanged: Look = async (target) => {
  if (findTexts(target.samples.variables).length === 0) return undefined;
  for (const text of [...awkwardTexts, `a ${tag} b`]) {
    const { request, found } = await renderText(target, text);
    for (const { path, isPlain, places } of found) {
      const escaped = isPlain ? text : JSON.stringify(text).slice(1, -1);
      const place = places.find((candidate) => candidate !== text && candidate !== escaped);
      const expected = formatValue(text);
      if (place !== undefined) return { request, actual: formatValue(place), expected };
      if (places.length === 0) return { request, actual: `no text of variables.${path}`, expected };
    }
  }
  return undefined;
};

/** The model is for the template to decide; the body of a chat completion needs one. */
const modelPresent: Look = async (target) => {
  const { request, data } = await readData(target);
  const model = fieldOf(data, 'model');
  if (typeof model === 'string') return undefined;
  return { request, actual: `data.model ${formatValue(model)}`, expected: 'data.model of the template' };
};

/** A template without its variables is rendered as with empty texts: no `None`, and no tag that is left. */
const missingVariable: Look = async (target) => {
  const { texts } = await renderTexts(
    target,
    mapValues(target.samples.variables ?? {}, () => ''),
  );
  const isOther: FindOther = (body) => {
    const found = findTexts(fieldOf(fieldOf(body, 'data'), 'messages'));
    return found.join('\n') === texts.join('\n') ? undefined : `the messages ${formatValue(found.join(' '))}`;
  };
  const toCall = (samples: CheckSamples): CheckCall => renderCall({ ...samples, variables: {} });
  return look(toCall, { 200: 'empty', 400: '400' }, isOther)(target);
};

/** An object as the value of a text variable. */
const structuredValues: Look = async (target) => {
  const { shown } = await findShown(target);
  const path = shown.find(({ isPlain }) => isPlain)?.path;
  if (path === undefined) throw new NotCheckable('the messages show no variable that is a text itself.');
  const variables = { ...target.samples.variables, [path]: { gwm: [7] } };
  const isOther: FindOther = (body) => {
    const texts = findTexts(fieldOf(fieldOf(body, 'data'), 'messages'));
    return texts.some((text) => text.includes('{"gwm":[7]}')) ? undefined : `no JSON of variables.${path}`;
  };
  return look(
    (samples) => renderCall({ ...samples, variables }),
    { 200: 'json', 500: '500' },
    isOther,
  )(target);
};

const latestVersion = ({ prompt = '', ...samples }: CheckSamples): CheckCall => {
  if (prompt.includes('@')) throw new NotCheckable('the id of the prompt already has a version suffix.');
  return renderCall({ ...samples, prompt: `${prompt}@latest` });
};

/** Renders the prompt that docs/verify.md gives. Its partial, which it never shows, is the prompt itself. */
const probe =
  (variables: Mapping = {}) =>
  ({ probePrompt = '' }: CheckSamples): CheckCall =>
    renderCall({ prompt: probePrompt, variables: { gwm: true, gwm_partial: probePrompt, ...variables } });

const readProbe = (target: CheckTarget): Promise<Mapping> => readObject(target, probe()(target.samples));

/** What becomes of its lines, by the value of the assumption. */
const renderedLines = { 'one\n\ntwo\n\nthree': 'kept', 'one\ntwo\nthree': 'removed' };

const templateLines: Look = async (target) => {
  const [text] = contentsOf(fieldOf(await readProbe(target), 'data'));
  const value = Object.entries(renderedLines).find(([rendered]) => rendered === text)?.[1];
  if (value === undefined)
    throw new NotCheckable(
      `the probe prompt has another text than docs/verify.md gives: ${formatValue(text)}.`,
    );
  const request = describeCall(probe()(target.samples));
  return { request, value, actual: `the content ${formatValue(text)}` };
};

/** A preflight, as a browser sends it before a call with the keys. */
const preflight: CheckCall = {
  ...noPolicy,
  without: ['x-gateway-api-key', 'x-gateway-virtual-key', 'vendor-beta'],
  method: 'OPTIONS',
  headers: {
    origin: 'https://gateway-mock-verify.example',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'x-gateway-api-key, x-gateway-virtual-key',
  },
};

const allowsOrigin: FindOther = (_body, { header }) =>
  header('access-control-allow-origin') === null ? 'no access-control-allow-origin' : undefined;

const anywhere = entryOf([]);
const onBatches = entryOf(batches.needs, (target) => readPage(target, batches, { limit: 1 }));
const onRuns = entryOf(runs.needs, (target) => readPage(target, runs, { limit: 1 }));
const onPrompt = entryOf(['prompt'], (target) => readData(target));

const emptyOr = { 200: 'empty-page', 404: '404', 400: '400' };
const emptyOr404 = { 200: 'empty-list', 404: '404' };
const anyOr400 = { 200: 'ignored', 400: '400' };
const listed = { 400: 'listed', 401: 'listed', 403: 'listed' };
const onlyMock = 'only the mock has sessions.';
const manyCalls = 'this takes as many calls as a rate limit allows.';

const withKey = { code: '03' };
const withJob = { param: 'fine_tune_id', code: 'fine_tune_not_found' };

const runAsCursor = async ({ thread }: CheckSamples, target: CheckTarget) => {
  const [run] = thread === undefined ? [] : idsOf(await readPage(target, runs));
  return run === undefined ? undefined : batch(`after=${encodeURIComponent(run)}`);
};

/** The run of another thread as a cursor: whether the page has runs of that thread, runs-other-cursor checks. */
const otherRunAsCursor = async ({ thread, otherThread }: CheckSamples, target: CheckTarget) => {
  if (thread === undefined || otherThread === undefined) return undefined;
  const [after] = idsOf(await readOtherThread(target));
  return after === undefined ? undefined : listCall(runs, { thread }, { after });
};

/** The type requires an entry, or a reason, for every assumption. */
const entries: Readonly<Record<AssumptionId, AssumptionEntry>> = {
  ...assumedRecords,

  // Identity
  'api-keys': onBatches(look(unknownKey, { 200: 'any', ...listed })),
  'missing-api-key': onBatches(look(batchWithout('x-gateway-api-key'), 401, withKey)),
  'unknown-api-key': onBatches(
    look(unknownKey, 401, notVisible('the target accepts any API key: see assumed:api-keys.'), withKey),
  ),
  'missing-virtual-key': onBatches(missingVirtualKey),
  'unknown-virtual-key': onBatches(
    look(unknownVirtualKey, 400, notVisible('the target accepts any virtual key, or ignores this header.')),
  ),
  'beta-header': onRuns(
    look(runsWith({ query: 'limit=1', without: ['vendor-beta'] }), { 200: 'accepted', 400: 'required' }),
  ),
  bearer: onBatches(
    look(batchWith('authorization', 'Bearer gateway-mock-verify'), 200),
    look(
      { ...batchWithout('x-gateway-api-key'), bearer: true },
      { 200: 'api-key', 400: 'ignored', 401: 'ignored', 403: 'ignored' },
    ),
  ),
  cors: anywhere(look(preflight, { 200: 'open', 204: 'open', 401: 'refused' }, allowsOrigin)),
  'extra-fields': 'this is about records that a scenario or a test writes.',
  'request-id': onBatches(look(batchWith('x-gateway-trace-id', 'gateway-mock-verify'), 200, traceIds)),
  'expired-api-key': 'this needs an expired key.',
  'exhausted-api-key': 'this needs a key whose budget is used up.',
  'forbidden-api-key': 'this needs a key that is limited to some operations.',
  'session-name': onlyMock,
  'session-required': onlyMock,
  'session-removed': onlyMock,
  'session-lost': onlyMock,

  // Errors: the mock checks the key first, then the parameters, then the record.
  'check-order': onBatches(
    look(batch('limit=many', { without: ['x-gateway-api-key'] }), 401),
    look(noThread('limit=many'), 400),
  ),
  'error-body': onBatches(...[noThread(), batch('limit=0'), noJob, noPolicy, noPrompt].map(errorBody)),
  'unknown-thread': onBatches(look(noThread(), emptyOr404, isNotEmpty)),
  'unknown-job': onBatches(look(noJob, emptyOr404, isNotEmpty, withJob)),
  'unknown-prompt': anywhere(look(noPrompt, 404)),
  'unknown-policy': anywhere(look(noPolicy, 404)),
  'policy-id-format': anywhere(
    look(policyCall('no-uuid'), 400, { param: 'rateLimitsPolicyId' }),
    look(({ policy }) => (policy ? policyCall(policy.toUpperCase()) : undefined), 200),
  ),
  'policy-status-value': entryOf(['policy'])(
    look(({ policy = '' }) => policyCall(policy, 'retired'), 400, { param: 'status', code: 'invalid_value' }),
  ),
  'limit-too-large': onBatches(...limitOf('integer_above_max_value', '101')),
  'limit-too-small': onBatches(
    look(batch('limit=0'), { 200: 'empty-page', 400: '400' }, isNotEmpty, {
      param: 'limit',
      code: 'integer_below_min_value',
    }),
    ...limitOf('integer_below_min_value', '-1'),
  ),
  'limit-format': onBatches(
    ...limitOf('invalid_type', 'many', '1.5', '0x10'),
    look(batch('%6Cimit=%31'), 200, moreThanOne),
  ),
  'checkpoint-limit-bounds': entryOf(checkpoints.needs)(checkpointBounds),
  'order-value': onRuns(
    look(runsWith({ query: 'order=sideways' }), 400, { param: 'order', code: 'invalid_value' }),
  ),
  'unknown-cursor': onBatches(
    look(batch(`after=${noOne}`), emptyOr, isNotEmpty),
    look(runAsCursor, emptyOr, isNotEmpty),
    look(otherRunAsCursor, emptyOr, isNotEmpty),
  ),
  'blank-parameter': onBatches(blankParameter),
  'repeated-parameter': onBatches(look(batch('limit=1&limit=2'), 400, { param: 'limit' })),
  'unknown-parameter': onBatches(look(batch('limit=1&gwm_no_such_parameter=1'), anyOr400)),
  'path-encoding': onBatches(look(get('/threads/%zz/runs'), 400, { param: 'thread_id' })),
  'body-format': onPrompt(look(bodyOf('{"variables":'), 400), look(fields({}), 200, otherCharset)),
  'body-type': onPrompt(look(bodyOf(undefined, 'text/plain'), 415)),
  'body-size': 'this needs a body of 10 MB.',
  'variables-required': onPrompt(look(bodyOf('{}'), 400, { param: 'variables' })),
  'nested-hyperparameters': onPrompt(look(fields({ hyperparameters: { max_tokens: 7 } }), 400)),
  'hyperparameter-type': onPrompt(look(fields({ max_tokens: '7' }), { 400: '400', 200: 'passed-through' })),
  'hyperparameter-null': onPrompt(hyperparameterNull),
  'unknown-hyperparameter': onPrompt(look(fields({ gwm_other: 7 }), 200, inData('gwm_other', isNotSeven))),
  'unknown-path': anywhere(look(get('/gateway-mock-verify/no-such-path'), 404)),
  // GET on the render path: the one call with an unserved method that changes nothing on any gateway.
  'method-not-served': onPrompt(look((samples) => get(renderCall(samples).path), 405)),
  'own-call': 'a real gateway has no such calls.',
  'quota-window': manyCalls,
  'quota-exceeded': manyCalls,
  'retry-after-cap': manyCalls,
  'quota-headers': manyCalls,
  'quota-scope': manyCalls,

  // Rendering. The contract does not state that hyperparameters come back.
  'template-syntax': onPrompt(
    returns(() => sentParameters),
    textsUnchanged,
    modelPresent,
  ),
  'template-lines': entryOf(['probePrompt'])(templateLines),
  'template-text': 'no call shows how a prompt is stored.',
  'structured-values': entryOf(['prompt', 'variables'], findShown)(structuredValues),
  'missing-partial': entryOf(['probePrompt'], readProbe)(
    look(probe({ gwm_partial: noOne }), 400),
    look(probe({ gwm_partial: undefined }), 400),
  ),
  'missing-variable': entryOf(['prompt', 'variables'], findShown)(missingVariable),
  'root-messages': onPrompt(rootMessages),
  'root-messages-rendered': onPrompt(rootMessagesRendered),
  'hyperparameter-precedence': onPrompt(
    returns(otherNumbers, Object.keys),
    returns(({ model }) => (typeof model === 'string' ? { model: 'gateway-mock-verify' } : {}), Object.keys),
  ),
  'render-reserved-keys': onPrompt(
    look(fields({ prompt_id: 'gwm' }), 200, inData('variables', isPresent), inData('prompt_id', isPresent)),
  ),
  'prompt-version': onPrompt(look(latestVersion, 200)),
  'recursive-partial': 'this needs a stored prompt that includes itself without end.',
  'render-size': 'this needs a rendering of 10 MB.',
};

/** A check that compares the target with the default of an assumption. It never fails: the contract is silent there. */
const toCheck = (id: AssumptionId): Check => {
  const { section, description, choices } = assumptions[id];
  const entry = entries[id];
  const { needs, looks } =
    typeof entry === 'string' ? { needs: [], looks: [() => Promise.reject(new NotCheckable(entry))] } : entry;
  return {
    id: `assumed:${id}`,
    section,
    description,
    needs,
    run: (target) =>
      checkEach(looks, async function* (seeIn) {
        const seen = await seeIn(target);
        if (seen !== undefined && seen.value !== choices[0][0])
          yield differs(id, seen.value, seen.request, seen.actual, seen.expected);
      }),
  };
};

/** One check per assumption, in the order of the registry. */
export const assumptionChecks: readonly Check[] = (Object.keys(assumptions) as AssumptionId[]).map(toCheck);
