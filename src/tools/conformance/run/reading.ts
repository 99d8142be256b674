// Sends the calls of a run, and caches the replies.
import { messageOf } from '../../../core/util/message-of.ts';
import { describeCall, NotCheckable } from '../check.ts';
import type { CheckCall, CheckReply, CheckTarget } from '../types.ts';

/** After this many consecutive calls without a reply, no more calls are made. */
const maxSilence = 3;

/** How many characters of replies are cached. Beyond that, the cache is emptied. */
const maxKept = 50_000_000;

/**
 * Creates a target that caches its replies, so that several checks of a page request it once. A valid call that is refused is sent again, and so is any call that gets a server error: a single refusal may be an accident.
 *
 * @param findEnd called before each call with the number of earlier calls; returns why it may not be made, if so
 * @param onReply called with each reply
 */
export const createReading = (
  target: CheckTarget,
  findEnd: (calls: number) => string | undefined,
  onReply: (call: CheckCall, reply: CheckReply) => void = () => {},
) => {
  const repliesByCall = new Map<string, Promise<CheckReply>>();
  /** The number of calls, of calls without a reply, of calls with status 200, and how often the target asked to wait. */
  const counts = { calls: 0, unanswered: 0, succeeded: 0, waits: 0 };
  let silence = 0;
  let size = 0;
  const forget = (): void => {
    repliesByCall.clear();
    size = 0;
  };

  const sendOnce = async (call: CheckCall): Promise<CheckReply> => {
    if (silence >= maxSilence) throw new NotCheckable('the target stopped answering.', 'unanswered');
    const end = findEnd(counts.calls);
    if (end !== undefined) throw new NotCheckable(end, 'cut short');
    counts.calls += 1;
    const reply = await target.call(call).catch((error: unknown) => {
      const stop = findEnd(0);
      if (stop !== undefined) throw new NotCheckable(stop, 'cut short'); // it was interrupted
      silence += 1;
      counts.unanswered += 1;
      throw new NotCheckable(`${describeCall(call)} got no reply: ${messageOf(error)}`, 'unanswered');
    });
    silence = 0;
    counts.waits += reply.waits ?? 0;
    if (reply.status === 200) counts.succeeded += 1;
    size += reply.text.length;
    if (size > maxKept) forget();
    onReply(call, reply);
    return reply;
  };

  const send = async (call: CheckCall): Promise<CheckReply> => {
    const reply = await sendOnce(call);
    const isFinal = reply.status === 429 || (call.mayFail ? reply.status < 500 : reply.status === 200);
    return isFinal ? reply : sendOnce(call);
  };

  return {
    target: {
      ...target,
      call: (call: CheckCall): Promise<CheckReply> => {
        const { fresh, mayFail: _, ...sent } = call;
        const key = JSON.stringify(sent);
        const earlierReply = fresh ? undefined : repliesByCall.get(key);
        if (earlierReply !== undefined) return earlierReply;
        const reply = send(call);
        if (!fresh) repliesByCall.set(key, reply);
        return reply;
      },
    },
    /** Empties the cache: a list may have grown since. */
    forget,
    counts: () => ({ ...counts }),
  };
};
