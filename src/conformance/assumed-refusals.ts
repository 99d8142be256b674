// Assumptions about errors: what is refused, and by which status.

import type { AssumptionId, assumptions } from '../protocol/assumptions.ts';
import { fillPath } from '../protocol/paths.ts';
import { isMapping } from '../util/mapping.ts';
import type { reasons } from './assumed-unasked.ts';
import { type AssumptionCheck, chooseByStatus, refusedBy } from './assumption-check.ts';
import { ask, fieldOf, parseReply, policyCall, readData, renderCall } from './calls.ts';
import { type CheckCall, type CheckTarget, describeCall, formatValue, NotCheckable } from './check.ts';
import {
  batches,
  checkpoints,
  findMaxLimit,
  formatIds,
  idsOf,
  listCall,
  maxLimit,
  readPage,
  runs,
} from './lists.ts';
import { walkLarge } from './walk.ts';

/** An id that does not exist in any account. */
const noOne = 'gateway-mock-verify-no-such-id';
const noPolicy = '00000000-0000-4000-8000-00000000dead';

const batchCall = (query: string): CheckCall => ({ method: 'GET', path: batches.contract.path, query });
const get = (path: string, query = ''): CheckCall => ({ method: 'GET', path, query });

const renderBody = (target: CheckTarget, body: string, type = 'application/json'): CheckCall => ({
  ...renderCall(target.samples),
  body,
  headers: { 'content-type': type },
});

/** Observes a call for something that does not exist: an error or an empty list. */
const orEmpty = async (target: CheckTarget, call: CheckCall, statuses: readonly number[], empty: string) => {
  const values = Object.fromEntries(statuses.map((status) => [status, String(status)]));
  const reply = await ask(target, call);
  const data = fieldOf(parseReply(reply), 'data');
  if (reply.status !== 200) return chooseByStatus(target, call, values);
  const isEmpty = Array.isArray(data) && data.length === 0;
  return {
    request: describeCall(call),
    value: isEmpty ? empty : undefined,
    actual: isEmpty ? 'an empty list' : `status 200: ${formatValue(parseReply(reply))}`,
  };
};

/** Observes only if the prompt is rendered without the mistake. @throws NotCheckable if it is not */
const renders = ({ observe }: Pick<AssumptionCheck, 'observe'>): AssumptionCheck => ({
  needs: ['prompt'],
  observe: async (target) => {
    await readData(target);
    return observe(target);
  },
});

/** Observes a field that is accepted. @param findFault what came back, if it is not as the value says */
const rendersField = (
  name: string,
  sent: unknown,
  value: string,
  findFault: (found: unknown) => string | undefined,
): AssumptionCheck =>
  renders({
    observe: async (target) => {
      const body = { [name]: sent };
      const choice = await chooseByStatus(target, renderCall(target.samples, body), { 200: value });
      if (choice.value === undefined) return choice;
      const actual = findFault(fieldOf((await readData(target, body)).data, name));
      return actual === undefined ? choice : { ...choice, value: undefined, actual };
    },
  });

const list = ['virtualKey'] as const;

/** The type requires a check for each assumption about errors, or a reason in `assumed-unasked.ts`. */
type Refusal = {
  [Id in AssumptionId]: (typeof assumptions)[Id]['section'] extends 'Errors' ? Id : never;
}[AssumptionId];

export const assumedRefusals = {
  'check-order': {
    needs: list,
    // The mock checks the key first, then the parameters, then the record.
    observe: (target) =>
      chooseByStatus(
        target,
        { ...batchCall('limit=many'), without: ['x-gateway-api-key'] },
        { 401: 'routing-first' },
      ),
    observeAgain: (target) =>
      chooseByStatus(target, get(fillPath(runs.contract.path, { thread_id: noOne }), 'limit=many'), {
        400: 'routing-first',
      }),
  },
  'error-body': {
    needs: list,
    observe: async (target) => {
      const call = get(fillPath(runs.contract.path, { thread_id: noOne }));
      const reply = await ask(target, call);
      const body = parseReply(reply);
      if (reply.status < 400)
        throw new NotCheckable(`${describeCall(call)} returned ${reply.status}, not an error.`);
      const fields = ['success', 'status', 'message', 'error', 'data'];
      const isCombined = fields.every((name) => fieldOf(body, name) !== undefined);
      const keys = isMapping(body) ? Object.keys(body).join(', ') : 'no JSON object';
      return { request: describeCall(call), value: isCombined ? 'combined' : undefined, actual: keys };
    },
  },
  'unknown-thread': {
    needs: list,
    observe: (target) =>
      orEmpty(target, get(fillPath(runs.contract.path, { thread_id: noOne })), [404], 'empty-list'),
  },
  'unknown-job': {
    needs: list,
    observe: (target) =>
      orEmpty(
        target,
        get(fillPath(checkpoints.contract.path, { fine_tuning_job_id: noOne })),
        [404],
        'empty-list',
      ),
  },
  'unknown-prompt': refusedBy(404, [], () => renderCall({ prompt: noOne })),
  'unknown-policy': refusedBy(404, [], () => policyCall(noPolicy)),
  'policy-id-format': refusedBy(400, [], () => policyCall('no-uuid'), { param: 'rateLimitsPolicyId' }),
  'policy-status-value': refusedBy(
    400,
    ['policy'],
    ({ samples }) => policyCall(samples.policy ?? '', 'retired'),
    { param: 'status', code: 'invalid_value' },
  ),
  'limit-too-large': refusedBy(400, list, () => batchCall('limit=101'), {
    param: 'limit',
    code: 'integer_above_max_value',
  }),
  'limit-too-small': refusedBy(400, list, () => batchCall('limit=0'), {
    param: 'limit',
    code: 'integer_below_min_value',
  }),
  'limit-format': refusedBy(400, list, () => batchCall('limit=many'), {
    param: 'limit',
    code: 'invalid_type',
  }),
  'checkpoint-limit-bounds': {
    needs: checkpoints.needs,
    observe: async (target) => {
      const { records: all } = await walkLarge(target, checkpoints);
      const call = listCall(checkpoints, target.samples, { limit: 101 });
      const choice = await chooseByStatus(target, call, { 200: 'at-least-1', 400: '1-to-100' });
      const fail = (actual: string) => ({ ...choice, value: undefined, actual });
      if (choice.value === '1-to-100' && (await findMaxLimit(target, checkpoints)) !== maxLimit)
        return fail(`${choice.actual}, as for limit=100`);
      if (choice.value !== 'at-least-1') return choice;
      const { records } = await readPage(target, checkpoints, { limit: 101 });
      return records.length < Math.min(101, all.length)
        ? fail(`${records.length} of ${all.length} records`)
        : choice;
    },
  },
  'order-value': refusedBy(
    400,
    runs.needs,
    ({ samples }) => ({ ...listCall(runs, samples), query: 'order=sideways' }),
    { param: 'order', code: 'invalid_value' },
  ),
  'unknown-cursor': {
    needs: list,
    observe: (target) =>
      orEmpty(target, listCall(batches, target.samples, { after: noOne }), [404, 400], 'empty-page'),
  },
  'blank-parameter': {
    needs: list,
    observe: async (target) => {
      const plain = idsOf(await readPage(target, batches, {}, 'fresh'));
      const call = batchCall('after=&limit=');
      const reply = await ask(target, call);
      const data = reply.status === 200 ? fieldOf(parseReply(reply), 'data') : undefined;
      const ids = Array.isArray(data) ? data.map((record) => String(fieldOf(record, 'id'))) : undefined;
      const start = Math.max(0, ids?.indexOf(plain[0] ?? '') ?? 0); // new records come first
      const later = ids?.slice(start) ?? [];
      const isAbsent =
        later.join() === plain.slice(0, later.length).join() && (start > 0 || later.length === plain.length);
      return {
        request: describeCall(call),
        value: isAbsent ? 'absent' : undefined,
        actual: ids === undefined ? 'not a page' : formatIds(ids),
      };
    },
  },
  'repeated-parameter': refusedBy(400, list, () => batchCall('limit=1&limit=2'), { param: 'limit' }),
  'unknown-parameter': {
    needs: list,
    observe: (target) =>
      chooseByStatus(target, batchCall('limit=1&gwm_no_such_parameter=1'), { 200: 'ignored', 400: '400' }),
  },
  'path-encoding': refusedBy(400, list, () => get('/threads/%zz/runs'), { param: 'thread_id' }),
  'body-format': renders(refusedBy(400, [], (target) => renderBody(target, '{"variables":'))),
  'body-depth': renders(
    refusedBy(400, [], (target) =>
      renderBody(target, `{"variables":{"gwm":${'['.repeat(501)}${']'.repeat(501)}}}`),
    ),
  ),
  'body-keys': renders(
    refusedBy(400, [], (target) =>
      renderBody(
        target,
        `{"variables":{}${Array.from({ length: 1000 }, (_, at) => `,"gwm${at}":1`).join('')}}`,
      ),
    ),
  ),
  'body-type': renders(
    refusedBy(415, [], (target) => renderBody(target, renderCall(target.samples).body ?? '', 'text/plain')),
  ),
  'variables-required': renders(
    refusedBy(400, [], (target) => renderBody(target, '{}'), { param: 'variables' }),
  ),
  'nested-hyperparameters': renders(
    refusedBy(400, [], ({ samples }) => renderCall(samples, { hyperparameters: { max_tokens: 7 } })),
  ),
  'hyperparameter-type': renders({
    observe: (target) =>
      chooseByStatus(target, renderCall(target.samples, { max_tokens: '7' }), {
        400: '400',
        200: 'passed-through',
      }),
  }),
  'hyperparameter-null': rendersField('seed', null, 'not-sent', (found) =>
    found === null ? 'data.seed null' : undefined,
  ),
  'unknown-hyperparameter': rendersField('gwm_no_such_parameter', 7, 'kept', (found) =>
    found === 7 ? undefined : `data has ${formatValue(found)}`,
  ),
  'unknown-path': refusedBy(404, [], () => get('/gateway-mock-verify/no-such-path')),
  // GET on the render path: the one call with an unserved method that changes nothing on any gateway.
  'method-not-served': refusedBy(405, ['prompt'], ({ samples }) => ({
    method: 'GET',
    path: renderCall(samples).path,
  })),
} satisfies Partial<Record<AssumptionId, AssumptionCheck>> &
  Record<Exclude<Refusal, keyof typeof reasons>, AssumptionCheck>;
