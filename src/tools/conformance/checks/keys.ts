// Which headers let a call in (contract: Authentication).

import { type ValidCalls, validCalls } from '../calls.ts';
import { aboutCall, describeCall, differs, type Findings, failed, toChecks } from '../check.ts';
import { refused, tryCall } from '../replies.ts';
import type { CheckCall, CheckTarget, KeyHeader } from '../types.ts';

/**
 * Yields the status of each call without a header. A call that also fails with the header proves nothing. @throws NotCheckable
 * if the call with the header also fails
 */
async function* statusesWithout(target: CheckTarget, { toCall, toCalls }: ValidCalls, header: KeyHeader) {
  const plain = toCall(target.samples);
  const reply = await target.call(plain);
  if (reply.status !== 200) throw refused(plain, reply);
  for (const call of await toCalls(target, [1])) {
    if ((await target.call(call)).status !== 200) continue; // the check of parameters reports it
    const changed: CheckCall = { ...call, without: [header] };
    const { status } = await tryCall(target, changed);
    yield { request: describeCall(changed), status, about: aboutCall(call) };
  }
}

const apiKey = 'x-gateway-api-key';

/** Checks each variant of the call without the key, and the call with a blank key. */
async function* checkApiKey(target: CheckTarget, calls: ValidCalls): Findings {
  const wanted = 'a status other than 200';
  for await (const { request, status, about } of statusesWithout(target, calls, apiKey))
    if (status === 200) yield failed(request, wanted, 'status 200', about);
  const call = calls.toCall(target.samples);
  const blank: CheckCall = { ...call, headers: { ...call.headers, [apiKey]: '' } };
  if ((await tryCall(target, blank)).status === 200) yield failed(blank, wanted, 'status 200', 'blank');
}

/**
 * The contract requires the virtual key for lists. Some gateways never read it, which an assumption allows. If a gateway reads it
 * for some calls only, it accepts the other calls by mistake.
 */
async function* checkVirtualKey(target: CheckTarget, calls: ValidCalls): Findings {
  const { virtualKey } = calls.contract;
  const accepted: (readonly [request: string, about: string])[] = [];
  let isRead = false;
  for await (const { request, status, about } of statusesWithout(target, calls, 'x-gateway-virtual-key'))
    if (status === 200) accepted.push([request, about]);
    else if (virtualKey) isRead = true;
    else yield failed(request, 'status 200', `status ${status}`, about);
  const [first] = virtualKey ? accepted : [];
  if (first === undefined) return;
  if (!isRead) return yield differs('missing-virtual-key', 'ignored', first[0], 'status 200');
  for (const [request, about] of accepted)
    yield failed(request, 'a status other than 200, as with other parameters', 'status 200', about);
}

export const keyChecks = validCalls.flatMap((calls) =>
  toChecks(calls, 'Authentication', {
    'api-key': [
      'A call without x-gateway-api-key, or with a blank one, fails, whatever its parameters.',
      checkApiKey,
    ],
    'virtual-key': [
      `A call without x-gateway-virtual-key ${calls.contract.virtualKey ? 'fails' : 'succeeds'}, whatever its parameters.`,
      checkVirtualKey,
    ],
  }),
);
