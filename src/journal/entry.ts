import { type Call, flattenHeaders, type Reply } from '../protocol/call.ts';
import { limits } from '../util/limits.ts';
import { mapValues } from '../util/mapping.ts';
import { type IsCredential, Mask } from '../util/mask.ts';
import { readWallClock } from '../util/stopwatch.ts';
import { toDateTime } from '../world/clock.ts';
import type { RecordedRequest, Trace } from './recorded-request.ts';

/** What is recorded of a call beside itself and its reply. */
export interface Recording {
  /** By the world's clock, in seconds since 1970. */
  readonly time: number;
  /** By the machine's clock, in milliseconds since 1970. Default: now. */
  readonly receivedAt?: number;
  readonly trace: Trace;
  /** The ids of the assumptions that the reply depends on. */
  readonly assumptions: readonly string[];
  /** Which names hold a credential. Default: the known ones. */
  readonly isCredential?: IsCredential | undefined;
}

/** A call in the journal. Its request is made, and masked, when it is first read: most never are, and it takes ten times as long as to keep the call (measured). */
export class Entry {
  /** How much memory it takes, in bytes. */
  readonly bytes: number;
  /** Its number in the journal, which sets it. */
  ordinal = 0;
  /** Set when the reply was sent. */
  duration: number | null = null;
  #kept: Kept | undefined;
  #request: RecordedRequest | undefined;

  /** @param reply undefined if the gateway left the request to other handlers */
  constructor(call: Call, reply: Reply | undefined, recording: Recording) {
    this.#kept = keep(call, reply, recording);
    this.bytes = sizeOf(this.#kept);
  }

  get request(): RecordedRequest {
    if (this.#kept !== undefined) this.#request = toRequest(this.#kept, this);
    this.#kept = undefined;
    return this.#request as RecordedRequest; // made above, the first time
  }
}

type Kept = ReturnType<typeof keep>;

/** What is kept of a call and its reply: without its socket, and only the start of large bodies. */
const keep = (call: Call, reply: Reply | undefined, recording: Recording) => {
  const body = typeof call.body === 'string' || call.body.byteLength === 0 ? null : call.body;
  const hasReply = reply !== undefined && reply.delivery?.breaks !== 'reset';
  return {
    method: call.method,
    path: call.path,
    query: call.query,
    headers: call.headers(),
    // A copy: a Node buffer's own `slice` would keep the whole of it in memory.
    body:
      body && body.byteLength > limits.keptBody ? new Uint8Array(body.subarray(0, limits.keptBody)) : body,
    bodySize: body?.byteLength ?? 0,
    status: hasReply ? reply.status : null,
    replyHeaders: reply?.headers ?? {},
    replyBody: hasReply ? cutText(reply.body) : null,
    receivedAt: recording.receivedAt ?? readWallClock(),
    recording,
  };
};

/** Credentials are masked by their names first, and then wherever the same values stand. */
const toRequest = (kept: Kept, entry: Entry): RecordedRequest => {
  const { status, recording } = kept;
  const { trace, time, assumptions, isCredential } = recording;
  const mask = new Mask(isCredential);
  const headers = mask.headers(flattenHeaders(kept.headers));
  const replyHeaders = mask.headers(kept.replyHeaders);
  const query = [...new URLSearchParams(kept.query)];
  for (const pair of query) pair[1] = mask.parameter(...pair);
  const body = kept.body && mask.body(new TextDecoder().decode(kept.body)) + describeCut(kept.bodySize);
  const hide = mask.createHide();
  let replyBody: string | null = null;
  const replied = {
    headers: mapValues(replyHeaders, hide),
    /** Masked when it is first read, since it may be long: events and lists do without it. */
    get body() {
      replyBody ??= kept.replyBody && hide(kept.replyBody);
      return replyBody;
    },
  };
  return {
    id: kept.replyHeaders['x-request-id'] ?? '',
    ordinal: entry.ordinal,
    time: toDateTime(time),
    receivedAt: toDateTime(kept.receivedAt / 1000),
    method: kept.method,
    path: hide(kept.path),
    operation: trace.operation ?? null,
    params: mapValues(trace.params ?? {}, hide),
    query: toQuery(query, hide),
    headers: mapValues(headers, hide),
    body: body && hide(body),
    status,
    reply: status === null ? null : replied,
    faults: trace.faults?.map(hide) ?? [],
    idleFaults:
      trace.idleFaults?.map(({ fault, reason }) => ({ fault: hide(fault), reason: hide(reason) })) ?? [],
    assumptions,
    refusal: trace.refusal ?? null,
    page: trace.page ?? null,
    nearest: trace.nearest === undefined ? null : hide(trace.nearest),
    upstream: trace.upstream ?? null,
    get duration() {
      return entry.duration;
    },
  };
};

/** The parameters of a query by their names; a repeated one is a list. */
const toQuery = (
  pairs: readonly (readonly [name: string, value: string])[],
  hide: (text: string) => string,
): RecordedRequest['query'] => {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [hide(value)]);
    else known.push(hide(value));
  }
  return Object.fromEntries(
    Array.from(values, ([name, all]) => [hide(name), all.length === 1 ? (all[0] ?? '') : all]),
  );
};

const describeCut = (size: number): string =>
  size > limits.keptBody ? `… (cut: the journal keeps ${limits.keptBody} of ${size} bytes)` : '';

const cutText = (text: string | null): string | null => {
  if (text === null || text.length <= limits.keptBody) return text;
  // A part of a text would keep the whole of it in memory: this is a copy.
  const start = new TextDecoder().decode(new TextEncoder().encode(text.slice(0, limits.keptBody)));
  return start + describeCut(text.length);
};

/** What an entry takes beside its texts, what one of its texts takes beside its characters, and one id, in bytes (measured). */
const [entrySize, textSize, idSize] = [400, 80, 40];

/** About how much memory it takes, in bytes: a client may make any part of it long. */
const sizeOf = ({ path, query, headers, replyHeaders, body, replyBody, recording }: Kept): number => {
  const { trace } = recording;
  let size = entrySize + path.length + query.length + (body?.byteLength ?? 0) + (replyBody?.length ?? 0);
  size += textSize * query.split('&').length;
  for (const texts of [headers, replyHeaders, trace.params ?? {}])
    for (const name in texts) size += textSize + name.length + (texts[name]?.length ?? 0);
  for (const line of trace.faults ?? []) size += line.length;
  for (const { fault, reason } of trace.idleFaults ?? []) size += textSize + fault.length + reason.length;
  return size + idSize * (trace.page?.ids.length ?? 0) + (trace.nearest?.length ?? 0);
};
