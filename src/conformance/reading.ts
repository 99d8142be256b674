import { describeCall, type LawCall, type LawReply, type Target } from './law.ts';

/** Thrown where no reply came: the target cannot be reached, or takes too long. */
export class NoReply extends Error {
  override readonly name = 'NoReply';
}

/** Thrown where the calls or the time of a run are used up. */
export class UsedUp extends Error {
  override readonly name = 'UsedUp';
}

/** A target whose replies are kept, so that laws that look at the same page ask for it once. */
export interface Reading {
  readonly target: Target;
  /** Forgets the replies: a list may have grown since. */
  readonly forget: () => void;
  /** How many calls were made, and how many of them were not answered. */
  readonly counts: () => { readonly calls: number; readonly unanswered: number };
}

/** A target that is silent so many times in a row is not asked again. */
const maxSilence = 3;

/** @param findEnd asked before each call, with the number of those before it: why it may not be made, where not */
export const createReading = (target: Target, findEnd: (calls: number) => string | undefined): Reading => {
  const kept = new Map<string, Promise<LawReply>>();
  const counts = { calls: 0, unanswered: 0 };
  let silence = 0;

  const send = async (call: LawCall): Promise<LawReply> => {
    const end = silence >= maxSilence ? 'the target answers no more.' : findEnd(counts.calls);
    if (end !== undefined) throw new UsedUp(end);
    counts.calls += 1;
    try {
      const reply = await target.call(call);
      silence = 0;
      return reply;
    } catch (error) {
      silence += 1;
      counts.unanswered += 1;
      const reason = error instanceof Error ? error.message : String(error);
      throw new NoReply(`${describeCall(call)} was not answered: ${reason}`);
    }
  };

  return {
    target: {
      ...target,
      call: (call) => {
        const key = JSON.stringify(call);
        const reply = kept.get(key) ?? send(call);
        kept.set(key, reply);
        return reply;
      },
    },
    forget: () => kept.clear(),
    counts: () => ({ ...counts }),
  };
};
