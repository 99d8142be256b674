import type { ServerResponse } from 'node:http';
import type { Assume } from './assumptions.ts';

/** A request from a transport, before it is parsed. */
export interface RawCall {
  readonly method: string;
  /** The percent-encoded path, from `/v1` or `/sessions/NAME/v1` on: `/v1/threads/thread_demo/runs`. */
  readonly path: string;
  /** The percent-encoded query without its question mark; `''` if there is none. */
  readonly query: string;
  /** Returns the value of a header, by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Returns all headers, by their lower-case names. */
  readonly headers: () => Readonly<Record<string, string | readonly string[] | undefined>>;
  /**
   * The bytes of the body; or `too-large` if there are more than `limits.body`, `tiny-chunks` if it arrives in too many
   * tiny chunks, or `broken` if it ended early. If a body parser in front of the gateway has read it: `too-deep` if it nests too
   * deeply to be written again, or `rounded` if a number may have lost digits.
   */
  readonly body: Uint8Array | 'too-large' | 'tiny-chunks' | 'broken' | 'too-deep' | 'rounded';
}

/** Joins the values of a header that was sent several times. */
export const joinValues = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value.join(', ') : value;

/** Joins the values of each header. */
export const flattenHeaders = (headers: ReturnType<RawCall['headers']>): Record<string, string> => {
  const flat: Record<string, string> = Object.create(null); // a header may have any name
  for (const name in headers) {
    const value = joinValues(headers[name]);
    if (value !== undefined) flat[name] = value;
  }
  return flat;
};

/** A request that was checked against the contract, as the handler of an operation gets it. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly assume: Assume;
}

/** What a transport sends back. The transport itself sets `content-length`, and leaves out the body for HEAD. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or whatever a fault put in its place; null if the reply has no body. */
  readonly body: string | null;
  /** The body in UTF-8, if it is cached: encoding a page takes longer than everything else (13 of 22 µs). */
  readonly bytes?: Uint8Array | undefined;
  /** How the reply is sent. If undefined, it is sent immediately. */
  readonly delivery?: Delivery | undefined;
  /** For metrics: the id of the operation that was called; undefined if none matched. */
  readonly operation?: string | undefined;
  /** For metrics: the kind of the fault that acted; with a delay and another one, that of the other. */
  readonly faultKind?: string | undefined;
}

/** How a fault slows a reply down, or breaks it off. Times are real, in milliseconds. */
export interface Delivery {
  /** How long to wait before the first byte. Default: 0. */
  readonly delay?: number | undefined;
  /** How long sending the body takes. Default: 0. */
  readonly dripOver?: number | undefined;
  /** `reset`: the connection is reset before anything is sent. `hang-up`: it ends half way through the body. */
  readonly breaks?: 'reset' | 'hang-up' | undefined;
  /** Set if another server answers the call. The status and the body of the reply are then ignored. */
  readonly passing?: Passing | undefined;
  /** Called with the head of another server's reply, or with an error in its place; null if the client leaves before. */
  readonly onHead?: ((head: Reply | null) => void) | undefined;
  /** Called when the last byte was sent, or the client has disconnected; for a call that was passed on, with the status that was sent. */
  readonly onEnd?: OnEnd | undefined;
}

/** @param passed for a call that was passed on: the status that was sent, or null if the client left before */
export type OnEnd = (passed?: number | null) => void;

/** Sends a call to another server, and its reply to the client, with the headers of this one in place of those of the same name. */
export type Passing = (response: ServerResponse, reply: Reply) => void;

/**
 * Calls back at once, or when a reply that a fault delays or breaks, or another server sends, has ended. Returns the reply to
 * send.
 *
 * @param done called with the status that was sent; null if there was no reply
 */
export const whenEnded = (reply: Reply, done: (status: number | null) => void): Reply => {
  const { delivery, status } = reply;
  if (delivery === undefined) {
    done(status);
    return reply;
  }
  const onEnd: OnEnd = (passed = delivery.breaks === 'reset' ? null : status) => {
    delivery.onEnd?.(passed);
    done(passed);
  };
  return { ...reply, delivery: { ...delivery, onEnd } };
};

/** The part of a body that arrives before a hang-up: its first half. */
export const halfOf = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, Math.floor(bytes.byteLength / 2));

/** The pieces in which a slow body is sent, and the pause before each, in milliseconds. */
export const toDrips = (
  bytes: Uint8Array,
  dripOver: number,
): { readonly pieces: Uint8Array[]; readonly pause: number } => {
  const count = Math.max(1, Math.min(bytes.byteLength, 20, Math.floor(dripOver / 10)));
  const at = (index: number): number => Math.floor((bytes.byteLength * index) / count);
  const pieces = Array.from({ length: count }, (_, index) => bytes.subarray(at(index), at(index + 1)));
  return { pieces, pause: dripOver / count };
};
