// Valid calls always succeed (contract: Errors, "Every operation documents status 200").

import { messageOf } from '../../../core/util/message-of.ts';
import { isCallOf, type ValidCalls, validCalls } from '../calls.ts';
import { aboutCall, describeCall, type Findings, failed, toChecks } from '../check.ts';
import { parseReply, refused } from '../replies.ts';
import type { Check, CheckCall, CheckFinding, CheckReply, CheckTarget, InspectReply } from '../types.ts';

/** The likely reason why the plainest call was refused, since the contract shows no errors; undefined if none is likely. */
const excuse = ({ method }: CheckCall, { status }: CheckReply): string | undefined => {
  if (status === 401 || status === 403) return ' (are the keys accepted for this call?)';
  if (status === 404) return ' (does the record exist?)';
  if (status >= 300 && status < 400) return ' (redirects are not followed: is this the final address?)';
  if (status === 429) return ' (a lower rate may help)';
  return status === 400 && method === 'POST' ? ' (does the prompt need more variables?)' : undefined;
};

function* findInvalidJson(call: CheckCall, reply: CheckReply): Generator<CheckFinding> {
  const type = reply.header('content-type') ?? 'none';
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
    yield failed(call, 'the content type application/json', type, 'content type');
  if (parseReply(reply) === undefined)
    yield failed(call, 'a body of JSON', describeInvalid(reply.text), 'JSON');
}

/** Why a text is no JSON, and where, as the parser says. */
const describeInvalid = (text: string): string => {
  try {
    JSON.parse(text);
    return 'JSON that nests too deep';
  } catch (error) {
    return text === '' ? 'an empty body' : `${messageOf(error)}: ${text}`;
  }
};

const failedRefusal = (call: CheckCall, reply: CheckReply, expected: string, about: string): CheckFinding =>
  failed(call, expected, `status ${reply.status}: ${reply.text}`, about);

async function* checkSuccess(target: CheckTarget, { toCall }: ValidCalls): Findings {
  const call = toCall(target.samples);
  const reply = await target.call({ ...call, fresh: true });
  if (reply.status === 200) return yield* findInvalidJson(call, reply);
  const hint = excuse(call, reply);
  if (hint !== undefined) throw refused(call, reply, hint);
  yield failedRefusal(call, reply, 'status 200', `status ${reply.status}`);
}

/** How often a valid call is repeated: some gateways fail one call in fifteen. */
const times = 16;

const checkRepeated = async (target: CheckTarget, { toCall }: ValidCalls): Promise<void> => {
  const call = toCall(target.samples);
  for (let time = 0; time < times; time += 1) {
    const reply = await target.call({ ...call, fresh: true });
    if (reply.status !== 200) throw refused(call, reply);
  }
};

/** The inspection reports a refusal. All calls are fresh: reused pages would let other checks compare old pages with a newer walk. */
const checkParameters = async (target: CheckTarget, { toCalls }: ValidCalls): Promise<void> => {
  for (const call of await toCalls(target, [1, 2, 50, 99, 100])) await target.call({ ...call, fresh: true });
};

/** The valid calls of one list, record or template. */
interface SeenCalls {
  first?: CheckCall;
  readonly succeeded: Set<string>;
  readonly refused: Map<string, { call: CheckCall; reply: CheckReply; times: number }>;
}

/**
 * Watches all valid calls of an operation. If the list, record or template was returned once, a refusal is a failure: of
 * `sometimes`, if the same call also succeeds, and otherwise of `always`, after a second try.
 */
const watchRefusals = (calls: ValidCalls, wanted: 'sometimes' | 'always') => (): InspectReply => {
  const paths = new Map<string, SeenCalls>();
  return function* (call, reply, samples) {
    if (call.mayFail || reply.status === 429 || !isCallOf(call, calls, samples)) return;
    const seen: SeenCalls = paths.get(call.path) ?? { succeeded: new Set(), refused: new Map() };
    paths.set(call.path, seen);
    const key = JSON.stringify([call.query, call.body, call.without]);
    const times = (seen.refused.get(key)?.times ?? 0) + 1;
    if (reply.status !== 200) seen.refused.set(key, { call, reply, times });
    else seen.succeeded.add(key);
    if (reply.status === 200) seen.first ??= call;
    if (seen.first === undefined) return;
    for (const [other, refusal] of seen.refused) {
      const isSometimes = seen.succeeded.has(other);
      if (!isSometimes && refusal.times < 2) continue;
      seen.refused.delete(other);
      if (wanted !== (isSometimes ? 'sometimes' : 'always')) continue;
      const as = isSometimes ? 'as at other times' : `as for ${describeCall(seen.first)}`;
      const about = isSometimes ? `status ${refusal.reply.status}` : aboutCall(refusal.call);
      yield failedRefusal(refusal.call, refusal.reply, `status 200, ${as}`, about);
    }
  };
};

export const successChecks: readonly Check[] = validCalls.flatMap((calls) =>
  toChecks(calls, calls.contract.section, {
    success: [
      'A valid call returns status 200 and JSON.',
      checkSuccess,
      () => (call, reply, samples) =>
        reply.status === 200 && isCallOf(call, calls, samples) ? findInvalidJson(call, reply) : [],
    ],
    'success-repeated': [
      `A valid call that succeeded once returns status 200 each time, ${times} times running.`,
      checkRepeated,
      watchRefusals(calls, 'sometimes'),
    ],
    // Without a query or a body, there is only one valid call for a record: `success` makes it.
    ...((calls.contract.body || Object.keys(calls.contract.query.shape).length > 0) && {
      parameters: [
        'All calls that the contract allows are accepted, if one for the same record is: every parameter, cursor and field.',
        checkParameters,
        watchRefusals(calls, 'always'),
      ] as const,
    }),
  }),
);
