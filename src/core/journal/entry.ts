import type { Call, Delivered, Reply } from '../protocol/call.ts';
import { limits } from '../util/limits.ts';
import type { IsCredential } from '../util/mask.ts';
import { readWallClock } from '../util/stopwatch.ts';
import type { RecordedRequest, Trace } from './recorded-request.ts';
import type { SentValues } from './sent-values.ts';
import { describeCut, toRequest } from './to-request.ts';

/** What is recorded of a call besides the call itself and its reply. */
export interface Recording extends Trace {
  /** By the world's clock, in seconds since 1970. */
  readonly time: number;
  /** By the machine's clock, in milliseconds since 1970. Default: now. */
  readonly receivedAt?: number;
  /** The ids of the assumptions that the reply depends on. */
  readonly assumptions: readonly string[];
  /** Which names mark a credential. Default: the known ones. */
  readonly isCredential?: IsCredential | undefined;
}

/** A call in the journal. Its request is made and masked when it is first read: most never are, and that takes ten times as long as keeping the call (measured). */
export class Entry {
  /** How much memory it takes, in bytes. */
  readonly bytes: number;
  /** Its number in the journal, which sets it. */
  ordinal = 0;
  /** How many times its journal had been cleared before, which sets it. */
  clearCount = 0;
  /** What became of the reply; undefined while it is pending. */
  delivered: Delivered | undefined;
  /** Set together with it. */
  duration: number | null = null;
  #kept: Kept | undefined;
  #made: ReturnType<typeof toRequest> | undefined;

  /** @param reply undefined if the gateway left the request to other handlers */
  constructor(call: Call, reply: Reply | undefined, recording: Recording) {
    this.#kept = keep(call, reply, recording);
    this.bytes = sizeOf(this.#kept);
  }

  get request(): RecordedRequest {
    return this.#make().request;
  }

  /** What was sent where the request has masks: for filters alone. */
  get sent(): SentValues {
    return this.#make().sent;
  }

  #make() {
    if (this.#kept !== undefined) this.#made = toRequest(this.#kept, this);
    this.#kept = undefined;
    return this.#made as ReturnType<typeof toRequest>; // made above, the first time
  }
}

export type Kept = ReturnType<typeof keep>;

/** What is kept of a call and its reply: without its socket, and only the start of large bodies. */
const keep = (call: Call, reply: Reply | undefined, recording: Recording) => {
  const body = typeof call.body === 'string' || call.body.byteLength === 0 ? null : call.body;
  const replyBody = toStoredBody(reply);
  return {
    method: call.method,
    path: call.path,
    query: call.query,
    headers: call.headers(),
    // A copy: a Node buffer's own `slice` would keep all of it in memory.
    body:
      body && body.byteLength > limits.keptBody ? new Uint8Array(body.subarray(0, limits.keptBody)) : body,
    bodySize: body?.byteLength ?? 0,
    hasReply: reply !== undefined,
    replyHeaders: reply?.headers ?? {},
    replyBody,
    replySize: typeof replyBody === 'string' ? replyBody.length : (reply?.body?.length ?? 0),
    receivedAt: recording.receivedAt ?? readWallClock(),
    recording,
  };
};

/** A page as the texts that records share, so that it takes no memory of its own. */
const toStoredBody = ({ body, parts }: Pick<Reply, 'body' | 'parts'> = { body: null }) =>
  parts !== undefined && body !== null && body.length <= limits.keptBody ? parts : cutText(body);

const cutText = (text: string | null): string | null => {
  if (text === null || text.length <= limits.keptBody) return text;
  // A part of a text would keep all of it in memory: this is a copy.
  const start = new TextDecoder().decode(new TextEncoder().encode(text.slice(0, limits.keptBody)));
  return start + describeCut(text.length);
};

/** The bytes of an entry without its texts, of a text without its characters, and of an id (measured). */
const [entrySize, textSize, idSize] = [400, 80, 40];

/** About how much memory it takes, in bytes: a client may make any part of it long. A text that several entries share counts for each. */
const sizeOf = ({ path, query, headers, replyHeaders, body, replySize, recording }: Kept): number => {
  const { params = {}, faults = [], idleFaults = [], page, nearest } = recording;
  // Twice: a body in which something is masked is kept as it was sent and with its masks.
  let size = entrySize + path.length + query.length + 2 * (body?.byteLength ?? 0) + replySize;
  size += textSize * query.split('&').length;
  for (const texts of [headers, replyHeaders, params])
    for (const name in texts) size += textSize + name.length + (texts[name]?.length ?? 0);
  for (const line of faults) size += line.length;
  for (const { fault, reason } of idleFaults) size += textSize + fault.length + reason.length;
  return size + idSize * (page?.ids.length ?? 0) + (nearest?.length ?? 0);
};
