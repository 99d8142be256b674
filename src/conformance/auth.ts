// Which headers let a call in (contract: Authentication).
import { ask, refused } from './calls.ts';
import { broken, describeCall, differs, type KeyHeader, type Law, type LawCall, type Target } from './law.ts';
import { goodCalls } from './replies.ts';

const section = 'Authentication';

/** @throws NotCheckable where the call fails with all headers, so that nothing follows from its failing without one */
const expectSuccess = async (target: Target, call: LawCall): Promise<void> => {
  const reply = await target.call(call);
  if (reply.status !== 200) throw refused(call, reply);
};

const statusWithout = async (target: Target, call: LawCall, header: KeyHeader) => {
  await expectSuccess(target, call);
  const changed: LawCall = { ...call, without: [header] };
  return { asked: describeCall(changed), status: (await ask(target, changed)).status };
};

export const authLaws: readonly Law[] = goodCalls.flatMap(({ name, contract, needs, toCall }): Law[] => [
  {
    id: `${name}-api-key`,
    section,
    says: 'A call without x-gateway-api-key does not succeed.',
    needs,
    async *check(target) {
      const { asked, status } = await statusWithout(target, toCall(target.samples), 'x-gateway-api-key');
      if (status === 200) yield broken(asked, 'any other status than 200', 'status 200');
    },
  },
  {
    id: `${name}-virtual-key`,
    section,
    says: contract.virtualKey
      ? 'The call does not succeed without x-gateway-virtual-key.'
      : 'The call needs no x-gateway-virtual-key.',
    needs,
    async *check(target) {
      const call = toCall(target.samples);
      const { asked, status } = await statusWithout(target, call, 'x-gateway-virtual-key');
      if (!contract.virtualKey && status !== 200) yield broken(asked, 'status 200', `status ${status}`);
      // Required by the contract, and yet an alternative of the mock: such gateways are known.
      if (contract.virtualKey && status === 200)
        yield differs('missing-virtual-key', 'ignored', asked, 'status 200');
    },
  },
]);
