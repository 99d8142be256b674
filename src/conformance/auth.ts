// Which headers let a call in (contract: Authentication).

import type { OperationContract } from '../protocol/define-operation.ts';
import { ask, refused } from './calls.ts';
import {
  type CheckCall,
  type CheckTarget,
  checkEach,
  describeCall,
  differs,
  type Findings,
  failed,
  type KeyHeader,
  toChecks,
} from './check.ts';
import { type GoodCall, goodCalls } from './replies.ts';

/** The call itself, and with each of its parameters: some gateways check keys on one path only. */
const waysToAsk = (
  call: CheckCall,
  contract: OperationContract,
): [about: string | undefined, call: CheckCall][] => [
  [undefined, call],
  ...Object.keys(contract.query.shape)
    .filter((name) => name in parameters)
    .map((name): [string, CheckCall] => [name, { ...call, query: parameters[name] }]),
];

const parameters: Readonly<Record<string, string>> = { limit: 'limit=1', status: 'status=active' };

/** @throws NotCheckable if the call fails with all headers: its failure without one would prove nothing */
const expectSuccess = async (target: CheckTarget, call: CheckCall): Promise<void> => {
  const reply = await target.call(call);
  if (reply.status !== 200) throw refused(call, reply);
};

const statusWithout = async (target: CheckTarget, call: CheckCall, header: KeyHeader) => {
  await expectSuccess(target, call);
  const changed: CheckCall = { ...call, without: [header] };
  return { request: describeCall(changed), status: (await ask(target, changed)).status };
};

const apiKey = 'x-gateway-api-key';

/** Checks each variant of the call without the key, and the call with a blank key. */
async function* checkApiKey(target: CheckTarget, { contract, toCall }: GoodCall): Findings {
  const call = toCall(target.samples);
  const wanted = 'a status other than 200';
  yield* checkEach(waysToAsk(call, contract), async function* ([about, way]) {
    const { request, status } = await statusWithout(target, way, apiKey);
    if (status === 200) yield failed(request, wanted, 'status 200', about);
  });
  await expectSuccess(target, call);
  const { status } = await ask(target, { ...call, headers: { ...call.headers, [apiKey]: '' } });
  if (status === 200)
    yield failed(`${describeCall(call)} with a blank ${apiKey}`, wanted, 'status 200', 'blank');
}

async function* checkVirtualKey(target: CheckTarget, { contract, toCall }: GoodCall): Findings {
  const call = toCall(target.samples);
  const { request, status } = await statusWithout(target, call, 'x-gateway-virtual-key');
  if (!contract.virtualKey && status !== 200) yield failed(request, 'status 200', `status ${status}`);
  // The contract requires the key, but some gateways ignore it, so the mock has that as a value.
  if (contract.virtualKey && status === 200)
    yield differs('missing-virtual-key', 'ignored', request, 'status 200');
}

export const authChecks = goodCalls.flatMap((good) =>
  toChecks(good, 'Authentication', {
    'api-key': ['A call without x-gateway-api-key, or with a blank one, fails.', checkApiKey],
    'virtual-key': [
      `A call without x-gateway-virtual-key ${good.contract.virtualKey ? 'fails' : 'succeeds'}.`,
      checkVirtualKey,
    ],
  }),
);
