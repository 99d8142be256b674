// Which credentials and headers the mock asks for where the contract is silent, and whether a target does the same.
import type { AssumptionId } from '../protocol/assumptions.ts';
import { type AssumptionCheck, chooseByStatus } from './assumption-check.ts';
import { ask } from './calls.ts';
import { describeCall, type LawCall, NotCheckable, type Target } from './check.ts';
import { batches, listCall, readPage, runs } from './lists.ts';

const batchCall = ({ samples }: Target, headers: Readonly<Record<string, string>> = {}): LawCall => ({
  ...listCall(batches, samples, { limit: 1 }),
  headers,
});

/** Looks only where the same call succeeds with the right keys. */
const afterReading = (look: AssumptionCheck['look']): AssumptionCheck => ({
  needs: batches.needs,
  look: async (target) => {
    await readPage(target, batches, { limit: 1 });
    return look(target);
  },
});

const unknownKey = 'gateway-mock-verify-no-such-key';

export const assumedIdentity = {
  'api-keys': afterReading(async (target) => {
    const call = batchCall(target, { 'x-gateway-api-key': unknownKey });
    const choice = await chooseByStatus(target, call, { 200: 'any' });
    return { ...choice, asked: `${choice.asked} with an unknown API key`, value: choice.value ?? 'listed' };
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
    if (choice.value === 'any') throw new NotCheckable('any API key is accepted: see assumed:api-keys.');
    return { ...choice, asked: `${choice.asked} with an unknown API key` };
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
      throw new NotCheckable('any virtual key is accepted: either none are listed, or this is ignored.');
    return { ...choice, asked: `${choice.asked} with an unknown virtual key` };
  }),
  'beta-header': {
    needs: runs.needs,
    look: async (target) => {
      await readPage(target, runs, { limit: 1 });
      const call: LawCall = { ...listCall(runs, target.samples, { limit: 1 }), without: ['vendor-beta'] };
      return chooseByStatus(target, call, { 200: 'accepted', 400: 'required' });
    },
  },
  bearer: afterReading(async (target) => {
    const call = batchCall(target, { authorization: 'Bearer gateway-mock-verify' });
    const choice = await chooseByStatus(target, call, { 200: 'ignored' });
    return { ...choice, asked: `${choice.asked} with Authorization: Bearer` };
  }),
  'request-id': afterReading(async (target) => {
    const trace = 'gateway-mock-verify';
    const call = batchCall(target, { 'x-gateway-trace-id': trace });
    const { header } = await ask(target, call);
    const [id, echo] = [header('x-request-id'), header('x-gateway-trace-id')];
    const came = `x-request-id ${id ?? 'missing'}, x-gateway-trace-id ${echo ?? 'missing'}`;
    return { asked: describeCall(call), value: id && echo === trace ? 'seeded' : undefined, came };
  }),
} satisfies Partial<Record<AssumptionId, AssumptionCheck>>;
