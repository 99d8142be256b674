import { credentialsIn, maskHeader } from '../protocol/auth.ts';
import type { RawCall, Reply } from '../protocol/call.ts';
import { createHide, maskCredential } from '../util/mask.ts';
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
  /** The faults that applied to this call and could not act, each as its line, with the reason in words. */
  readonly idleFaults: readonly { readonly fault: string; readonly reason: string }[];
  /** The assumptions that the answer is marked with. */
  readonly assumptions: readonly string[];
  /** The ids of the records on the page that was answered, in its order; null where it was no page. */
  readonly page: Page | null;
  /** For an unmatched request: the nearest operation, and what differs. */
  readonly nearest: string | null;
  /** From its arrival to the last byte of the answer, in milliseconds of real time; null while it is under way. */
  readonly duration: number | null;
}

/** What the answer to one call was made of, as far as it got. */
export interface Trace {
  readonly operation?: string | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly faults?: readonly string[] | undefined;
  readonly idleFaults?: RecordedRequest['idleFaults'] | undefined;
  /** Let go of once the journal has no more room for it. */
  page?: Page | undefined;
  readonly nearest?: string | undefined;
}

/** Which records were on a page. */
export interface Page {
  readonly ids: readonly string[];
  readonly has_more: boolean;
}

/** One request as it is kept: what can wait until somebody asks is not worked out yet. */
export interface Entry {
  readonly time: number;
  readonly call: Pick<RawCall, 'method' | 'path' | 'query'>;
  /** As they were sent: they are copied, and the credentials among them hidden wherever they stand, once somebody asks. */
  readonly headers: ReturnType<RawCall['headers']>;
  body: Uint8Array | null;
  readonly trace: Trace;
  readonly status: number | null;
  readonly replyHeaders: Readonly<Record<string, string>> | null;
  replyBody: string | null;
  readonly assumptions: readonly string[];
  duration: number | null;
  /** Whether the journal had to let go of which records were on the page. */
  isPageLost?: true;
}

/** A request to be kept. */
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

/** How much of the journal's room an entry's bodies take, in characters or bytes. */
export const sizeOf = ({ body, replyBody }: Entry): number =>
  (body?.byteLength ?? 0) + (replyBody?.length ?? 0);

/** An entry as it is told: nothing of it holds a credential in the clear. */
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
            // The names of assumptions are no secret, whatever the key is.
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

/** Its `x-request-id`; empty where it was left to others. */
export const idOf = ({ replyHeaders }: Entry): string => replyHeaders?.['x-request-id'] ?? '';

/** The same without what it takes long to read and to send. */
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

/** The headers of a request, fit to be shown. */
export const maskedHeaders = ({ headers }: Pick<Entry, 'headers'>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(flattenHeaders(headers)).map(([name, value]) => [name, maskHeader(name, value)]),
  );

const pick = (headers: Entry['replyHeaders'], name: string): Record<string, string> =>
  headers?.[name] === undefined ? {} : { [name]: headers[name] };

/** An error may quote the key that it refuses, however short that is: at the end of its message. */
const hideQuoted = (body: string, status: number, credentials: readonly string[]): string =>
  status < 400
    ? body
    : credentials.reduce(
        (left, credential) =>
          left.replaceAll(
            `: ${JSON.stringify(credential).slice(1)}`,
            () => `: ${maskCredential(credential)}"`, // as it stands: a text may hold $&
          ),
        body,
      );

/** Headers as one text each. */
export const flattenHeaders = (headers: ReturnType<RawCall['headers']>): Record<string, string> => {
  const flat: Record<string, string> = Object.create(null); // a header may have any name
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
};
