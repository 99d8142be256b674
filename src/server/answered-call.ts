import { flattenHeaders } from '../journal/entry.ts';
import { credentialsIn, maskHeader } from '../protocol/auth.ts';
import type { RawCall, Reply } from '../protocol/call.ts';
import { createHide } from '../util/mask.ts';

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
  /** The header `x-request-id` of the reply. */
  readonly requestId: string;
  /** The ids of the assumptions that mark the reply, as in the header `x-mock-assumptions`. */
  readonly assumptions: readonly string[];
}

export const toAnsweredCall = (
  { method, path, query, headers }: RawCall,
  { status, headers: sent, delivery }: Reply,
): AnsweredCall => {
  const hide = createHide(credentialsIn(flattenHeaders(headers()))); // a path or query may contain a key by mistake
  const fault = sent['x-mock-fault'];
  return {
    method,
    path: hide(path),
    query: hide(maskQuery(query)),
    status: delivery?.breaks === 'reset' ? null : status,
    session: sent['x-mock-session'] ?? null,
    fault: fault === undefined ? null : hide(fault),
    requestId: sent['x-request-id'] ?? '',
    assumptions: sent['x-mock-assumptions']?.split(', ') ?? [],
  };
};

/** Masks the values of parameters that are named like a credential, such as `api_key`. */
const maskQuery = (query: string): string =>
  query
    .split('&')
    .map((pair) => {
      const [[name, value] = ['', '']] = new URLSearchParams(pair);
      const masked = maskHeader(name.toLowerCase(), value);
      return masked === value ? pair : `${encodeURIComponent(name)}=${masked}`;
    })
    .join('&');
