import { credentialsIn, maskCredential, maskHeader } from '../protocol/auth.ts';
import type { RawCall, Reply } from '../protocol/call.ts';
import { toDateTime } from '../world/clock.ts';

/** One request, as the journal tells of it. Credentials are masked. */
export interface RecordedRequest {
  /** Its `x-request-id`; empty where it was left to others, and so has none. */
  readonly id: string;
  /** The world's time at which it came: a date-time in UTC. */
  readonly time: string;
  readonly method: string;
  /** As it was sent, still percent-encoded, from `/v1` on. */
  readonly path: string;
  /** The operation that has this path and method; null for an unmatched request. */
  readonly operation: string | null;
  /** The path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query parameters, decoded; a repeated one is a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where there was none, or where the journal had to let go of it. */
  readonly body: string | null;
  /** Null where nothing was answered: the connection was reset, or the request was left to others. */
  readonly status: number | null;
  readonly reply: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null } | null;
  /** The faults that shaped the answer, each as its line. */
  readonly faults: readonly string[];
  /** The assumptions that the answer is marked with. */
  readonly assumptions: readonly string[];
  /** The ids of the records on the page that was answered, in its order; null where it was no page. */
  readonly page: { readonly ids: readonly string[]; readonly has_more: boolean } | null;
  /** For an unmatched request: the nearest operation, and what differs. */
  readonly nearest: string | null;
  /** From its arrival to the last byte of the answer, in milliseconds of real time; null while it is under way. */
  readonly duration: number | null;
}

/** What the answer to one call was made of, as far as it got. */
export interface Trace {
  operation?: string;
  params?: Readonly<Record<string, string>>;
  faults?: readonly string[];
  page?: { readonly ids: readonly string[]; readonly has_more: boolean };
  nearest?: string;
}

/** One request as it is kept: what can wait until somebody asks is not worked out yet. */
export interface Entry {
  readonly time: number;
  readonly call: Pick<RawCall, 'method' | 'path' | 'query'>;
  readonly headers: Readonly<Record<string, string>>;
  body: Uint8Array | null;
  readonly trace: Trace;
  readonly status: number | null;
  readonly replyHeaders: Readonly<Record<string, string>> | null;
  replyBody: string | null;
  readonly assumptions: readonly string[];
  duration: number | null;
}

/** A request to be kept. Nothing of it holds a credential in the clear. */
export const toEntry = (
  call: RawCall,
  time: number,
  trace: Trace,
  reply: Reply | undefined,
  assumptions: readonly string[],
): Entry => {
  const sent = flatten(call.headers());
  const isReset = reply?.delivery?.breaks === 'reset';
  const entry: Entry = {
    time,
    call: { method: call.method, path: call.path, query: call.query },
    headers: maskAll(sent),
    body: typeof call.body === 'string' || call.body.byteLength === 0 ? null : call.body,
    trace,
    status: reply === undefined || isReset ? null : reply.status,
    replyHeaders: reply?.headers ?? null,
    replyBody: isReset ? null : (reply?.body ?? null),
    assumptions,
    duration: null,
  };
  // An error may quote what it refuses.
  if (reply === undefined || reply.status >= 400) hideCredentials(entry, credentialsIn(sent));
  return entry;
};

/** How much of the journal's room an entry's bodies take, in characters or bytes. */
export const sizeOf = ({ body, replyBody }: Entry): number =>
  (body?.byteLength ?? 0) + (replyBody?.length ?? 0);

/** An entry as it is told. */
export const toRecordedRequest = (entry: Entry): RecordedRequest => ({
  id: entry.replyHeaders?.['x-request-id'] ?? '',
  time: toDateTime(entry.time),
  method: entry.call.method,
  path: entry.call.path,
  operation: entry.trace.operation ?? null,
  params: { ...entry.trace.params },
  query: toQuery(entry.call.query),
  headers: { ...entry.headers },
  body: entry.body === null ? null : new TextDecoder().decode(entry.body),
  status: entry.status,
  reply: entry.status === null ? null : { headers: { ...entry.replyHeaders }, body: entry.replyBody },
  faults: entry.trace.faults ?? [],
  assumptions: [...entry.assumptions],
  page: entry.trace.page ? { ids: [...entry.trace.page.ids], has_more: entry.trace.page.has_more } : null,
  nearest: entry.trace.nearest ?? null,
  duration: entry.duration,
});

const toQuery = (query: string): Record<string, string | string[]> => {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query))
    values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]),
  );
};

const flatten = (headers: ReturnType<RawCall['headers']>): Record<string, string> => {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
};

const maskAll = (headers: Readonly<Record<string, string>>): Record<string, string> => {
  const masked: Record<string, string> = {};
  for (const name in headers) masked[name] = maskHeader(name, headers[name] ?? '');
  return masked;
};

const hideCredentials = (entry: Entry, credentials: readonly string[]): void => {
  for (const credential of credentials) {
    const asJson = JSON.stringify(credential).slice(1, -1);
    for (const text of new Set([credential, asJson]))
      if (entry.replyBody?.includes(text))
        entry.replyBody = entry.replyBody.replaceAll(text, maskCredential(credential));
  }
};
