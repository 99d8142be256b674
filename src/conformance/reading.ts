import { messageOf } from '../util/message-of.ts';
import { describeCall, type LawCall, type LawReply, type Target } from './check.ts';

/** Thrown where no reply came: the target cannot be reached, or takes too long. */
export class NoReply extends Error {
  override readonly name = 'NoReply';
}

/** Thrown where no call is made any more. */
export class UsedUp extends Error {
  override readonly name: string = 'UsedUp';
}

/** The same where it is for want of calls or time, not of answers. */
export class CutShort extends UsedUp {
  override readonly name = 'CutShort';
}

/** A target whose replies are kept, so that laws that look at the same page ask for it once. */
export interface Reading {
  readonly target: Target;
  /** Forgets the replies: a list may have grown since. */
  readonly forget: () => void;
  /** How many calls were made, and how many of them were not answered, or by status 200. */
  readonly counts: () => { readonly calls: number; readonly unanswered: number; readonly succeeded: number };
}

/** A target that is silent so many times in a row is not asked again. */
const maxSilence = 3;

/** How much of the replies is kept, in characters: beyond it, all are forgotten. */
const maxKept = 50_000_000;

/**
 * @param findEnd asked before each call, with the number of those before it: why it may not be made, where not
 * @param onReply called with each reply as it comes
 */
export const createReading = (
  target: Target,
  findEnd: (calls: number) => string | undefined,
  onReply: (call: LawCall, reply: LawReply) => void = () => {},
): Reading => {
  const kept = new Map<string, Promise<LawReply>>();
  const counts = { calls: 0, unanswered: 0, succeeded: 0 };
  let silence = 0;
  let size = 0;
  const forget = (): void => {
    kept.clear();
    size = 0;
  };

  const send = async (call: LawCall): Promise<LawReply> => {
    if (silence >= maxSilence) throw new UsedUp('the target answers no more.');
    const end = findEnd(counts.calls);
    if (end !== undefined) throw new CutShort(end);
    counts.calls += 1;
    const reply = await target.call(call).catch((error: unknown) => {
      silence += 1;
      counts.unanswered += 1;
      throw new NoReply(`${describeCall(call)} was not answered: ${messageOf(error)}`);
    });
    silence = 0;
    if (reply.status === 200) counts.succeeded += 1;
    size += reply.text.length;
    if (size > maxKept) forget();
    onReply(call, reply);
    return reply;
  };

  return {
    target: {
      ...target,
      call: (call) => {
        const key = JSON.stringify(call);
        const known = call.fresh ? undefined : kept.get(key);
        if (known !== undefined) return known;
        const reply = send(call);
        kept.set(key, reply);
        return reply;
      },
    },
    forget,
    counts: () => ({ ...counts }),
  };
};
