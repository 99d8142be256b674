import type { Page, Settlement } from '../protocol/call.ts';
import type { RefusingQuota } from '../protocol/errors.ts';
import { truncate } from '../util/truncate.ts';

/**
 * A request of the journal, with its reply. Its credentials are masked. In JSON, it is plain data. In the journal, `outcome`, `status`, `bytes`,
 * `reply`, `page` and `duration` change until the reply has settled.
 */
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
  /** The query parameters, decoded; a repeated parameter is a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** The request headers, by lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; null if there was none. Beyond 256 kB it is cut, and ends in a note that says so. */
  readonly body: string | null;
  /**
   * What became of the reply: `pending` until it was `sent`; `cut` if only a part was sent, `lost` if nothing was, since the
   * client left or a fault reset the connection. Null if the request was left to other handlers.
   */
  readonly outcome: Settlement['outcome'] | 'pending' | null;
  /** The status that was sent; null if none was, or not yet. */
  readonly status: number | null;
  /** How many bytes of the reply's body were sent. */
  readonly bytes: number;
  /**
   * The headers and the body of the reply, cut like that of the request; null if nothing was sent. A body that was cut on its
   * way ends there, in a note that says so. The body of another server's reply (`upstream`) is not kept.
   */
  readonly reply: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null } | null;
  /** The lines of the faults that acted on it. */
  readonly faults: readonly string[];
  /** The faults that applied to it but could not act, with the reason. */
  readonly idleFaults: readonly { readonly fault: string; readonly reason: string }[];
  /** The ids of the assumptions that the reply depends on. */
  readonly assumptions: readonly string[];
  /** Why the gateway itself refused it, or its own call failed; null otherwise. */
  readonly refusal: {
    /** The id of the assumption that the refusal depends on, such as `unknown-thread`. */
    readonly assumption: string;
    /** The policy whose limit the call would exceed; null if it was refused for another reason. */
    readonly quota: RefusingQuota | null;
  } | null;
  /** The ids of the records on the page, in order; null if the reply was not a page, or was not wholly sent. */
  readonly page: Page | null;
  /** For an unmatched request, the nearest operation and the difference; otherwise null. */
  readonly nearest: string | null;
  /** The base URL of the server that it was forwarded to (`upstream`); null if it was not. */
  readonly upstream: string | null;
  /** The time from the end of the request to the end of the reply, in real milliseconds; null while it is pending. */
  readonly duration: number | null;
}

type TraceName =
  | 'operation'
  | 'params'
  | 'faults'
  | 'idleFaults'
  | 'page'
  | 'nearest'
  | 'upstream'
  | 'refusal';

/** The fields of a request that tell how its reply came about, as far as they have values. */
export type Trace = {
  readonly [Name in TraceName]?: NonNullable<RecordedRequest[Name]> | undefined;
};

/** A copy for users, who may change it. */
export const copyRequest = (request: RecordedRequest, hasBodies = true): RecordedRequest => {
  const { reply } = request;
  // The texts of bodies are shared, since they may be long.
  return {
    ...structuredClone({ ...request, body: null, reply: null }),
    body: hasBodies ? request.body : null,
    reply: reply && { headers: { ...reply.headers }, body: hasBodies ? reply.body : null },
  };
};

/** A request in a message: its method, path, query, status, and what became of its reply if it was not sent. */
export const describeRequest = ({ method, path, query, status, outcome }: RecordedRequest): string => {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value]),
  );
  const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
  const words = [status, outcome === 'sent' ? null : (outcome ?? 'unhandled')];
  return [method, truncate(path + search), ...words.filter((word) => word !== null)].join(' ');
};
