// Converts between the gateway's calls and replies and the standard `Request` and `Response`, which MSW's handlers use.
import { type Answer, type Call, type LateReply, lostReply, type Reply } from '../protocol/call.ts';
import { halfOf, toDrips } from '../protocol/partial-body.ts';
import { fromSession, versionPath } from '../protocol/paths.ts';
import { statusText } from '../protocol/status-text.ts';
import { wait } from '../util/wait.ts';
import type { Locate } from './base-url.ts';
import { BodyBytes } from './body-bytes.ts';
import { CopyableBody, type Pieces } from './copyable-body.ts';
import { toArrival } from './stream-arrival.ts';

/** Calls the gateway as the standard `fetch` calls a server. */
export type FetchGateway = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Creates a `fetch` that the gateway answers. Requests that are not for it get 404, since nothing else could answer them. */
export const createFetch =
  (answer: Answer, locate: Locate): FetchGateway =>
  async (input, init) => {
    const request =
      input instanceof Request && !isPlain(init) ? new Request(input) : new Request(input, init);
    request.signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const path = locate(new URL(request.url), request.method)?.path ?? pathFromVersion(pathname);
    const answered = answer(requestToCall(request, path, search, await readRequestBody(request)));
    const reply = await waitForReply(answered, request);
    await waitForDelay(reply, request);
    const response = deliver(reply, request);
    request.signal.throwIfAborted();
    if (response.type === 'error') throw new TypeError('fetch failed'); // as for a connection that was reset
    return withUrl(response, request.url.replace(/#.*$/s, '')); // like fetch, without the fragment
  };

/** Sets the URL of a response and of its clones, which its constructor cannot. */
const withUrl = (response: Response, url: string): Response =>
  Object.defineProperties(response, {
    url: { value: url },
    clone: { value: () => withUrl(Response.prototype.clone.call(response), url) },
  });

/** Whether it is a plain object. A server that calls `fetch(request, …)` may pass itself as the second argument: Bun's does. */
const isPlain = (init: object | undefined): boolean => {
  const prototype: unknown = Object.getPrototypeOf(init ?? {});
  return prototype === null || Object.getPrototypeOf(prototype) === null; // also a plain object of another realm
};

/** A path from its session or `/v1` on; the whole path if it has no `/v1`. */
const pathFromVersion = (pathname: string): string => {
  const at = pathname.indexOf(`${versionPath}/`);
  return at === -1 ? pathname : fromSession(pathname, at);
};

/** Converts a standard request into a call. @param path from `/v1` or `/sessions/NAME/v1` on */
export const requestToCall = (request: Request, path: string, search: string, body: Call['body']): Call => ({
  method: request.method,
  path,
  query: search.slice(1),
  header: (name) => request.headers.get(name) ?? undefined,
  headers: () => Object.fromEntries(request.headers),
  body,
});

/** Reads the body of a request, up to the limit. */
export const readRequestBody = async ({ body }: Request): Promise<Call['body']> => {
  const collected = new BodyBytes();
  try {
    // Web streams are iterable in all runtimes that MSW supports, but not in TypeScript's DOM library. The body is read to its
    // end: MSW has cloned it, and a branch that is not read blocks the other.
    for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) collected.add(chunk);
  } catch {
    return 'broken';
  }
  return collected.end();
};

/** Waits for a late reply. If the caller aborts before it arrives, nothing of it is sent. */
export const waitForReply = (reply: Reply | LateReply, { signal }: Request): Reply | Promise<Reply> => {
  if (!('wait' in reply)) return reply;
  const aborted = new Promise<Reply>((resolve) => {
    signal.addEventListener('abort', () => resolve({ status: 0, headers: {}, body: null }));
  });
  const { onSettled } = reply;
  return Promise.race([reply.wait(signal), aborted]).then((arrived) => ({ ...arrived, onSettled }));
};

/** Waits as long as a fault delays a reply, or until the caller aborts. */
export const waitForDelay = async ({ delivery }: Reply, request: Request): Promise<void> => {
  if (delivery?.delay !== undefined) await wait(delivery.delay, request);
};

/**
 * Converts a reply into a standard response, as a caller of `fetch` sees it. Reports it as sent, since the caller gets it at
 * once, and as lost if the caller has aborted. If a fault slows down or breaks the body, it reports what was read.
 */
export const deliver = (reply: Reply, request: Request): Response => {
  const { status, cookies = [], delivery, stream, onSettled } = reply;
  const { dripOver = 0, breaks } = delivery ?? {};
  if (breaks === 'reset' || request.signal.aborted) {
    onSettled?.(lostReply);
    return Response.error();
  }
  const bytes = reply.bytes ?? (reply.body === null ? undefined : encoder.encode(reply.body));
  const headers = new Headers(reply.headers);
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  if (bytes !== undefined) headers.set('content-length', String(bytes.byteLength));
  const toResponse = (body: CopyableBody | null): Response =>
    new Response(body, { status, statusText: statusText(status), headers });
  const isEmpty = stream === undefined && (bytes === undefined || bytes.byteLength === 0);
  if (isEmpty || request.method === 'HEAD') {
    onSettled?.({ status, bytes: 0, outcome: 'sent' });
    return toResponse(bytes === undefined || request.method === 'HEAD' ? null : new CopyableBody([]));
  }
  if (bytes !== undefined && breaks === undefined && dripOver === 0) {
    onSettled?.({ status, bytes: bytes.byteLength, outcome: 'sent' });
    return toResponse(new CopyableBody([bytes]));
  }
  // MSW copies the body: the bytes read from any copy count, and the first copy to end ends it.
  let mostRead = 0;
  let isReported = false;
  const onRead = (read: number): void => {
    mostRead = Math.max(mostRead, read);
  };
  const onEnd = (isRead: boolean): void => {
    const outcome = isRead || mostRead === bytes?.byteLength ? 'sent' : 'cut';
    if (!isReported) onSettled?.({ status, bytes: mostRead, outcome });
    isReported = true;
  };
  const { signal } = request;
  if (stream !== undefined) {
    // As over HTTP: without it, MSW 3 takes the connection's end for the body's, also if the stream has broken off.
    headers.set('transfer-encoding', 'chunked');
    const arrival = toArrival(stream, delivery, signal);
    signal.addEventListener('abort', () => void arrival.return(undefined).catch(() => {})); // closes the source
    return toResponse(new CopyableBody(sharePieces(arrival), { onRead, onEnd, signal }));
  }
  const encodedBody = bytes ?? new Uint8Array();
  const { pieces, pause } = toDrips(breaks === undefined ? encodedBody : halfOf(encodedBody), dripOver);
  const beforeEach = async (): Promise<void> => {
    if (pause > 0) await wait(pause, request);
    if (signal.aborted) throw signal.reason; // as fetch does
  };
  const error = breaks === undefined ? undefined : new TypeError('terminated');
  return toResponse(new CopyableBody(pieces, { beforeEach, error, onRead, onEnd, signal }));
};

/** Makes the pieces of a stream once, for all copies of a body. */
const sharePieces = (stream: AsyncGenerator<Uint8Array>): Pieces => {
  const pieces: Promise<Uint8Array | undefined>[] = [];
  return {
    length: Number.POSITIVE_INFINITY, // it is not known
    at: (index) => {
      pieces[index] ??= stream.next().then(({ value, done }) => (done ? undefined : value));
      return pieces[index];
    },
  };
};

const encoder = new TextEncoder();
