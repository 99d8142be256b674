import type { Assume, AssumptionId } from '../assumptions/table.ts';
import type { RefusingQuota } from './errors.ts';

/** A request as the operations read it. Each transport makes it. */
export interface Call {
  readonly method: string;
  /** The percent-encoded path, from `/v1` or `/sessions/NAME/v1` on: `/v1/threads/thread_demo/runs`. */
  readonly path: string;
  /** The path as it was sent; undefined if it named no session. */
  readonly originalPath?: string | undefined;
  /** The percent-encoded query without its question mark; `''` if there is none. */
  readonly query: string;
  /** Returns the value of a header, by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Returns all headers, by their lower-case names. */
  readonly headers: () => Readonly<Record<string, string | readonly string[] | undefined>>;
  /**
   * The bytes of the body; or `too-large` if there are more than `limits.body`, `broken` if it ended early, or `rounded` if a body
   * parser in front of the gateway has read it, and a number may have lost digits.
   */
  readonly body: Uint8Array | 'too-large' | 'broken' | 'rounded';
}

/** Joins the values of a header that was sent several times. */
export const joinValues = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value.join(', ') : value;

/** Joins the values of each header. */
export const flattenHeaders = (headers: ReturnType<Call['headers']>): Record<string, string> => {
  const flat: Record<string, string> = Object.create(null); // a header may have any name
  for (const name in headers) {
    const value = joinValues(headers[name]);
    if (value !== undefined) flat[name] = value;
  }
  return flat;
};

/** A call whose parts were checked against the contract, as the handler of an operation gets it. */
export interface ParsedCall<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly assume: Assume;
}

/** Answers one call. Every transport is built on it. */
export type Answer = (call: Call) => Reply | LateReply;

/** The reply that a transport sends. The transport itself sets `content-length`, and leaves out the body for HEAD. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or whatever a fault put in its place; null if the reply has no body. */
  readonly body: string | null;
  /** The texts of which the body of a page consists, most of them cached with their records. The journal stores them in place of the page. */
  readonly parts?: readonly string[] | undefined;
  /** The body in UTF-8, if it is cached: encoding a page takes longer than everything else (13 of 22 µs). */
  readonly bytes?: Uint8Array | undefined;
  /** A body that is sent piece by piece; `body` is then null. */
  readonly stream?: ReplyStream | undefined;
  /** The values of `set-cookie`, the one header whose values cannot be joined. */
  readonly cookies?: readonly string[] | undefined;
  /** How the reply is sent. If undefined, it is sent immediately. */
  readonly delivery?: Delivery | undefined;
  /** The records on the page; undefined if the reply is not a page. Of an own call with status 200, the last page that its handler made. */
  readonly page?: Page | undefined;
  /** Why the gateway refused the call, or its own call failed; undefined otherwise. */
  readonly refusedBy?:
    | { readonly assumption: AssumptionId; readonly quota: RefusingQuota | null }
    | undefined;
  /** The id of the operation that was called; undefined if none matched. */
  readonly operation?: string | undefined;
  /** The kind of the fault that acted. If a delay and another fault acted, the kind of the other. */
  readonly faultKind?: string | undefined;
  /** The transport calls it once, when the reply was sent or lost. The reply that `LateReply.wait` returns has none. */
  readonly onSettled?: ((settlement: Settlement) => void) | undefined;
}

/** The records on a page. */
export interface Page {
  readonly ids: readonly string[];
  readonly has_more: boolean;
}

/** How a reply is delivered if it is not sent at once. Times are real, in milliseconds. */
export interface Delivery {
  /** How long to wait before the first byte. Default: 0. */
  readonly delay?: number | undefined;
  /** How long sending the body takes. Default: 0. */
  readonly dripOver?: number | undefined;
  /** `reset`: the connection is reset before anything is sent. `hang-up`: it ends half way through the body. */
  readonly breaks?: 'reset' | 'hang-up' | undefined;
}

/** A body that is produced while it is sent. */
export interface ReplyStream {
  /** Its pieces, none of which is empty. They can be read once. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** How many pieces there are, if that is known in advance. */
  readonly count?: number | undefined;
  /** How many bytes there are, if that is known in advance. */
  readonly size?: number | undefined;
}

/** A reply that takes time: it comes from another server, or from an asynchronous own call. */
export interface LateReply {
  /** Returns the reply. The transport calls it once, with a signal that aborts when the client leaves, or later when the reply was sent. */
  readonly wait: (signal: AbortSignal) => Promise<Reply>;
  /** The transport calls it once, when the reply was sent or lost, or if the client leaves before the reply arrives. */
  readonly onSettled: (settlement: Settlement) => void;
}

/**
 * What became of a reply, as its transport reports it. Over HTTP, bytes count as sent once the operating system has taken them
 * for an open connection. In process, a reply counts as sent once the caller has the response and its signal is not aborted. If
 * a fault cuts or slows the body, it counts as sent once the body was read.
 */
export interface Settlement {
  /** The status that was sent; null if none was. */
  readonly status: number | null;
  /** How many bytes of the body were sent. */
  readonly bytes: number;
  /**
   * `cut`: only a part of the body was sent. `lost`: nothing was sent, since a fault reset the connection or the client left. Over HTTP,
   * a body of up to 256 kB without a fault is one piece, which is sent or lost as a whole.
   */
  readonly outcome: 'sent' | 'cut' | 'lost';
}

/** A reply of which nothing was sent. */
export const lostReply: Settlement = { status: null, bytes: 0, outcome: 'lost' };

/** A reply that was sent or lost, as an event. */
export interface SettledCall extends Settlement {
  readonly call: Call;
  readonly reply: Reply;
  /** From the end of the request, in milliseconds. */
  readonly duration: number;
}
