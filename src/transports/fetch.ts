// Converts between the gateway's calls and replies and the standard `Request` and `Response`, which MSW's handlers use.
import { type Delivery, halfOf, type RawCall, type Reply, toDrips } from '../protocol/call.ts';
import { fromSession, versionPath } from '../protocol/paths.ts';
import { statusText } from '../protocol/status-text.ts';
import { wait } from '../util/wait.ts';
import type { AnswerCall } from './answer.ts';
import type { Locate } from './base-url.ts';
import { BodyBytes } from './body-bytes.ts';
import { CopyableBody } from './copyable-body.ts';

/** Calls the gateway as the standard `fetch` calls a server. */
export type FetchGateway = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Creates a `fetch` that the gateway answers. What is not for it is answered by 404, since there is nobody to pass it on to. */
export const createFetch =
  (answer: AnswerCall, locate: Locate): FetchGateway =>
  async (input, init) => {
    const request =
      input instanceof Request && !isPlain(init) ? new Request(input) : new Request(input, init);
    request.signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const path = locate(new URL(request.url), request.method)?.path ?? pathFromVersion(pathname);
    const reply = answer(toCall(request, path, search, await readBody(request)));
    const response = await deliver(reply, reply.delivery ?? {}, request);
    request.signal.throwIfAborted();
    if (response.type === 'error') throw new TypeError('fetch failed'); // as for a connection that was reset
    return response;
  };

/** Whether it is an object as a caller writes it. A server that calls `fetch(request, …)` may pass itself second: Bun's does. */
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
export const toCall = (request: Request, path: string, search: string, body: RawCall['body']): RawCall => ({
  method: request.method,
  path,
  query: search.slice(1),
  header: (name) => request.headers.get(name) ?? undefined,
  headers: () => Object.fromEntries(request.headers),
  body,
});

/** Reads the body of a request, up to the limit. */
export const readBody = async ({ body }: Request): Promise<RawCall['body']> => {
  const collected = new BodyBytes();
  try {
    // Web streams are iterable in all runtimes that MSW supports, but not in TypeScript's DOM library. It is read to the end:
    // MSW has cloned the body, and a branch that is not read blocks the other.
    for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) collected.add(chunk);
  } catch {
    return 'broken';
  }
  return collected.end();
};

/** Converts a reply into a standard response that is sent immediately. */
export const toResponse = (
  { status, headers, body, bytes = body === null ? undefined : encoder.encode(body) }: Reply,
  method: string,
  stream = bytes && (() => new CopyableBody(bytes.byteLength === 0 ? [] : [bytes])),
): Response =>
  new Response(method === 'HEAD' ? null : (stream?.() ?? null), {
    status,
    statusText: statusText(status),
    headers: bytes === undefined ? headers : { ...headers, 'content-length': String(bytes.byteLength) },
  });

const encoder = new TextEncoder();

/** Converts a reply that a fault delays, slows down or breaks, as a caller of `fetch` sees it. */
export const deliver = async (reply: Reply, delivery: Delivery, request: Request): Promise<Response> => {
  const { delay = 0, dripOver = 0, breaks, onEnd = () => {} } = delivery;
  const { method } = request;
  await wait(delay, request);
  if (breaks === 'reset') {
    onEnd();
    return Response.error();
  }
  const bytes = encoder.encode(reply.body ?? '');
  if (bytes.byteLength === 0 || method === 'HEAD' || (breaks === undefined && dripOver === 0)) {
    onEnd();
    return toResponse(reply, method);
  }
  const { pieces, pause } = toDrips(breaks === undefined ? bytes : halfOf(bytes), dripOver);
  const beforeEach = async (): Promise<void> => {
    await wait(pause, request);
    if (request.signal.aborted) throw request.signal.reason; // as fetch does
  };
  const error = breaks === undefined ? undefined : new TypeError('terminated');
  return toResponse(reply, method, () => new CopyableBody(pieces, { beforeEach, error, onEnd }));
};
