// Assumptions about credentials and headers.
import type { AssumptionId } from '../protocol/assumptions.ts';
import { type AssumptionCheck, type Choice, chooseByStatus, type ErrorFields } from './assumption-check.ts';
import { ask } from './calls.ts';
import { type CheckCall, type CheckTarget, describeCall, NotCheckable } from './check.ts';
import { batches, listCall, readPage, runs } from './lists.ts';

const batchCall = (
  { samples }: CheckTarget,
  headers: CheckCall['headers'] = {},
  without?: CheckCall['without'],
): CheckCall => ({ ...listCall(batches, samples, { limit: 1 }), headers, without });

/** Chooses the value by the status of a call with other headers. */
const chooseByHeaders = async (
  target: CheckTarget,
  headers: Readonly<Record<string, string>>,
  what: string,
  values: Readonly<Record<number, string>>,
  error?: ErrorFields,
): Promise<Choice> => {
  const choice = await chooseByStatus(target, batchCall(target, headers), values, error);
  return { ...choice, request: `${choice.request} with ${what}` };
};

/** Observes only if the same call succeeds with the right keys. */
const afterReading = (look: AssumptionCheck['observe']): AssumptionCheck => ({
  needs: batches.needs,
  observe: async (target) => {
    await readPage(target, batches, { limit: 1 });
    return look(target);
  },
});

const unknownKey = 'gateway-mock-verify-no-such-key';
const unknownApiKey = { 'x-gateway-api-key': unknownKey };

export const assumedIdentity = {
  'api-keys': afterReading(async (target) => {
    const choice = await chooseByHeaders(target, unknownApiKey, 'an unknown API key', { 200: 'any' });
    return { ...choice, value: choice.value ?? 'listed' };
  }),
  'missing-api-key': afterReading((target) =>
    chooseByStatus(target, batchCall(target, {}, ['x-gateway-api-key']), { 401: '401' }, { code: '03' }),
  ),
  'unknown-api-key': afterReading(async (target) => {
    const values = { 200: 'any', 401: '401' };
    const choice = await chooseByHeaders(target, unknownApiKey, 'an unknown API key', values, { code: '03' });
    if (choice.value === 'any')
      throw new NotCheckable('the target accepts any API key: see assumed:api-keys.');
    return choice;
  }),
  'missing-virtual-key': afterReading((target) =>
    chooseByStatus(target, batchCall(target, {}, ['x-gateway-virtual-key']), { 400: '400', 200: 'ignored' }),
  ),
  'unknown-virtual-key': afterReading(async (target) => {
    const headers = { 'x-gateway-virtual-key': unknownKey };
    const values = { 400: '400', 200: 'any' };
    const choice = await chooseByHeaders(target, headers, 'an unknown virtual key', values);
    if (choice.value === 'any')
      throw new NotCheckable(
        'the target accepts any virtual key: either it lists none, or it ignores this header.',
      );
    return choice;
  }),
  'beta-header': {
    needs: runs.needs,
    observe: async (target) => {
      await readPage(target, runs, { limit: 1 });
      const call: CheckCall = { ...listCall(runs, target.samples, { limit: 1 }), without: ['vendor-beta'] };
      return chooseByStatus(target, call, { 200: 'accepted', 400: 'required' });
    },
  },
  bearer: afterReading((target) => {
    const headers = { authorization: 'Bearer gateway-mock-verify' };
    return chooseByHeaders(target, headers, 'Authorization: Bearer', { 200: 'ignored' });
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
