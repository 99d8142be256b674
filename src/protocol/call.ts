import type { Assume } from './assumptions.ts';

/** One request as a face hands it over, before anything of it is understood. */
export interface RawCall {
  readonly method: string;
  /** The path, still percent-encoded, from `/v1` or `/sessions/NAME/v1` on: `/v1/threads/thread_demo/runs`. */
  readonly path: string;
  /** The query without its question mark, still percent-encoded; empty where there is none. */
  readonly query: string;
  /** The value of one header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** All headers by their lower-case names, for whoever keeps them. */
  readonly headers: () => Readonly<Record<string, string | readonly string[] | undefined>>;
  /**
   * The bytes of the body, unless they are more than {@link maxBodySize} or stopped half way, or a parser ahead of us has
   * read them and left a number that may have lost digits.
   */
  readonly body: Uint8Array | 'too-large' | 'broken' | 'rounded';
}

/** The largest body that is read, in bytes. */
export const maxBodySize = 10_000_000;

/** One request that the contract's check has passed: what the handler of an operation gets. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly assume: Assume;
}

/** What a face sends back. `content-length`, and leaving the body out for HEAD, is the face's affair. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, unless a fault put something else there; null where the reply has no body at all. */
  readonly body: string | null;
  /** The same in UTF-8, where it is kept at hand: encoding a page takes longer than all the rest (13 of 22 µs). */
  readonly bytes?: Uint8Array | undefined;
  /** How it goes out; absent where that is at once and whole. */
  readonly delivery?: Delivery | undefined;
}

/** How a reply goes out where a fault makes it slow, or keeps it from arriving. Times are real, in milliseconds. */
export interface Delivery {
  /** Waited before the first byte. Default: 0. */
  readonly delay?: number | undefined;
  /** Over how long the body is spread. Default: 0. */
  readonly dripOver?: number | undefined;
  /** `reset`: the connection is reset and nothing is sent. `hang-up`: it ends half way through the body. */
  readonly breaks?: 'reset' | 'hang-up' | undefined;
  /** To be told when the last byte has gone, or the client has. */
  readonly onEnd?: (() => void) | undefined;
}

/** What of a body arrives before a hang-up: its first half. */
export const halfOf = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, Math.floor(bytes.byteLength / 2));

/** The pieces that a slow body goes out in, and the milliseconds ahead of each. */
export const toDrips = (
  bytes: Uint8Array,
  dripOver: number,
): { readonly pieces: Uint8Array[]; readonly pause: number } => {
  const count = Math.max(1, Math.min(bytes.byteLength, 20, Math.floor(dripOver / 10)));
  const at = (index: number): number => Math.floor((bytes.byteLength * index) / count);
  const pieces = Array.from({ length: count }, (_, index) => bytes.subarray(at(index), at(index + 1)));
  return { pieces, pause: dripOver / count };
};
