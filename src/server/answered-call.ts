import { flattenHeaders } from '../journal/entry.ts';
import { credentialsIn, maskHeader } from '../protocol/auth.ts';
import type { RawCall, Reply } from '../protocol/call.ts';
import { createHide } from '../util/mask.ts';

/** One call, as the log shows it. It holds no credential. */
export interface AnsweredCall {
  readonly method: string;
  /** As it was sent, still percent-encoded, without the query. */
  readonly path: string;
  /** As it was sent, still percent-encoded, without the question mark; empty where there was none. */
  readonly query: string;
  /** null where the connection was closed without a reply. */
  readonly status: number | null;
  /** The session that the call named; null where it named none, or none that could answer. */
  readonly session: string | null;
  /** The faults that shaped the reply, as the header `x-mock-fault` has them; null where there were none. */
  readonly fault: string | null;
  readonly requestId: string;
  /** The assumptions that the reply is marked with. */
  readonly assumptions: readonly string[];
}

export const toAnsweredCall = (
  { method, path, query, headers }: RawCall,
  { status, headers: sent, delivery }: Reply,
): AnsweredCall => {
  const hide = createHide(credentialsIn(flattenHeaders(headers()))); // a path or a query may hold a key, by mistake
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

/** Hides the values of parameters that are named like a credential, such as `api_key`. */
const maskQuery = (query: string): string =>
  query
    .split('&')
    .map((pair) => {
      const [[name, value] = ['', '']] = new URLSearchParams(pair);
      const masked = maskHeader(name.toLowerCase(), value);
      return masked === value ? pair : `${encodeURIComponent(name)}=${masked}`;
    })
    .join('&');
