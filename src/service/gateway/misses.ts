// Requests that look like calls of the gateway, but match no operation and were left to others.
import { Entry } from '../../core/journal/entry.ts';
import type { Call } from '../../core/protocol/call.ts';
import { reportBug } from '../../core/util/bug.ts';
import type { AnswerContext } from './answer.ts';
import { openSession } from './open-session.ts';
import { describeMiss } from './route.ts';

/** Adds such a request to the journal. It never throws. */
export const recordMiss = (context: AnswerContext, request: Call): void => {
  try {
    const { session, path } = openSession(context, request);
    const { journal, state } = session;
    if (journal.size === 0) return;
    const call = { ...request, path };
    const nearest = describeMiss(context.operations, call);
    const { isCredential } = context;
    const time = state.world.clock.now();
    journal.add(new Entry(call, undefined, { time, nearest, assumptions: [], isCredential }));
  } catch (error) {
    reportBug(error);
  }
};
