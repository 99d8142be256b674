import { maskCall } from '../journal/mask-call.ts';
import { type RawCall, type Reply, whenEnded } from '../protocol/call.ts';
import { upstreamHeader } from '../protocol/world-headers.ts';
import type { AnswerCall } from '../transports/answer.ts';
import { reportBug } from '../util/bug.ts';
import type { IsCredential } from '../util/mask.ts';
import { readStopwatch } from '../util/stopwatch.ts';

/** An answered call, for logs. It contains no credentials. */
export interface AnsweredCall {
  /** The HTTP method. */
  readonly method: string;
  /** The path as it was sent, percent-encoded, without the query. */
  readonly path: string;
  /** The query as it was sent, percent-encoded, without the question mark; empty if there was none. */
  readonly query: string;
  /** The HTTP status; null if the connection was closed without a reply. */
  readonly status: number | null;
  /** The session that the call named; null if it named none, or an invalid or removed one. */
  readonly session: string | null;
  /** The faults that changed the reply, as in the header `x-mock-fault`; null if there were none. */
  readonly fault: string | null;
  /** The base URL of the server that the call was passed on to (`--upstream`); null if it was not. */
  readonly upstream: string | null;
  /** From the end of the request until its reply was sent, with the delays of faults, in milliseconds. */
  readonly duration: number;
  /** The header `x-request-id` of the reply. */
  readonly requestId: string;
  /** The ids of the assumptions that mark the reply, as in the header `x-mock-assumptions`. */
  readonly assumptions: readonly string[];
}

export const toAnsweredCall = (
  call: RawCall,
  { headers: sent }: Reply,
  status: number | null,
  duration: number,
  isCredential?: IsCredential,
): AnsweredCall => {
  const fault = sent['x-mock-fault'];
  const { query, hide } = maskCall(call, isCredential);
  return {
    method: call.method,
    path: hide(call.path), // it may contain a key by mistake
    query,
    status,
    session: sent['x-mock-session'] ?? null,
    fault: fault === undefined ? null : hide(fault),
    upstream: sent[upstreamHeader] ?? null,
    duration: Math.round(duration * 1000) / 1000,
    requestId: sent['x-request-id'] ?? '',
    assumptions: sent['x-mock-assumptions']?.split(', ') ?? [],
  };
};

/** Reports each call once its reply was sent. */
export const reportCalls = (
  answer: AnswerCall,
  onCall: ((call: AnsweredCall) => void) | undefined,
  isCredential: IsCredential,
): AnswerCall => {
  if (onCall === undefined) return answer;
  return (call) => {
    const start = readStopwatch();
    const reply = answer(call);
    return whenEnded(reply, (status) => {
      const ended = onCall(toAnsweredCall(call, reply, status, readStopwatch() - start, isCredential));
      // It may be an async function. If nobody handled its error, that would end the process.
      Promise.resolve(ended).catch(reportBug);
    });
  };
};
