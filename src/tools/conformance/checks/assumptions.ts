// The assumptions as one table: the call, the value for each status, and what else to compare.
import { type AssumptionId, assumptions } from '../../../core/assumptions/table.ts';
import { fillPath } from '../../../core/protocol/paths.ts';
import { isMapping } from '../../../core/util/mapping.ts';
import { policyCall, renderCall } from '../calls.ts';
import { checkEach, describeCall, differs } from '../check.ts';
import { batches, checkpoints, listCall, maxLimit, runs } from '../lists.ts';
import { fieldOf, itemsOf, parseReply, tryCall } from '../replies.ts';
import type { Check, CheckCall, CheckSamples, CheckTarget } from '../types.ts';
import { formatIds, idsOf, readOtherThread, readPage, walkList } from '../walk.ts';
import { assumedRecords } from './assumed-records.ts';
import { assumedRendering } from './assumed-rendering.ts';
import {
  type AssumptionEntry,
  type Comparison,
  compareReply,
  entryOf,
  type FindOther,
  notVisible,
  unknownId,
  unseen,
} from './comparison.ts';

const noPolicy = policyCall('00000000-0000-4000-8000-00000000dead');
const noPrompt = renderCall({ prompt: unknownId });

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
const noThread = (query?: string) => get(fillPath(runs.contract.path, { thread_id: unknownId }), query);
const noJob = get(fillPath(checkpoints.contract.path, { fine_tuning_job_id: unknownId }));
const unknownKey = batchWith('x-gateway-api-key', 'gateway-mock-verify-no-such-key');
const unknownVirtualKey = batchWith('x-gateway-virtual-key', 'gateway-mock-verify-no-such-key');

const limitOf = (code: string, limit: string) =>
  [batch(`limit=${limit}`), 400, { param: 'limit', code }] as const;

/** Expects that a page has records. */
const isNotEmpty = (body: unknown): string | undefined => {
  const data = fieldOf(body, 'data');
  return Array.isArray(data) && data.length === 0 ? undefined : 'a list that is not empty';
};

const traceIds: FindOther = (_body, { header }) => {
  const [id, echo] = [header('x-request-id'), header('x-gateway-trace-id')];
  return id !== null && echo === 'gateway-mock-verify'
    ? undefined
    : `x-request-id ${id ?? 'missing'}, x-gateway-trace-id ${echo ?? 'missing'}`;
};

const moreThanOne: FindOther = (body) => {
  const { length } = itemsOf(body, 'data');
  return length > 1 ? `${length} records` : undefined;
};

/** Compares the fields of an error, which are the same for all errors. */
const errorBody =
  (call: CheckCall): Comparison =>
  async (target) => {
    const reply = await tryCall(target, call);
    const body = parseReply(reply);
    const names = ['success', 'status', 'message', 'error', 'data'];
    if (reply.status < 400 || names.every((name) => fieldOf(body, name) !== undefined)) return undefined;
    const actual = isMapping(body) ? Object.keys(body).join(', ') : 'no JSON object';
    return { request: describeCall(call), actual };
  };

const blankParameter: Comparison = async (target) => {
  const plain = idsOf(await readPage(target, batches, {}, { fresh: true }));
  return compareReply(batch('after=&limit='), 200, (body) => {
    const ids = itemsOf(body, 'data').map((record) => String(fieldOf(record, 'id')));
    const start = Math.max(0, ids.indexOf(plain[0] ?? '')); // new records come first
    const isSame = ids.slice(start).join() === plain.slice(0, ids.length - start).join();
    return isSame && (start > 0 || ids.length === plain.length) ? undefined : formatIds(ids);
  })(target);
};

/** A header may stand in for the virtual key, unless it is not needed at all. */
const missingVirtualKey: Comparison = async (target) => {
  const call = batchWithout('x-gateway-virtual-key');
  const missing = await compareReply(call, anyOr400)(target);
  if (missing?.value !== '400') return missing;
  const standIn = { ...call.headers, 'x-gateway-provider': 'openai' };
  return compareReply({ ...call, headers: standIn }, { 200: 'stand-in', 400: '400' })(target);
};

const checkpointBounds: Comparison = async (target) => {
  const { ids } = await walkList(target, checkpoints);
  const toCall = (limit: number): CheckCall => listCall(checkpoints, target.samples, { limit });
  const result = await compareReply(toCall(maxLimit + 1), { 200: 'at-least-1', 400: '1-to-100' }, (body) => {
    const count = itemsOf(body, 'data').length;
    return count < Math.min(maxLimit + 1, ids.length) ? `${count} of ${ids.length} records` : undefined;
  })(target);
  if (result?.value !== '1-to-100') return result;
  const { status } = await tryCall(target, toCall(maxLimit));
  if (status === 200) return result;
  return { ...result, value: undefined, actual: `${result.actual}, as for limit=100` };
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

const emptyOr = { 200: 'empty-page', 404: '404', 400: '400' };
const emptyOr404 = { 200: 'empty-list', 404: '404' };
const anyOr400 = { 200: 'ignored', 400: '400' };
const listed = { 400: 'listed', 401: 'listed', 403: 'listed' };
const onlyMock = unseen('only the mock has sessions.');
const manyCalls = unseen('this takes as many calls as a rate limit allows.');

const withKey = { code: '03' };
const withJob = { param: 'fine_tune_id', code: 'fine_tune_not_found' };

const runAsCursor = async ({ thread }: CheckSamples, target: CheckTarget) => {
  const [run] = thread === undefined ? [] : idsOf(await readPage(target, runs));
  return run === undefined ? undefined : batch(`after=${encodeURIComponent(run)}`);
};

/** The run of another thread as a cursor. The check runs-other-cursor looks for runs of that thread on the page. */
const otherRunAsCursor = async ({ thread, otherThread }: CheckSamples, target: CheckTarget) => {
  if (thread === undefined || otherThread === undefined) return undefined;
  const [after] = idsOf(await readOtherThread(target));
  return after === undefined ? undefined : listCall(runs, { thread }, { after });
};

/** The type requires an entry for every assumption. */
const entries: Readonly<Record<AssumptionId, AssumptionEntry>> = {
  ...assumedRecords,
  ...assumedRendering,

  // Identity
  'api-keys': onBatches([unknownKey, { 200: 'any', ...listed }]),
  'missing-api-key': onBatches([batchWithout('x-gateway-api-key'), 401, withKey]),
  'unknown-api-key': onBatches([
    unknownKey,
    401,
    notVisible('the target accepts any API key: see assumed:api-keys.'),
    withKey,
  ]),
  'missing-virtual-key': onBatches(missingVirtualKey),
  'unknown-virtual-key': onBatches([
    unknownVirtualKey,
    400,
    notVisible('the target accepts any virtual key, or ignores this header.'),
  ]),
  'beta-header': onRuns([
    (samples) => ({ ...listCall(runs, samples, { limit: 1 }), without: ['vendor-beta'] }),
    { 200: 'accepted', 400: 'required' },
  ]),
  bearer: onBatches(
    [batchWith('authorization', 'Bearer gateway-mock-verify'), 200],
    [
      { ...batchWithout('x-gateway-api-key'), bearer: true },
      { 200: 'api-key', 400: 'ignored', 401: 'ignored', 403: 'ignored' },
    ],
  ),
  cors: anywhere([preflight, { 200: 'open', 204: 'open', 401: 'refused' }, allowsOrigin]),
  'extra-fields': unseen('this is about records that a scenario or a test writes.'),
  'request-id': onBatches([batchWith('x-gateway-trace-id', 'gateway-mock-verify'), 200, traceIds]),
  'expired-api-key': unseen('this needs an expired key.'),
  'exhausted-api-key': unseen('this needs a key whose budget is used up.'),
  'forbidden-api-key': unseen('this needs a key that is limited to some operations.'),
  'session-name': onlyMock,
  'session-required': onlyMock,
  'session-removed': onlyMock,
  'session-lost': onlyMock,

  // Order of errors: the mock checks the key first, then the parameters, then the record.
  'check-order': onBatches(
    [batch('limit=many', { without: ['x-gateway-api-key'] }), 401],
    [noThread('limit=many'), 400],
  ),
  'error-body': onBatches(...[noThread(), batch('limit=0'), noJob, noPolicy, noPrompt].map(errorBody)),
  'unknown-thread': onBatches([noThread(), emptyOr404, isNotEmpty]),
  'unknown-job': onBatches([noJob, emptyOr404, isNotEmpty, withJob]),
  'unknown-prompt': anywhere([noPrompt, 404]),
  'unknown-policy': anywhere([noPolicy, 404]),
  'policy-id-format': anywhere(
    [policyCall('no-uuid'), 400, { param: 'rateLimitsPolicyId' }],
    [({ policy }) => (policy ? policyCall(policy.toUpperCase()) : undefined), 200],
  ),
  'policy-status-value': entryOf(['policy'])([
    ({ policy = '' }) => policyCall(policy, 'retired'),
    400,
    { param: 'status', code: 'invalid_value' },
  ]),
  'limit-too-large': onBatches(limitOf('integer_above_max_value', '101')),
  'limit-too-small': onBatches(
    [
      batch('limit=0'),
      { 200: 'empty-page', 400: '400' },
      isNotEmpty,
      { param: 'limit', code: 'integer_below_min_value' },
    ],
    limitOf('integer_below_min_value', '-1'),
  ),
  'limit-format': onBatches(
    limitOf('invalid_type', 'many'),
    limitOf('invalid_type', '1.5'),
    limitOf('invalid_type', '0x10'),
    [batch('%6Cimit=%31'), 200, moreThanOne],
  ),
  'checkpoint-limit-bounds': entryOf(checkpoints.needs)(checkpointBounds),
  'order-value': onRuns([
    (samples) => ({ ...listCall(runs, samples), query: 'order=sideways' }),
    400,
    { param: 'order', code: 'invalid_value' },
  ]),
  'unknown-cursor': onBatches(
    [batch(`after=${unknownId}`), emptyOr, isNotEmpty],
    [runAsCursor, emptyOr, isNotEmpty],
    [otherRunAsCursor, emptyOr, isNotEmpty],
  ),
  'blank-parameter': onBatches(blankParameter),
  'repeated-parameter': onBatches([batch('limit=1&limit=2'), 400, { param: 'limit' }]),
  'unknown-parameter': onBatches([batch('limit=1&gwm_no_such_parameter=1'), anyOr400]),
  'path-encoding': onBatches([get('/threads/%zz/runs'), 400, { param: 'thread_id' }]),
  'unknown-path': anywhere([get('/gateway-mock-verify/no-such-path'), 404]),
  'own-call': unseen('a real gateway has no such calls.'),
  'quota-window': manyCalls,
  'quota-exceeded': manyCalls,
  'retry-after-cap': manyCalls,
  'quota-headers': manyCalls,
  'quota-scope': manyCalls,
};

/** A check that compares the target with the default of an assumption. It never fails: the contract is silent there. */
const toCheck = (id: AssumptionId): Check => {
  const { section, description, choices } = assumptions[id];
  const { needs, comparisons } = entries[id];
  return {
    id: `assumed:${id}`,
    section,
    description,
    needs,
    run: (target) =>
      checkEach(comparisons, async function* (compare) {
        const result = await compare(target);
        if (result !== undefined && result.value !== choices[0][0])
          yield differs(id, result.value, result.request, result.actual, result.expected);
      }),
  };
};

/** One check per assumption, in the order of the registry. */
export const assumptionChecks: readonly Check[] = (Object.keys(assumptions) as AssumptionId[]).map(toCheck);
