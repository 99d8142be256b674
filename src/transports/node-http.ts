import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import {
  type Answer,
  type Call,
  type Delivered,
  type Delivery,
  halfOf,
  joinValues,
  type Reply,
  toDrips,
} from '../protocol/call.ts';
import { hasRounded, toJsonText } from '../util/json.ts';
import { limits } from '../util/limits.ts';
import { locateMounted } from './base-url.ts';
import { BodyBytes, noBody } from './body-bytes.ts';
import { catchBugs, catchLateBugs } from './safety-net.ts';

/** A listener for Node's HTTP server, or a middleware for Express and Connect. With `next`, requests that are not for the gateway are passed to the app. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/** A request whose body Express or another app may have read already. */
type MaybeParsed = IncomingMessage & { readonly body?: unknown };

/** The same, without the mount path in its URL. Express has the mount path, Connect the original URL. */
type MaybeMounted = MaybeParsed & { readonly baseUrl?: unknown; readonly originalUrl?: unknown };

/**
 * The direct route: from Node's request to the gateway's reply, without Express or MSW. In a user's app, which passes
 * `next`, only the gateway's paths are answered.
 *
 * @param onUnanswered called with each request that was left to the app and got 404
 */
export const createListener =
  (answer: Answer, onUnanswered?: (call: Call) => void): NodeListener =>
  (request, response, next) => {
    const mount = mountOf(request);
    const { path: rest, query } = splitTarget(request.url ?? '/');
    const path = locateMounted(mount, rest);
    if (next !== undefined && path === undefined) {
      response.once('finish', () =>
        catchBugs(response, () => {
          if (response.statusCode === 404) onUnanswered?.(toCall(request, mount + rest, query, noBody));
        }),
      );
      next();
      return;
    }
    readBody(request, response, (body) => {
      const call = toCall(request, path ?? rest, query, body);
      send(response, answer(call), call.method);
    });
  };

const mountOf = ({ url = '/', baseUrl, originalUrl }: MaybeMounted): string => {
  if (typeof baseUrl === 'string') return baseUrl;
  const isWhole = typeof originalUrl === 'string' && originalUrl.endsWith(url);
  return isWhole ? originalUrl.slice(0, -url.length) : ''; // otherwise the app has rewritten the URL
};

/** Converts a request of Node's HTTP server into a call. */
export const toCall = (request: IncomingMessage, path: string, query: string, body: Call['body']): Call => ({
  method: request.method ?? 'GET',
  path,
  query,
  header: (name) => headerOf(request, name),
  headers: () => request.headers,
  body,
});

/**
 * Splits a request target into path and query. The path stays as it was sent: if `..` led out of `/v1`, a proxy that passes
 * only `/v1/` would not protect the admin API.
 */
export const splitTarget = (target: string): Pick<Call, 'path' | 'query'> => {
  const isAbsolute = !target.startsWith('/') && URL.canParse(target);
  const [own = ''] = (isAbsolute ? target.replace(/^[a-z]+:\/\/[^/?#]*\/?/i, '/') : target).split('#', 1);
  const mark = own.indexOf('?');
  return mark === -1 ? { path: own, query: '' } : { path: own.slice(0, mark), query: own.slice(mark + 1) };
};

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined =>
  Object.hasOwn(headers, name) ? joinValues(headers[name]) : undefined; // not `constructor`

/** How much of a too-large body is read and dropped, in bytes, so that the client can read the refusal. */
const maxDropped = 10 * limits.body;

/** Reads the body of a request, up to the limit, and continues with it within the safety net. */
export const readBody = (
  request: MaybeParsed,
  response: ServerResponse,
  take: (body: Call['body']) => void,
): void => {
  const done = (read: () => Call['body']): void => catchBugs(response, () => take(read()));
  if (!hasBody(request)) {
    done(() => noBody);
    return;
  }
  if (request.readableEnded) {
    done(() => toBytes(request.body));
    return;
  }
  const body = new BodyBytes();
  request.on('data', (chunk: Buffer) => {
    body.add(chunk);
    if (body.size > maxDropped) request.destroy();
  });
  request.on('end', () => done(() => body.end()));
  request.on('error', () => {}); // the client has disconnected
};

/** Whether a request has a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** The bytes of a body that was parsed before: the original text, or the JSON of the parsed value. */
const toBytes = (body: unknown): Call['body'] => {
  if (body instanceof Uint8Array) return body;
  if (typeof body !== 'object' || body === null) return Buffer.from(String(body ?? ''));
  const text = toJsonText(body); // it throws if the body contains itself
  return hasRounded(body) ? 'rounded' : Buffer.from(text);
};

/** Sends a reply, and reports when it has been sent or lost. */
export const send = (response: ServerResponse, reply: Reply, method: string): void => {
  const { status, headers, body, bytes = body, delivery, onSent } = reply;
  if (delivery?.forward !== undefined) sendForwarded(response, reply, delivery.forward, method);
  else if (delivery !== undefined) sendSlowly(response, reply, delivery, method);
  else {
    const sent = sendWhole(response, status, headers, bytes, method);
    onSent?.({ status, bytes: sent, outcome: 'sent' });
  }
};

/** A longer text is sent as bytes, which are outside the heap: until it is sent, it may fill the heap. In characters. */
const longText = 100_000;

/** Sends a body at once. Returns how many bytes it has. */
export const sendWhole = (
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  given: string | Uint8Array | null,
  method = 'GET',
): number => {
  if (given === null) {
    response.writeHead(status, headers).end();
    return 0;
  }
  const body = typeof given === 'string' && given.length > longText ? Buffer.from(given) : given;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  // Object.assign, since a spread takes three times as long here (1 µs of the 50 for a page).
  response.writeHead(status, Object.assign({ 'content-length': length }, headers));
  if (method === 'HEAD') {
    response.end();
    return 0;
  }
  response.end(body);
  return length;
};

/**
 * Calls back once, when a reply has been sent or its connection has closed. A reply that is queued behind another one on
 * the same connection gets no event of its own.
 */
export const onceClosed = (response: ServerResponse, done: () => void): void => {
  const { socket: connection } = response.req;
  connection.setMaxListeners(0); // one for each pipelined call
  let isClosed = false;
  const close = (): void => {
    if (isClosed) return; // both events may come
    isClosed = true;
    connection.off('close', close);
    catchBugs(response, done);
  };
  response.once('close', close);
  connection.once('close', close);
  if (connection.destroyed) close();
};

/** What became of a reply whose connection has closed, or that was sent. */
const toDelivered = (
  { headersSent, statusCode, writableFinished }: ServerResponse,
  bytes: number,
): Delivered =>
  headersSent
    ? { status: statusCode, bytes, outcome: writableFinished ? 'sent' : 'cut' }
    : { status: null, bytes: 0, outcome: 'lost' };

/** Sends a reply that a fault delays, slows down or breaks. It ends if the client disconnects. */
const sendSlowly = (
  response: ServerResponse,
  { status, headers, body, onSent }: Reply,
  { delay = 0, dripOver = 0, breaks }: Delivery,
  method: string,
): void => {
  let timer: NodeJS.Timeout | undefined;
  const after = (milliseconds: number, step: () => void): void => {
    timer = setTimeout(() => catchBugs(response, step), milliseconds);
  };
  let written = 0;
  const write = (bytes: Uint8Array, done?: () => void): void => {
    written += bytes.byteLength;
    response.write(bytes, done);
  };
  onceClosed(response, () => {
    clearTimeout(timer);
    onSent?.(toDelivered(response, written));
  });
  if (response.req.socket.destroyed) return;
  const bytes = Buffer.from(body ?? '');
  const sendHead = (): ServerResponse =>
    response.writeHead(status, body === null ? headers : { ...headers, 'content-length': bytes.byteLength });
  const begin = (): void => {
    const { socket } = response;
    // It gets the socket when the replies ahead of it have been sent.
    if (socket === null && !response.destroyed) response.once('socket', () => catchBugs(response, begin));
    else if (breaks === 'reset') socket?.resetAndDestroy();
    else if (method === 'HEAD' || bytes.byteLength === 0) sendHead().end();
    else if (breaks === 'hang-up') {
      sendHead();
      write(halfOf(bytes), () => socket?.destroy());
    } else {
      const { pieces, pause } = toDrips(bytes, dripOver);
      sendHead();
      const next = (): void => {
        write(pieces.shift() ?? noBody);
        if (pieces.length === 0) response.end();
        else after(pause, next);
      };
      if (dripOver > 0) after(pause, next);
      else next();
    }
  };
  if (delay > 0) after(delay, begin);
  else begin();
};

/** Sends the reply of another server. If the client disconnects, the call to that server is ended. */
const sendForwarded = (
  response: ServerResponse,
  { onSent }: Reply,
  forward: NonNullable<Delivery['forward']>,
  method: string,
): void => {
  const aborting = new AbortController();
  let passed = 0;
  onceClosed(response, () => {
    aborting.abort();
    onSent?.(toDelivered(response, passed));
  });
  const pass = async (): Promise<void> => {
    if (aborting.signal.aborted) return;
    const { status, headers, body } = await forward(aborting.signal);
    if (aborting.signal.aborted) return;
    if (body === null || typeof body === 'string') {
      passed = sendWhole(response, status, headers, body, method);
      return;
    }
    response.writeHead(status, headers).flushHeaders(); // the first event of a stream may come late
    try {
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        passed += chunk.byteLength;
        await new Promise((done) => response.write(chunk, done)); // the other server waits for a slow client
      }
      response.end();
    } catch {
      response.destroy(); // it broke off
    }
  };
  catchLateBugs(response, pass());
};
