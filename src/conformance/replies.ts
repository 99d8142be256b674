// That good calls succeed, each time (contract: Errors, "Every operation documents status 200").
import { getRateLimitsPolicyContract } from '../operations/get-rate-limits-policy/contract.ts';
import type * as operations from '../operations/index.ts';
import { listBatchesContract } from '../operations/list-batches/contract.ts';
import { listCheckpointsContract } from '../operations/list-checkpoints/contract.ts';
import { listRunsContract } from '../operations/list-runs/contract.ts';
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import { parseReply, policyCall, refused, renderCall } from './calls.ts';
import {
  broken,
  describeCall,
  type Finding,
  type Law,
  type LawCall,
  type LawReply,
  type Samples,
} from './check.ts';
import { batches, checkpoints, type ListUnderLaw, listCall, runs } from './lists.ts';

interface GoodCall extends Pick<Law, 'needs'> {
  /** What the laws about it are called by. */
  readonly name: string;
  readonly contract: OperationContract;
  readonly toCall: (samples: Samples) => LawCall;
}

/** Every reply is inspected by every law, and a run has the same samples throughout. */
const oncePerRun = <Value>(make: (samples: Samples) => Value): ((samples: Samples) => Value) => {
  const made = new WeakMap<Samples, Value>();
  return (samples) => {
    const value = made.get(samples) ?? make(samples);
    made.set(samples, value);
    return value;
  };
};

const goodListCall = (list: ListUnderLaw, contract: OperationContract): GoodCall => ({
  ...list,
  contract,
  toCall: oncePerRun((samples) => listCall(list, samples)),
});

/** A call of each operation that the contract gives no reason to refuse. */
const goodCallsById: Readonly<Record<keyof typeof operations, GoodCall>> = {
  renderPrompt: {
    name: 'render',
    contract: renderPromptContract,
    needs: ['prompt'],
    toCall: oncePerRun((samples) => renderCall(samples)),
  },
  listRuns: goodListCall(runs, listRunsContract),
  listBatches: goodListCall(batches, listBatchesContract),
  listCheckpoints: goodListCall(checkpoints, listCheckpointsContract),
  getRateLimitsPolicy: {
    name: 'policy',
    contract: getRateLimitsPolicyContract,
    needs: ['policy'],
    toCall: oncePerRun(({ policy: id = '' }) => policyCall(id)),
  },
};

export const goodCalls: readonly GoodCall[] = Object.values(goodCallsById);

/** Whether two calls are of one operation and one record, whatever their queries and bodies. */
const isOfSame = (call: LawCall, { method, path }: LawCall): boolean =>
  call.method === method && call.path === path;

/**
 * An inspection of the bodies of replies to some operation and record. A body that is no JSON is left to the check of
 * success.
 *
 * @param toCalls a call of each operation and record
 */
export const inspectBodies = (
  toCalls: (samples: Samples) => readonly LawCall[],
  judge: (body: unknown, call: LawCall, samples: Samples) => Iterable<Finding>,
): NonNullable<Law['inspect']> => {
  const callsOf = oncePerRun(toCalls);
  return (call, reply, samples) => {
    const body = callsOf(samples).some((good) => isOfSame(call, good)) ? parseReply(reply) : undefined;
    return body === undefined ? [] : judge(body, call, samples);
  };
};

/** Answers that may have a good reason: the keys, the record or the rate of the calls; redirects have the address. The contract shows none of them. */
const isExcused = ({ method }: LawCall, { status }: LawReply): boolean =>
  [401, 403, 404, 429].includes(status) ||
  (status >= 300 && status < 400) ||
  (status === 400 && method === 'POST');

function* findNoJson(call: LawCall, reply: LawReply): Generator<Finding> {
  const type = reply.header('content-type') ?? 'none';
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
    yield broken(describeCall(call), 'the content type application/json', type, 'content type');
  if (parseReply(reply) === undefined) yield broken(describeCall(call), 'JSON', reply.text, 'JSON');
}

/** How often a good call is made: some gateways fail one of ten. */
const times = 10;

const toLaws = ({ name, contract, needs, toCall }: GoodCall): readonly Law[] => [
  {
    id: `${name}-success`,
    section: contract.section,
    says: 'A good call is answered by status 200 and JSON.',
    needs,
    async *check(target) {
      const call = toCall(target.samples);
      const reply = await target.call(call);
      if (isExcused(call, reply)) throw refused(call, reply);
      if (reply.status === 200) yield* findNoJson(call, reply);
      else yield describeFailure(call, reply);
    },
    inspect: (call, reply, samples) => (isOfSame(call, toCall(samples)) ? findNoJson(call, reply) : []),
  },
  {
    id: `${name}-success-repeated`,
    section: contract.section,
    says: `A good call is answered by status 200 each time, ${times} times in a row.`,
    needs,
    async *check(target) {
      const call = toCall(target.samples);
      let [good, failed]: (LawReply | undefined)[] = [];
      for (let time = 0; time < times; time += 1) {
        const reply = await target.call({ ...call, fresh: true });
        if (isExcused(call, reply)) throw refused(call, reply);
        if (reply.status === 200) good = reply;
        else failed = reply;
      }
      if (failed === undefined) return;
      if (good === undefined) throw refused(call, failed); // see the check of success
      yield describeFailure(call, failed);
    },
  },
];

const describeFailure = (call: LawCall, { status, text }: LawReply): Finding =>
  broken(describeCall(call), 'status 200', `status ${status}: ${text}`, `status ${status}`);

export const successLaws: readonly Law[] = goodCalls.flatMap(toLaws);
