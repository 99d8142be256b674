// Assumptions about credentials and headers.
import type { AssumptionId } from '../protocol/assumptions.ts';
import { type AssumptionCheck, chooseByStatus } from './assumption-check.ts';
import { ask } from './calls.ts';
import { type CheckCall, type CheckTarget, describeCall, NotCheckable } from './check.ts';
import { batches, listCall, readPage, runs } from './lists.ts';

const batchCall = ({ samples }: CheckTarget, headers: Readonly<Record<string, string>> = {}): CheckCall => ({
  ...listCall(batches, samples, { limit: 1 }),
  headers,
});

/** Observes only if the same call succeeds with the right keys. */
const afterReading = (look: AssumptionCheck['observe']): AssumptionCheck => ({
  needs: batches.needs,
  observe: async (target) => {
    await readPage(target, batches, { limit: 1 });
    return look(target);
  },
});

const unknownKey = 'gateway-mock-verify-no-such-key';

export const assumedIdentity = {
  'api-keys': afterReading(async (target) => {
    const call = batchCall(target, { 'x-gateway-api-key': unknownKey });
    const choice = await chooseByStatus(target, call, { 200: 'any' });
    return {
      ...choice,
      request: `${choice.request} with an unknown API key`,
      value: choice.value ?? 'listed',
    };
  }),
  'missing-api-key': afterReading((target) =>
    chooseByStatus(
      target,
      { ...batchCall(target), without: ['x-gateway-api-key'] },
      { 401: '401' },
      { code: '03' },
    ),
  ),
  'unknown-api-key': afterReading(async (target) => {
    const call = batchCall(target, { 'x-gateway-api-key': unknownKey });
    const choice = await chooseByStatus(target, call, { 200: 'any', 401: '401' }, { code: '03' });
    if (choice.value === 'any')
      throw new NotCheckable('the target accepts any API key: see assumed:api-keys.');
    return { ...choice, request: `${choice.request} with an unknown API key` };
  }),
  'missing-virtual-key': afterReading((target) =>
    chooseByStatus(
      target,
      { ...batchCall(target), without: ['x-gateway-virtual-key'] },
      { 400: '400', 200: 'ignored' },
    ),
  ),
  'unknown-virtual-key': afterReading(async (target) => {
    const call = batchCall(target, { 'x-gateway-virtual-key': unknownKey });
    const choice = await chooseByStatus(target, call, { 400: '400', 200: 'any' });
    if (choice.value === 'any')
      throw new NotCheckable(
        'the target accepts any virtual key: either it lists none, or it ignores this header.',
      );
    return { ...choice, request: `${choice.request} with an unknown virtual key` };
  }),
  'beta-header': {
    needs: runs.needs,
    observe: async (target) => {
      await readPage(target, runs, { limit: 1 });
      const call: CheckCall = { ...listCall(runs, target.samples, { limit: 1 }), without: ['vendor-beta'] };
      return chooseByStatus(target, call, { 200: 'accepted', 400: 'required' });
    },
  },
  bearer: afterReading(async (target) => {
    const call = batchCall(target, { authorization: 'Bearer gateway-mock-verify' });
    const choice = await chooseByStatus(target, call, { 200: 'ignored' });
    return { ...choice, request: `${choice.request} with Authorization: Bearer` };
  }),
  'request-id': afterReading(async (target) => {
    const trace = 'gateway-mock-verify';
    const call = batchCall(target, { 'x-gateway-trace-id': trace });
    const { header } = await ask(target, call);
    const [id, echo] = [header('x-request-id'), header('x-gateway-trace-id')];
    const actual = `x-request-id ${id ?? 'missing'}, x-gateway-trace-id ${echo ?? 'missing'}`;
    return { request: describeCall(call), value: id && echo === trace ? 'seeded' : undefined, actual };
  }),
} satisfies Partial<Record<AssumptionId, AssumptionCheck>>;
