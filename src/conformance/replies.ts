// Valid calls succeed, each time (contract: Errors, "Every operation documents status 200").
import { getRateLimitsPolicyContract } from '../operations/get-rate-limits-policy/contract.ts';
import type * as operations from '../operations/index.ts';
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import { parseReply, policyCall, refused, renderCall } from './calls.ts';
import {
  type Check,
  type CheckCall,
  type CheckFinding,
  type CheckReply,
  type CheckSamples,
  type CheckSubject,
  type CheckTarget,
  type Findings,
  failed,
  toChecks,
} from './check.ts';
import { batches, type CheckedList, checkpoints, listCall, runs } from './lists.ts';

/** A valid call of an operation. */
export interface GoodCall extends CheckSubject {
  readonly contract: OperationContract;
  readonly toCall: (samples: CheckSamples) => CheckCall;
}

/** Every check inspects every reply, and all of a run have the same samples. */
const oncePerRun = <Value>(make: (samples: CheckSamples) => Value): ((samples: CheckSamples) => Value) => {
  const made = new WeakMap<CheckSamples, Value>();
  return (samples) => {
    const value = made.get(samples) ?? make(samples);
    made.set(samples, value);
    return value;
  };
};

const goodListCall = (list: CheckedList): GoodCall => ({
  ...list,
  toCall: oncePerRun((samples) => listCall(list, samples)),
});

/** A valid call of each operation. */
const goodCallsById: Readonly<Record<keyof typeof operations, GoodCall>> = {
  renderPrompt: {
    name: 'render',
    contract: renderPromptContract,
    needs: ['prompt'],
    toCall: oncePerRun((samples) => renderCall(samples)),
  },
  listRuns: goodListCall(runs),
  listBatches: goodListCall(batches),
  listCheckpoints: goodListCall(checkpoints),
  getRateLimitsPolicy: {
    name: 'policy',
    contract: getRateLimitsPolicyContract,
    needs: ['policy'],
    toCall: oncePerRun(({ policy: id = '' }) => policyCall(id)),
  },
};

export const goodCalls: readonly GoodCall[] = Object.values(goodCallsById);

/** Whether two calls have the same operation and record; queries and bodies may differ. */
const isOfSame = (call: CheckCall, { method, path }: CheckCall): boolean =>
  call.method === method && call.path === path;

/**
 * Inspects the JSON bodies of replies of some operation and record. The success check reports other bodies.
 *
 * @param toCalls returns a call of each operation and record
 */
export const inspectBodies = (
  toCalls: (samples: CheckSamples) => readonly CheckCall[],
  judge: (body: unknown, call: CheckCall, samples: CheckSamples) => Iterable<CheckFinding>,
): NonNullable<Check['inspect']> => {
  const callsOf = oncePerRun(toCalls);
  return (call, reply, samples) => {
    const body = callsOf(samples).some((good) => isOfSame(call, good)) ? parseReply(reply) : undefined;
    return body === undefined ? [] : judge(body, call, samples);
  };
};

/** Statuses with a possible good reason: the keys, the record, the rate or the address. The contract shows none of them. */
const isExcused = ({ method }: CheckCall, { status }: CheckReply): boolean =>
  [401, 403, 404, 429].includes(status) ||
  (status >= 300 && status < 400) ||
  (status === 400 && method === 'POST');

function* findInvalidJson(call: CheckCall, reply: CheckReply): Generator<CheckFinding> {
  const type = reply.header('content-type') ?? 'none';
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
    yield failed(call, 'the content type application/json', type, 'content type');
  if (parseReply(reply) === undefined) yield failed(call, 'JSON', reply.text, 'JSON');
}

/** How often a valid call is repeated: some gateways fail one in ten. */
const times = 10;

async function* checkOnce(target: CheckTarget, { toCall }: GoodCall): Findings {
  const call = toCall(target.samples);
  const reply = await target.call(call);
  if (isExcused(call, reply)) throw refused(call, reply);
  if (reply.status === 200) yield* findInvalidJson(call, reply);
  else yield describeFailure(call, reply);
}

async function* checkRepeated(target: CheckTarget, { toCall }: GoodCall): Findings {
  const call = toCall(target.samples);
  let [good, failed]: (CheckReply | undefined)[] = [];
  for (let time = 0; time < times; time += 1) {
    const reply = await target.call({ ...call, fresh: true });
    if (isExcused(call, reply)) throw refused(call, reply);
    if (reply.status === 200) good = reply;
    else failed = reply;
  }
  if (failed === undefined) return;
  if (good === undefined) throw refused(call, failed); // reported by the success check
  yield describeFailure(call, failed);
}

const describeFailure = (call: CheckCall, { status, text }: CheckReply): CheckFinding =>
  failed(call, 'status 200', `status ${status}: ${text}`, `status ${status}`);

export const successChecks: readonly Check[] = goodCalls.flatMap((good) =>
  toChecks(good, good.contract.section, {
    success: [
      'A valid call returns status 200 and JSON.',
      checkOnce,
      (call, reply, samples) => (isOfSame(call, good.toCall(samples)) ? findInvalidJson(call, reply) : []),
    ],
    'success-repeated': [
      `A valid call returns status 200 each time, ${times} times in a row.`,
      checkRepeated,
    ],
  }),
);
