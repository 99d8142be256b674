// Requests that look like calls of the gateway, but match no operation and were left to others.
import { Entry } from '../journal/entry.ts';
import { maskCall } from '../journal/mask-call.ts';
import type { Call } from '../protocol/call.ts';
import { reportBug } from '../util/bug.ts';
import type { AnswerContext } from './answer.ts';
import { openSession } from './open-session.ts';
import { describeMiss, findCall } from './route.ts';

/** Adds such a request to the journal. It never throws. */
export const recordMiss = (context: AnswerContext, given: Call): void => {
  try {
    const { session, path } = openSession(context, given);
    const { journal, state } = session;
    if (journal.size === 0) return;
    const call = { ...given, path };
    const nearest = describeMiss(context.operations, call);
    const { isCredential } = context;
    const time = state.world.clock.now();
    journal.add(new Entry(call, undefined, { time, nearest, assumptions: [], isCredential }));
  } catch (error) {
    reportBug(error);
  }
};

/** Adds a request without `/v1` in its path to the journal, after the app that it was left to answered 404. The first one is printed. */
export const recordUnanswered = (context: AnswerContext): ((call: Call) => void) => {
  let isReported = false;
  return (call) => {
    if (findCall(context.operations, call.path) === undefined) return; // it was not meant for the gateway
    recordMiss(context, call);
    if (isReported) return;
    isReported = true;
    const { hide } = maskCall(call, context.isCredential);
    const miss = hide(describeMiss(context.operations, call)).replace(/[^\x20-\x7e]/g, '?');
    console.warn(
      `gateway-mock: your app answered 404 to a call that may be for the gateway. ${miss} Mount the middleware at a path that ends in /v1, or add /v1 to the base URL.`,
    );
  };
};
