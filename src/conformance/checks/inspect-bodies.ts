import { type GoodCall, isCallOf } from '../calls.ts';
import type { Check, CheckCall, CheckFinding, CheckSamples } from '../check.ts';
import { parseReply } from '../replies.ts';

/** Yields what is wrong with the body of a reply. */
export type Judge = (body: unknown, call: CheckCall, samples: CheckSamples) => Iterable<CheckFinding>;

/** Inspects the JSON bodies of all replies of an operation to this record. The success check reports other bodies. */
export const inspectBodies = (
  good: Pick<GoodCall, 'name' | 'toCall'>,
  judge: Judge,
): Pick<Check, 'inspect'> => ({
  inspect: (call, reply, samples) => {
    const body = isCallOf(call, good, samples) ? parseReply(reply) : undefined;
    return body === undefined ? [] : judge(body, call, samples);
  },
});
