import { credentialsIn, maskHeader } from '../protocol/auth.ts';
import type { RawCall, Reply } from '../protocol/call.ts';
import { createHide, maskCredential } from '../util/mask.ts';
import { toDateTime } from '../world/clock.ts';

/** A request of the journal, with its reply. Credentials are masked. */
export interface RecordedRequest {
  /** Its `x-request-id`; `''` if the gateway left the request to other handlers. */
  readonly id: string;
  /** When it arrived, by the world's clock: a date-time in UTC. */
  readonly time: string;
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** The path from `/v1` on, percent-encoded as it was sent. */
  readonly path: string;
  /** The id of the operation with this path and method; null for an unmatched request. */
  readonly operation: string | null;
  /** The path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query parameters, decoded; a repeated one is a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** The request headers, by lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; null if there was none, or if the journal dropped it to save memory. */
  readonly body: string | null;
  /** The status of the reply; null if there was none: the connection was reset, or the request was left to other handlers. */
  readonly status: number | null;
  /** The headers and the body of the reply; null if there was none. */
  readonly reply: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null } | null;
  /** The lines of the faults that acted on it. */
  readonly faults: readonly string[];
  /** The faults that applied to it but could not act, with the reason. */
  readonly idleFaults: readonly { readonly fault: string; readonly reason: string }[];
  /** The ids of the assumptions that the reply depends on. */
  readonly assumptions: readonly string[];
  /** The ids of the records on the page, in order; null if the reply was not a page. */
  readonly page: Page | null;
  /** For an unmatched request, the nearest operation and the difference; otherwise null. */
  readonly nearest: string | null;
  /** The time from its arrival to the last byte of the reply, in real milliseconds; null while it is in progress. */
  readonly duration: number | null;
}

/** How a reply came about. */
export interface Trace {
  readonly operation?: string | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly faults?: readonly string[] | undefined;
  readonly idleFaults?: RecordedRequest['idleFaults'] | undefined;
  /** The page of the reply; deleted when the journal has no more room for it. */
  page?: Page | undefined;
  readonly nearest?: string | undefined;
}

/** The records on a page. */
export interface Page {
  readonly ids: readonly string[];
  readonly has_more: boolean;
}

/** A request as the journal stores it. Whatever can wait is computed when the request is read. */
export interface Entry {
  readonly time: number;
  readonly call: Pick<RawCall, 'method' | 'path' | 'query'>;
  /** The headers as they were sent; credentials are masked when the request is read. */
  readonly headers: ReturnType<RawCall['headers']>;
  body: Uint8Array | null;
  readonly trace: Trace;
  readonly status: number | null;
  readonly replyHeaders: Readonly<Record<string, string>> | null;
  replyBody: string | null;
  readonly assumptions: readonly string[];
  duration: number | null;
  /** Set if the journal dropped the ids of the page. */
  isPageLost?: true;
}

/** Makes the entry of a request. */
export const toEntry = (
  call: RawCall,
  time: number,
  trace: Trace,
  reply: Reply | undefined,
  assumptions: readonly string[],
): Entry => {
  const isReset = reply?.delivery?.breaks === 'reset';
  return {
    time,
    call: { method: call.method, path: call.path, query: call.query },
    headers: call.headers(),
    body: typeof call.body === 'string' || call.body.byteLength === 0 ? null : call.body,
    trace,
    status: reply === undefined || isReset ? null : reply.status,
    replyHeaders: reply?.headers ?? null,
    replyBody: isReset ? null : (reply?.body ?? null),
    assumptions,
    duration: null,
  };
};

/** The size of an entry's bodies, in bytes and characters. */
export const sizeOf = ({ body, replyBody }: Entry): number =>
  (body?.byteLength ?? 0) + (replyBody?.length ?? 0);

/** Converts an entry for users: no part of it contains a credential in plain text. */
export const toRecordedRequest = (entry: Entry): RecordedRequest => {
  const { call, trace, replyHeaders, status } = entry;
  const credentials = credentialsIn(flattenHeaders(entry.headers));
  const hide = createHide(credentials);
  const hideValues = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, hide(value)]));
  return {
    id: idOf(entry),
    time: toDateTime(entry.time),
    method: call.method,
    path: hide(call.path),
    operation: trace.operation ?? null,
    params: hideValues(trace.params ?? {}),
    query: Object.fromEntries(
      Object.entries(queryOf(entry)).map(([name, value]) => [
        hide(name),
        typeof value === 'string' ? hide(value) : value.map(hide),
      ]),
    ),
    headers: hideValues(maskedHeaders(entry)),
    body: entry.body === null ? null : hide(new TextDecoder().decode(entry.body)),
    status,
    reply:
      status === null
        ? null
        : {
            // A short API key may equal part of an assumption's id, which is not secret.
            headers: { ...hideValues(replyHeaders ?? {}), ...pick(replyHeaders, 'x-mock-assumptions') },
            body: entry.replyBody === null ? null : hide(hideQuoted(entry.replyBody, status, credentials)),
          },
    faults: (trace.faults ?? []).map(hide),
    idleFaults: (trace.idleFaults ?? []).map(({ fault, reason }) => ({
      fault: hide(fault),
      reason: hide(reason),
    })),
    assumptions: [...entry.assumptions],
    page: trace.page ? { ids: trace.page.ids.map(hide), has_more: trace.page.has_more } : null,
    nearest: trace.nearest === undefined ? null : hide(trace.nearest),
    duration: entry.duration,
  };
};

/** The `x-request-id` of an entry; `''` if the gateway left the request to other handlers. */
export const idOf = ({ replyHeaders }: Entry): string => replyHeaders?.['x-request-id'] ?? '';

/** Converts an entry without its bodies, which take long to read and send. */
export const toRequestWithoutBodies = (entry: Entry): RecordedRequest =>
  toRecordedRequest({ ...entry, body: null, replyBody: null });

/** The query parameters, decoded; a repeated one is a list. */
export const queryOf = ({ call }: Pick<Entry, 'call'>): Record<string, string | readonly string[]> => {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(call.query))
    values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]),
  );
};

/** The headers of a request, with credentials masked. */
export const maskedHeaders = ({ headers }: Pick<Entry, 'headers'>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(flattenHeaders(headers)).map(([name, value]) => [name, maskHeader(name, value)]),
  );

const pick = (headers: Entry['replyHeaders'], name: string): Record<string, string> =>
  headers?.[name] === undefined ? {} : { [name]: headers[name] };

/** Masks the key that an error quotes at the end of its message, however short the key is. */
const hideQuoted = (body: string, status: number, credentials: readonly string[]): string =>
  status < 400
    ? body
    : credentials.reduce(
        (left, credential) =>
          left.replaceAll(
            `: ${JSON.stringify(credential).slice(1)}`,
            () => `: ${maskCredential(credential)}"`, // a function, since the text may contain $&
          ),
        body,
      );

/** Joins the values of each header. */
export const flattenHeaders = (headers: ReturnType<RawCall['headers']>): Record<string, string> => {
  const flat: Record<string, string> = Object.create(null); // a header may have any name
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
};
