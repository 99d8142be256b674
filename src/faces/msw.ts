import type { RequestHandler } from 'msw';
import { http } from 'msw/core/http'; // not from 'msw', which brings GraphQL and takes twice as long to load
import { type Delivery, halfOf, maxBodySize, type RawCall, type Reply, toDrips } from '../protocol/call.ts';
import { toErrorBody } from '../protocol/errors.ts';
import { fromSession, versionPath } from '../protocol/paths.ts';
import { statusText } from '../protocol/status-text.ts';
import type { AnswerCall } from './answer.ts';
import type { Locate } from './base-url.ts';

/** How the handlers are put to use. */
export interface HandlerUse {
  /** Told of what looks like a call and is left to others. */
  readonly onMiss?: ((call: RawCall) => void) | undefined;
  /**
   * Takes a reply that cannot go out by way of MSW's middleware, because a fault acts on its connection. Without it,
   * the middleware's client gets a 502 that says so.
   */
  readonly takeOver?: ((reply: Reply) => void) | undefined;
}

/**
 * The MSW handler set. It is one handler with a pattern that takes any request and a router of our own behind it,
 * since MSW's patterns ignore letter case and a trailing slash, and throw on a broken percent-encoding.
 */
export const createHandlers = (
  answer: AnswerCall,
  locate: Locate,
  { onMiss, takeOver }: HandlerUse,
): RequestHandler[] => {
  const handler = http.all(/.*/, async ({ request }) => {
    const located = calls.get(request);
    if (located === undefined) return undefined;
    const { path, search, isOverHttp } = located;
    const body = await readBody(request).catch(() => 'broken' as const);
    const reply = answer(toCall(request, path, search, body));
    const { delivery } = reply;
    if (delivery === undefined) return toResponse(reply, request.method);
    if (!isOverHttp) return deliver(reply, delivery, request);
    if (takeOver !== undefined) {
      takeOver(reply);
      return undefined;
    }
    await wait(delivery.delay ?? 0, request.signal);
    delivery.onEnd?.();
    return delivery.breaks === undefined
      ? toResponse(reply, request.method)
      : refuseBreak(reply, request.method);
  });
  const run = handler.run.bind(handler);
  // What is no call of ours is no match: else MSW would not ask `onUnhandledRequest` about it.
  handler.run = async (args) => {
    const { request, resolutionContext } = args;
    const url = new URL(request.url);
    const path = locate(url, request.method);
    if (path === undefined) {
      const at = url.pathname.indexOf(`${versionPath}/`);
      if (onMiss !== undefined && at !== -1)
        onMiss(toCall(request, fromSession(url.pathname, at), url.search, new Uint8Array()));
      return null;
    }
    // A request that MSW's middleware made of one over HTTP names the server's origin; one in process names none.
    calls.set(request, { path, search: url.search, isOverHttp: resolutionContext?.baseUrl !== undefined });
    return run(args);
  };
  return [handler];
};

/** The requests that are calls, with what was found out about each. */
const calls = new WeakMap<
  Request,
  { readonly path: string; readonly search: string; readonly isOverHttp: boolean }
>();

const toCall = (request: Request, path: string, search: string, body: RawCall['body']): RawCall => ({
  method: request.method,
  path,
  query: search.slice(1),
  header: (name) => request.headers.get(name) ?? undefined,
  headers: () => Object.fromEntries(request.headers),
  body,
});

const readBody = async ({ body }: Request): Promise<RawCall['body']> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The web's stream is iterable in every runtime that MSW runs in, though not in TypeScript's DOM library.
  for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    // MSW has cloned the body, and a branch that is left half read holds up the other: what is too much is dropped.
    if (size > maxBodySize) chunks.length = 0;
    else chunks.push(chunk);
  }
  if (size > maxBodySize) return 'too-large';
  return joinChunks(chunks, size);
};

const joinChunks = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
};

const toResponse = (
  { status, headers, body, bytes = body === null ? undefined : encoder.encode(body) }: Reply,
  method: string,
  stream?: ReadableStream<Uint8Array>,
): Response => {
  const whole = bytes as Uint8Array<ArrayBuffer> | undefined; // an encoder's buffer is never shared
  return new Response(method === 'HEAD' ? null : (stream ?? whole ?? null), {
    status,
    statusText: statusText(status),
    headers: bytes === undefined ? headers : { ...headers, 'content-length': String(bytes.byteLength) },
  });
};

const encoder = new TextEncoder();

/** A reply that a fault makes late, slow or broken, as a user of `fetch` meets it. */
const deliver = async (reply: Reply, delivery: Delivery, request: Request): Promise<Response> => {
  const { delay = 0, dripOver = 0, breaks, onEnd = () => {} } = delivery;
  await wait(delay, request.signal);
  if (breaks === 'reset') {
    onEnd();
    return Response.error();
  }
  const bytes = encoder.encode(reply.body ?? '');
  if (bytes.byteLength === 0 || request.method === 'HEAD' || (breaks === undefined && dripOver === 0)) {
    onEnd();
    return toResponse(reply, request.method);
  }
  const { pieces, pause } = toDrips(breaks === undefined ? bytes : halfOf(bytes), dripOver);
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        await wait(pause, request.signal);
        if (request.signal.aborted) {
          controller.error(request.signal.reason); // as fetch does, whose answer this is
          onEnd();
          return;
        }
        const piece = pieces.shift();
        if (piece !== undefined) controller.enqueue(piece);
        else if (breaks === undefined) controller.close();
        else controller.error(new TypeError('terminated'));
        if (piece === undefined) onEnd();
      },
      cancel: onEnd,
    },
    // Each piece is made when it is asked for: an error drops what waits to be read.
    { highWaterMark: 0 },
  );
  return toResponse(reply, request.method, stream);
};

/** Waits in real time, or until the client gives up. */
const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (milliseconds === 0 || signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });

/** Where there is no connection to break, a client is told what would have happened. */
const refuseBreak = ({ headers }: Reply, method: string): Response => {
  const message = `The fault "${headers['x-mock-fault']}" acts on the connection, which MSW's middleware does not reach. Use startServer() or gateway.middleware() for it.`;
  const body = JSON.stringify(toErrorBody({ status: 502, message }));
  return toResponse(
    { status: 502, headers: { ...headers, 'content-type': 'application/json' }, body },
    method,
  );
};
