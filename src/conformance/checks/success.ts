// Valid calls succeed, each time (contract: Errors, "Every operation documents status 200").
import { type GoodCall, goodCalls, isCallOf } from '../calls.ts';
import {
  aboutCall,
  type Check,
  type CheckCall,
  type CheckFinding,
  type CheckReply,
  type CheckTarget,
  describeCall,
  type Findings,
  failed,
  type InspectReply,
  toChecks,
} from '../check.ts';
import { batches, idsOf, type ListQuery, listCall, lists, maxLimit, readPage, runs } from '../lists.ts';
import { parseReply, refused } from '../replies.ts';

/** The likely reason for a refusal of the plainest call, as the contract shows none; undefined if there is no good one. */
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
    yield failed(call, 'a body of JSON', reply.text || 'an empty body', 'JSON');
}

async function* checkSuccess(target: CheckTarget, { toCall }: GoodCall): Findings {
  const call = toCall(target.samples);
  const reply = await target.call({ ...call, fresh: true });
  if (reply.status === 200) return yield* findInvalidJson(call, reply);
  const hint = excuse(call, reply);
  if (hint !== undefined) throw refused(call, reply, hint);
  yield describeRefusal(call, reply, 'status 200', `status ${reply.status}`);
}

/** How often a valid call is repeated: some gateways fail one in ten. */
const times = 11;

const checkRepeated = async (target: CheckTarget, { toCall }: GoodCall): Promise<void> => {
  const call = toCall(target.samples);
  for (let time = 0; time < times; time += 1) {
    const reply = await target.call({ ...call, fresh: true });
    if (reply.status !== 200) throw refused(call, reply);
  }
};

const describeRefusal = (
  call: CheckCall,
  { status, text }: CheckReply,
  expected: string,
  about: string,
): CheckFinding => failed(call, expected, `status ${status}: ${text}`, about);

/** A valid call that was refused. */
interface Refusal {
  readonly call: CheckCall;
  readonly reply: CheckReply;
  readonly times: number;
}

/** The valid calls of one list, record or template. */
interface SeenCalls {
  /** The first one that succeeded. */
  first?: CheckCall;
  readonly good: Set<string>;
  readonly refused: Map<string, Refusal>;
}

const keyOf = ({ query, body, without }: CheckCall): string => JSON.stringify([query, body, without]);

/**
 * Watches all valid calls of an operation. If the list, record or template was returned once, a refusal is a failure: of
 * `sometimes`, if the same call also succeeds, and otherwise of `always`, after a second try.
 */
const watchRefusals = (good: GoodCall, wanted: 'sometimes' | 'always') => (): InspectReply => {
  const paths = new Map<string, SeenCalls>();
  return function* (call, reply, samples) {
    const { status } = reply;
    if (status === 429 || !isCallOf(call, good, samples)) return;
    const seen: SeenCalls = paths.get(call.path) ?? { good: new Set(), refused: new Map() };
    paths.set(call.path, seen);
    const key = keyOf(call);
    if (status === 200) {
      seen.first ??= call;
      seen.good.add(key);
    } else {
      seen.refused.set(key, { call, reply, times: (seen.refused.get(key)?.times ?? 0) + 1 });
    }
    const { first } = seen;
    if (first === undefined) return;
    for (const [of, refusal] of seen.refused) {
      const isSometimes = seen.good.has(of);
      if (!isSometimes && refusal.times < 2) continue;
      seen.refused.delete(of);
      if (wanted !== (isSometimes ? 'sometimes' : 'always')) continue;
      yield isSometimes
        ? describeRefusal(
            refusal.call,
            refusal.reply,
            'status 200, as at another time',
            `status ${refusal.reply.status}`,
          )
        : describeRefusal(
            refusal.call,
            refusal.reply,
            `status 200, as for ${describeCall(first)}`,
            aboutCall(refusal.call),
          );
    }
  };
};

/** Each parameter alone: the bounds of limit, if the contract states them, and the values next to them. Cursors are ids that were just read. */
const readParameters = async (target: CheckTarget, good: GoodCall): Promise<void> => {
  const list = lists.find(({ name }) => name === good.name);
  if (list === undefined) return;
  const [first, second] = idsOf(await readPage(target, list, {}, { fresh: true }));
  const limits = list === runs || list === batches ? [1, 2, maxLimit - 1, maxLimit] : [1, list.defaultLimit];
  const values: ListQuery[] = [
    ...limits.map((limit) => ({ limit })),
    ...(list === runs ? [{ order: 'asc' } as const, { order: 'desc' } as const] : []),
    ...(first === undefined ? [] : [{ after: first }]),
    ...(list === runs && second !== undefined ? [{ before: second }] : []),
  ];
  // The watch reports a refusal. A page that is kept from here would be older than the walk that others compare it with.
  for (const query of values) await target.call({ ...listCall(list, target.samples, query), fresh: true });
};

export const successChecks: readonly Check[] = goodCalls.flatMap((good) =>
  toChecks(good, good.contract.section, {
    success: [
      'A valid call returns status 200 and JSON.',
      checkSuccess,
      {
        inspect: (call, reply, samples) =>
          isCallOf(call, good, samples) ? findInvalidJson(call, reply) : [],
      },
    ],
    'success-repeated': [
      `A valid call that succeeded once returns status 200 each time, ${times} times running.`,
      checkRepeated,
      { watch: watchRefusals(good, 'sometimes') },
    ],
    parameters: [
      'All calls that the contract allows are accepted, if one for the same record is: every parameter, cursor and field.',
      readParameters,
      { watch: watchRefusals(good, 'always') },
    ],
  }),
);
