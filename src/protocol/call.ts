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
  /** The bytes of the body, unless they are more than {@link maxBodySize} or stopped half way. */
  readonly body: Uint8Array | 'too-large' | 'broken';
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
  /** In alphabetical order, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; null where the reply has no body at all. */
  readonly body: string | null;
}
