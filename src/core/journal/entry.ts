import type { Call, Reply, Settlement } from '../protocol/call.ts';
import { limits } from '../util/limits.ts';
import type { IsCredential } from '../util/mask.ts';
import { readWallClock } from '../util/stopwatch.ts';
import type { MaskedValues } from './masked-values.ts';
import type { RecordedRequest, Trace } from './recorded-request.ts';
import { describeCut, toRequest } from './to-request.ts';

/** The facts about a call that are recorded with the call and its reply. */
export interface CallFacts extends Trace {
  /** By the world's clock, in seconds since 1970. */
  readonly time: number;
  /** By the machine's clock, in milliseconds since 1970. Default: now. */
  readonly receivedAt?: number;
  /** The ids of the assumptions that the reply depends on. */
  readonly assumptions: readonly string[];
  /** Which names mark a credential. Default: the built-in names. */
  readonly isCredential?: IsCredential | undefined;
}

/**
 * A call in the journal. The request that users see is made and masked when it is first read: most are never read, and masking
 * takes ten times as long as copying the call (measured).
 */
export class Entry {
  /** How much memory it takes, in bytes. */
  readonly memoryUsed: number;
  /** Its number in the journal. The journal sets it. */
  ordinal = 0;
  /** How many times the journal had been cleared before this call. The journal sets it. */
  clearCount = 0;
  /** What became of the reply; undefined while it is pending. */
  settlement: Settlement | undefined;
  /** From the end of the request until its reply was sent, cut or lost, in milliseconds; null while the reply is pending. */
  duration: number | null = null;
  #copy: CallCopy | undefined;
  #masked: ReturnType<typeof toRequest> | undefined;

  /** @param reply undefined if the gateway left the request to other handlers */
  constructor(call: Call, reply: Reply | undefined, facts: CallFacts) {
    this.#copy = copyCall(call, reply, facts);
    this.memoryUsed = sizeOf(this.#copy);
  }

  get request(): RecordedRequest {
    return this.#mask().request;
  }

  /** The values that masks replace in the request: only filters read them. */
  get maskedValues(): MaskedValues {
    return this.#mask().maskedValues;
  }

  #mask() {
    if (this.#copy !== undefined) this.#masked = toRequest(this.#copy, this);
    this.#copy = undefined;
    return this.#masked as ReturnType<typeof toRequest>; // set above, the first time
  }
}

export type CallCopy = ReturnType<typeof copyCall>;

/** Copies a call and its reply: without the socket, and only the start of large bodies. */
const copyCall = (call: Call, reply: Reply | undefined, facts: CallFacts) => {
  const body = typeof call.body === 'string' || call.body.byteLength === 0 ? null : call.body;
  const replyBody = toStoredBody(reply);
  return {
    method: call.method,
    path: call.path,
    query: call.query,
    headers: call.headers(),
    // A copy: a slice of a Node buffer would keep the whole buffer in memory.
    body:
      body && body.byteLength > limits.keptBody ? new Uint8Array(body.subarray(0, limits.keptBody)) : body,
    bodySize: body?.byteLength ?? 0,
    hasReply: reply !== undefined,
    replyHeaders: reply?.headers ?? {},
    replyBody,
    replySize: typeof replyBody === 'string' ? replyBody.length : (reply?.body?.length ?? 0),
    receivedAt: facts.receivedAt ?? readWallClock(),
    facts,
  };
};

/** The body to store. A page is stored as its parts: these texts belong to the records, so that the page takes no further memory. */
const toStoredBody = ({ body, parts }: Pick<Reply, 'body' | 'parts'> = { body: null }) =>
  parts !== undefined && body !== null && body.length <= limits.keptBody ? parts : cutText(body);

const cutText = (text: string | null): string | null => {
  if (text === null || text.length <= limits.keptBody) return text;
  // A copy: a slice of a text would keep the whole text in memory.
  const start = new TextDecoder().decode(new TextEncoder().encode(text.slice(0, limits.keptBody)));
  return start + describeCut(text.length);
};

/** The bytes of an entry without its texts, of a text without its characters, and of an id (measured). */
const [entrySize, textSize, idSize] = [400, 80, 40];

/**
 * About how much memory an entry takes, in bytes. All parts that a client can make long count. A text that several entries
 * share counts for each.
 */
const sizeOf = ({ path, query, headers, replyHeaders, body, replySize, facts }: CallCopy): number => {
  const { params = {}, faults = [], idleFaults = [], page, nearest } = facts;
  // The body counts twice: if something in it is masked, the entry has it both as sent and masked.
  let size = entrySize + path.length + query.length + 2 * (body?.byteLength ?? 0) + replySize;
  size += textSize * query.split('&').length;
  for (const texts of [headers, replyHeaders, params])
    for (const name in texts) size += textSize + name.length + (texts[name]?.length ?? 0);
  for (const line of faults) size += line.length;
  for (const { fault, reason } of idleFaults) size += textSize + fault.length + reason.length;
  return size + idSize * (page?.ids.length ?? 0) + (nearest?.length ?? 0);
};
