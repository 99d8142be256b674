// Requests that look like calls of the gateway, but match no operation and were left to other handlers.
import { Entry } from '../../core/journal/entry.ts';
import type { Call } from '../../core/protocol/call.ts';
import { reportBug } from '../../core/util/bug.ts';
import { type AnswerContext, openSession } from './find.ts';

/** Adds such a request to the journal, with the reason. It never throws. */
export const recordMiss = (context: AnswerContext, call: Call, nearest: string | undefined): void => {
  try {
    const { session, path } = openSession(context, call);
    const { journal, state } = session;
    if (journal.capacity === 0) return;
    const { isCredential } = context;
    const time = state.world.clock.now();
    journal.add(new Entry({ ...call, path }, undefined, { time, nearest, assumptions: [], isCredential }));
  } catch (error) {
    reportBug(error);
  }
};
