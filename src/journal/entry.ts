import { flattenHeaders, type RawCall, type Reply } from '../protocol/call.ts';
import type { IsCredential } from '../protocol/credentials.ts';
import type { RefusingQuota } from '../protocol/errors.ts';
import { readWallClock } from '../util/stopwatch.ts';
import { toDateTime } from '../world/clock.ts';
import { maskBodies, maskTexts, textOf } from './mask-entry.ts';

/** A request of the journal, with its reply. Credentials are masked. */
export interface RecordedRequest {
  /** Its `x-request-id`; `''` if the gateway left the request to other handlers. */
  readonly id: string;
  /** Its number since the journal was last emptied, from 1. */
  readonly ordinal: number;
  /** When it arrived, by the world's clock: a date-time in UTC. */
  readonly time: string;
  /** When it arrived, by the machine's clock: a date-time in UTC. */
  readonly receivedAt: string;
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** The path from `/v1` on, percent-encoded as it was sent. */
  readonly path: string;
  /** The id of the operation with this path and method; null if there is none. */
  readonly operation: string | null;
  /** The path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query parameters, decoded; a repeated one is a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** The request headers, by lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; null if there was none, or if the journal dropped it: see `bodiesDropped`. */
  readonly body: string | null;
  /** The status of the reply; null if there was none: the connection was reset, or the request was left to other handlers. */
  readonly status: number | null;
  /** The headers and the body of the reply; null if there was none. The body of another server's reply (`upstream`) is not kept. */
  readonly reply: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null } | null;
  /** Whether the journal dropped the bodies of the request and its reply to save memory. Both are then null. */
  readonly bodiesDropped: boolean;
  /** The lines of the faults that acted on it. */
  readonly faults: readonly string[];
  /** The faults that applied to it but could not act, with the reason. */
  readonly idleFaults: readonly { readonly fault: string; readonly reason: string }[];
  /** The ids of the assumptions that the reply depends on. */
  readonly assumptions: readonly string[];
  /** Why the gateway itself refused it; null if it did not. */
  readonly refusal: {
    /** The id of the assumption that the refusal depends on, such as `unknown-thread`. */
    readonly assumption: string;
    /** The policy whose limit the call would exceed; null if it was refused for another reason. */
    readonly quota: RefusingQuota | null;
  } | null;
  /** The ids of the records on the page, in order; null if the reply was not a page. */
  readonly page: Page | null;
  /** For an unmatched request, the nearest operation and the difference; otherwise null. */
  readonly nearest: string | null;
  /** The base URL of the server that it was passed on to (`upstream`), which answered it; null if it was not passed on. */
  readonly upstream: string | null;
  /** The time from its arrival to the last byte of the reply, in real milliseconds; null while it is in progress. */
  readonly duration: number | null;
}

/** How a reply came about. */
export interface Trace {
  readonly operation?: string | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly faults?: readonly string[] | undefined;
  readonly idleFaults?: RecordedRequest['idleFaults'] | undefined;
  readonly page?: Page | undefined;
  readonly nearest?: string | undefined;
  readonly upstream?: string | undefined;
  readonly refusal?: NonNullable<RecordedRequest['refusal']> | undefined;
}

/** The records on a page. */
export interface Page {
  readonly ids: readonly string[];
  readonly has_more: boolean;
}

/**
 * A request as the journal stores it. Whatever can wait is computed when the request is read: most are never read. Its texts
 * are masked once, by `maskTexts` and `maskBodies`, which replace them; nothing else may show them.
 */
export interface Entry {
  /** By the world's clock, in seconds since 1970. */
  readonly time: number;
  /** By the machine's clock, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** The journal sets it. */
  ordinal: number;
  call: Pick<RawCall, 'method' | 'path' | 'query'>;
  headers: ReturnType<RawCall['headers']>;
  body: Uint8Array | null;
  trace: Trace;
  readonly status: number | null;
  replyHeaders: Readonly<Record<string, string>> | null;
  /** Bytes where there are some: texts of many sizes, some of them dropped early, would leave holes all over the heap. */
  replyBody: string | Uint8Array | null;
  /** Which names hold a credential. Default: the known ones. */
  readonly isCredential?: IsCredential | undefined;
  /** The credentials to mask in the bodies, once the other texts are masked; empty if the bodies are masked too. */
  credentials?: readonly string[];
  /** The ids of the page, masked; the trace keeps those of the records. */
  shownIds?: readonly string[];
  /** The size of the bodies before they were masked; set if that has begun. */
  bodySize?: number;
  /** Set if the bodies are masked. */
  areBodiesMasked?: true;
  readonly assumptions: readonly string[];
  duration: number | null;
  /** Set if the journal dropped the bodies. */
  bodiesDropped?: true | undefined;
}

/** Makes the entry of a request. */
export const toEntry = (
  call: RawCall,
  time: number,
  trace: Trace,
  reply: Reply | undefined,
  assumptions: readonly string[],
  isCredential?: IsCredential,
): Entry => {
  const isReset = reply?.delivery?.breaks === 'reset';
  return {
    time,
    receivedAt: readWallClock(),
    ordinal: 0,
    call: { method: call.method, path: call.path, query: call.query },
    headers: call.headers(),
    body: typeof call.body === 'string' || call.body.byteLength === 0 ? null : call.body,
    trace,
    status: reply === undefined || isReset ? null : reply.status,
    replyHeaders: reply?.headers ?? null,
    replyBody: isReset ? null : (reply?.bytes ?? reply?.body ?? null),
    assumptions,
    duration: null,
    isCredential,
    bodiesDropped: undefined, // a property that is added later takes memory of its own
  };
};

/** The size of an entry's bodies, in bytes and characters. It stays the same when they are masked. */
export const bodySizeOf = ({ body, replyBody, bodySize }: Entry): number => {
  if (body === null && replyBody === null) return 0;
  return bodySize ?? (body?.length ?? 0) + (replyBody?.length ?? 0);
};

/** What an entry takes beside its texts, what one of its texts takes beside its characters, and one id, in bytes (measured). */
const [entrySize, textSize, idSize] = [300, 80, 16];

/** About how much memory an entry takes, in bytes: a client may make any part of it long. */
export const sizeOf = (entry: Entry): number => {
  const { call, trace, headers, replyHeaders } = entry;
  let size = entrySize + bodySizeOf(entry) + call.method.length + call.path.length + call.query.length;
  for (const texts of [headers, replyHeaders ?? {}, trace.params ?? {}])
    for (const name in texts) size += textSize + name.length + (texts[name]?.length ?? 0);
  for (const id of trace.page?.ids ?? []) size += idSize + id.length;
  for (const line of trace.faults ?? []) size += line.length;
  for (const { fault, reason } of trace.idleFaults ?? []) size += textSize + fault.length + reason.length;
  return (
    size +
    (trace.nearest?.length ?? 0) +
    (trace.upstream?.length ?? 0) +
    (trace.refusal?.quota?.name?.length ?? 0)
  );
};

/** Converts an entry for users: no part of it contains a credential in plain text. */
export const toRecordedRequest = (entry: Entry): RecordedRequest => {
  maskBodies(entry);
  return toRequest(entry, textOf(entry.body), textOf(entry.replyBody));
};

/** Converts an entry without its bodies, which take long to read and send. */
export const toRequestWithoutBodies = (entry: Entry): RecordedRequest => toRequest(entry, null, null);

const toRequest = (entry: Entry, body: string | null, replyBody: string | null): RecordedRequest => {
  const { call, trace, headers, replyHeaders, status, shownIds } = maskTexts(entry);
  return {
    id: idOf(entry),
    ordinal: entry.ordinal,
    time: toDateTime(entry.time),
    receivedAt: toDateTime(entry.receivedAt / 1000),
    method: call.method,
    path: call.path,
    operation: trace.operation ?? null,
    params: { ...trace.params },
    query: queryOf(entry),
    headers: { ...flattenHeaders(headers) },
    body,
    status,
    reply: status === null ? null : { headers: { ...replyHeaders }, body: replyBody },
    bodiesDropped: entry.bodiesDropped ?? false,
    faults: [...(trace.faults ?? [])],
    idleFaults: (trace.idleFaults ?? []).map((idle) => ({ ...idle })),
    assumptions: [...entry.assumptions],
    refusal: trace.refusal ?? null,
    page: trace.page ? { ids: [...(shownIds ?? trace.page.ids)], has_more: trace.page.has_more } : null,
    nearest: trace.nearest ?? null,
    upstream: trace.upstream ?? null,
    duration: entry.duration,
  };
};

/** The `x-request-id` of an entry; `''` if the gateway left the request to other handlers. */
export const idOf = ({ replyHeaders }: Entry): string => replyHeaders?.['x-request-id'] ?? '';

/** The query parameters, decoded; a repeated one is a list. */
export const queryOf = ({ call }: Pick<Entry, 'call'>): Record<string, string | readonly string[]> => {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(call.query)) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]),
  );
};
