import { flattenHeaders, type SettledCall } from '../../core/protocol/call.ts';
import { upstreamHeader } from '../../core/protocol/world-headers.ts';
import { type IsCredential, Mask } from '../../core/util/mask.ts';

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
  /** How many bytes of the body were sent. */
  readonly bytes: number;
  /** `cut` if the connection ended within the reply, `lost` if nothing was sent: a fault reset it, or the client left. */
  readonly outcome: 'sent' | 'cut' | 'lost';
  /** The session that the call named; null if it named no session, or an invalid or removed session. */
  readonly session: string | null;
  /** The faults that changed the reply, as in the header `x-mock-fault`; null if there were none. */
  readonly fault: string | null;
  /** The base URL of the server that the call was forwarded to (`--upstream`); null if it was not. */
  readonly upstream: string | null;
  /** From the end of the request until its reply was sent, cut or lost, with the delays of faults, in milliseconds. */
  readonly duration: number;
  /** The header `x-request-id` of the reply. */
  readonly requestId: string;
  /** The ids of the assumptions that mark the reply, as in the header `x-mock-assumptions`. */
  readonly assumptions: readonly string[];
}

export const toAnsweredCall = (
  { call, reply, status, bytes, duration, outcome }: SettledCall,
  isCredential?: IsCredential,
): AnsweredCall => {
  const { headers } = reply;
  const fault = headers['x-mock-fault'];
  const mask = new Mask(isCredential);
  for (const [name, value] of Object.entries(flattenHeaders(call.headers()))) mask.header(name, value);
  const query = mask.form(call.query);
  const hide = mask.createHide();
  return {
    method: call.method,
    path: hide(call.originalPath ?? call.path), // it may contain a key by mistake
    query: hide(query),
    status,
    bytes,
    outcome,
    session: headers['x-mock-session'] ?? null,
    fault: fault === undefined ? null : hide(fault),
    upstream: headers[upstreamHeader] ?? null,
    duration: Math.round(duration * 1000) / 1000,
    requestId: headers['x-request-id'] ?? '',
    assumptions: headers['x-mock-assumptions']?.split(', ') ?? [],
  };
};
