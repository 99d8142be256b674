// Which headers let a call in (contract: Authentication).

import { type GoodCall, goodCalls, policyCall, renderCall } from '../calls.ts';
import {
  aboutCall,
  type CheckCall,
  type CheckTarget,
  checkEach,
  describeCall,
  differs,
  type Findings,
  failed,
  type KeyHeader,
  toChecks,
} from '../check.ts';
import { idsOf, type ListQuery, listCall, lists, readPage, runs } from '../lists.ts';
import { refused, tryCall } from '../replies.ts';

/** The call itself, and with each of its parameters: some gateways check keys on one path only. */
const waysToCall = async (target: CheckTarget, { name, toCall }: GoodCall): Promise<readonly CheckCall[]> => {
  const { samples } = target;
  const list = lists.find((one) => one.name === name);
  if (name === 'render')
    return [{}, { stream: true }, { temperature: 0.5 }, { messages: [{ role: 'user', content: 'gwm' }] }].map(
      (body) => renderCall(samples, body),
    );
  if (list === undefined) {
    const { policy = '', archivedPolicy } = samples;
    const archived = archivedPolicy === undefined ? [] : [policyCall(archivedPolicy, 'archived')];
    return [toCall(samples), policyCall(policy, 'active'), ...archived];
  }
  const [after, second] = idsOf(await readPage(target, list));
  const queries: ListQuery[] = [
    {},
    { limit: 1 },
    ...(after === undefined ? [] : [{ after }, { after, limit: 2 }]),
    ...(list === runs ? [{ order: 'asc' } as const, { order: 'desc' } as const] : []),
    ...(list === runs && second !== undefined ? [{ before: second }] : []),
  ];
  return queries.map((query) => listCall(list, samples, query));
};

/** The status without a header. @throws Refused if the call also fails with it, which proves nothing */
const statusWithout = async (target: CheckTarget, call: CheckCall, header: KeyHeader) => {
  const reply = await target.call(call);
  if (reply.status !== 200) throw refused(call, reply);
  const changed: CheckCall = { ...call, without: [header] };
  return { request: describeCall(changed), status: (await tryCall(target, changed)).status };
};

const apiKey = 'x-gateway-api-key';

/** Checks each variant of the call without the key, and the call with a blank key. */
async function* checkApiKey(target: CheckTarget, good: GoodCall): Findings {
  const wanted = 'a status other than 200';
  yield* checkEach(await waysToCall(target, good), async function* (call) {
    const { request, status } = await statusWithout(target, call, apiKey);
    if (status === 200) yield failed(request, wanted, 'status 200', aboutCall(call));
  });
  const call = good.toCall(target.samples);
  const { status } = await tryCall(target, { ...call, headers: { ...call.headers, [apiKey]: '' } });
  if (status === 200)
    yield failed(`${describeCall(call)} with a blank ${apiKey}`, wanted, 'status 200', 'blank');
}

/**
 * The contract requires the virtual key for lists. Some gateways never read it, so the mock has that as a value of an
 * assumption; one that reads it for some calls only lets the others in by mistake.
 */
async function* checkVirtualKey(target: CheckTarget, good: GoodCall): Findings {
  const accepted: (readonly [request: string, about: string])[] = [];
  let isRead = false;
  yield* checkEach(await waysToCall(target, good), async function* (call) {
    const { request, status } = await statusWithout(target, call, 'x-gateway-virtual-key');
    if (status === 200) accepted.push([request, aboutCall(call)]);
    else if (good.contract.virtualKey) isRead = true;
    else yield failed(request, 'status 200', `status ${status}`, aboutCall(call));
  });
  if (!good.contract.virtualKey) return;
  const [first] = accepted;
  if (isRead)
    for (const [request, about] of accepted)
      yield failed(request, 'a status other than 200, as with other parameters', 'status 200', about);
  else if (first !== undefined) yield differs('missing-virtual-key', 'ignored', first[0], 'status 200');
}

export const keyChecks = goodCalls.flatMap((good) =>
  toChecks(good, 'Authentication', {
    'api-key': [
      'A call without x-gateway-api-key, or with a blank one, fails, whatever its parameters.',
      checkApiKey,
    ],
    'virtual-key': [
      `A call without x-gateway-virtual-key ${good.contract.virtualKey ? 'fails' : 'succeeds'}, whatever its parameters.`,
      checkVirtualKey,
    ],
  }),
);
