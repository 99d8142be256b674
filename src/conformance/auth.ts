// Which headers let a call in (contract: Authentication).

import type { OperationContract } from '../protocol/define-operation.ts';
import { ask, refused } from './calls.ts';
import {
  broken,
  checkEach,
  describeCall,
  differs,
  type Finding,
  type KeyHeader,
  type Law,
  type LawCall,
  type Target,
} from './check.ts';
import { goodCalls } from './replies.ts';

const section = 'Authentication';

/** The ways to ask: as plainly as can be, and where there are parameters with one. Some gateways look at keys in one place alone. */
const waysToAsk = (
  call: LawCall,
  contract: OperationContract,
): [about: string | undefined, call: LawCall][] => [
  [undefined, call],
  ...Object.keys(contract.query.shape)
    .filter((name) => name in parameters)
    .map((name): [string, LawCall] => [name, { ...call, query: parameters[name] }]),
];

const parameters: Readonly<Record<string, string>> = { limit: 'limit=1', status: 'status=active' };

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

const apiKey = 'x-gateway-api-key';

/** A key that is missing, with each way to ask, and one that is blank. */
async function* checkApiKey(
  target: Target,
  call: LawCall,
  contract: OperationContract,
): AsyncGenerator<Finding> {
  const wanted = 'any other status than 200';
  yield* checkEach(waysToAsk(call, contract), async function* ([about, way]) {
    const { asked, status } = await statusWithout(target, way, apiKey);
    if (status === 200) yield broken(asked, wanted, 'status 200', about);
  });
  await expectSuccess(target, call);
  const { status } = await ask(target, { ...call, headers: { ...call.headers, [apiKey]: '' } });
  if (status === 200)
    yield broken(`${describeCall(call)} with a blank ${apiKey}`, wanted, 'status 200', 'blank');
}

export const authLaws: readonly Law[] = goodCalls.flatMap(({ name, contract, needs, toCall }): Law[] => [
  {
    id: `${name}-api-key`,
    section,
    says: 'A call without x-gateway-api-key, or with a blank one, does not succeed.',
    needs,
    check: (target) => checkApiKey(target, toCall(target.samples), contract),
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
