import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Delivery, halfOf, joinValues, type RawCall, type Reply, toDrips } from '../protocol/call.ts';
import { hasRounded, isDeeperThan, toJsonText } from '../util/json.ts';
import { limits } from '../util/limits.ts';
import type { AnswerCall } from './answer.ts';
import { locateMounted } from './base-url.ts';
import { BodyBytes, noBody } from './body-bytes.ts';
import { catchBugs } from './safety-net.ts';

/** A listener for Node's HTTP server, or a middleware for Express and Connect. With `next`, requests that are not for the gateway go on to the app. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/** A request whose body Express or another app may have read already. */
type MaybeParsed = IncomingMessage & { readonly body?: unknown };

/** The same, without the mount path in its URL. Express has the mount path, Connect the original URL. */
type MaybeMounted = MaybeParsed & { readonly baseUrl?: unknown; readonly originalUrl?: unknown };

/**
 * The direct route: from Node's request to `execute` and back, without Express or MSW. In a user's app, which passes
 * `next`, only the gateway's paths are answered.
 *
 * @param onUnanswered called with each request that was left to the app and got 404
 */
export const createListener =
  (answer: AnswerCall, onUnanswered?: (call: RawCall) => void): NodeListener =>
  (request, response, next) => {
    const mount = mountOf(request);
    const { path: rest, query } = splitTarget(request.url ?? '/');
    const path = locateMounted(mount, rest);
    if (next !== undefined && path === undefined) {
      response.once('finish', () =>
        catchBugs(response, () => {
          if (response.statusCode === 404) onUnanswered?.(toRawCall(request, mount + rest, query, noBody));
        }),
      );
      next();
      return;
    }
    readBody(request, response, (body) => {
      const call = toRawCall(request, path ?? rest, query, body);
      send(response, answer(call), call.method);
    });
  };

const mountOf = ({ url = '/', baseUrl, originalUrl }: MaybeMounted): string => {
  if (typeof baseUrl === 'string') return baseUrl;
  const isWhole = typeof originalUrl === 'string' && originalUrl.endsWith(url);
  return isWhole ? originalUrl.slice(0, -url.length) : ''; // otherwise the app has rewritten the URL
};

/** Converts a request of Node's HTTP server into a call. */
export const toRawCall = (
  request: IncomingMessage,
  path: string,
  query: string,
  body: RawCall['body'],
): RawCall => ({
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
export const splitTarget = (target: string): Pick<RawCall, 'path' | 'query'> => {
  const isAbsolute = !target.startsWith('/') && URL.canParse(target);
  const [own = ''] = (isAbsolute ? target.replace(/^[a-z]+:\/\/[^/?#]*\/?/i, '/') : target).split('#', 1);
  const mark = own.indexOf('?');
  return mark === -1 ? { path: own, query: '' } : { path: own.slice(0, mark), query: own.slice(mark + 1) };
};

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined =>
  Object.hasOwn(headers, name) ? joinValues(headers[name]) : undefined; // not `constructor`

/** How much of a too-large body is read and dropped, in bytes, so that the client can read the refusal. */
const maxDropped = 10 * limits.body;

/** Reads the body of a request, up to the limit, and goes on with it within the safety net. */
export const readBody = (
  request: MaybeParsed,
  response: ServerResponse,
  take: (body: RawCall['body']) => void,
): void => {
  const done = (read: () => RawCall['body']): void => catchBugs(response, () => take(read()));
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
const toBytes = (body: unknown): RawCall['body'] => {
  if (body instanceof Uint8Array) return body;
  if (typeof body === 'object' && body !== null) {
    if (isDeeperThan(body, limits.depth)) return 'too-deep'; // it would overflow the stack
    if (hasRounded(body)) return 'rounded';
  }
  return new TextEncoder().encode(
    typeof body === 'string' ? body : body === undefined ? '' : toJsonText(body),
  );
};

/** Sends a reply. */
export const send = (response: ServerResponse, reply: Reply, method: string): void => {
  if (reply.delivery !== undefined) {
    deliver(response, reply, reply.delivery, method);
    return;
  }
  const { status, headers, body, bytes } = reply;
  if (body === null) response.writeHead(status, headers).end();
  else sendWhole(response, status, headers, bytes ?? body, method);
};

/** A longer text is sent as bytes, which are outside the heap: until it is sent, it may fill the heap. In characters. */
const longText = 100_000;

/** Sends a body at once. */
export const sendWhole = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  given: string | Uint8Array,
  method = 'GET',
): void => {
  const body = typeof given === 'string' && given.length > longText ? Buffer.from(given) : given;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  // Object.assign, since a spread takes three times as long here (1 µs of the 50 for a page).
  response.writeHead(status, Object.assign({ 'content-length': length }, headers));
  response.end(method === 'HEAD' ? undefined : body);
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

/** Sends a reply that a fault delays, slows down or breaks. It ends if the client disconnects. */
const deliver = (
  response: ServerResponse,
  reply: Reply,
  { delay = 0, dripOver = 0, breaks, passing, onEnd }: Delivery,
  method: string,
): void => {
  if (passing !== undefined) {
    passing(response, reply);
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const after = (milliseconds: number, step: () => void): void => {
    timer = setTimeout(() => catchBugs(response, step), milliseconds);
  };
  onceClosed(response, () => {
    clearTimeout(timer);
    onEnd?.();
  });
  if (response.req.socket.destroyed) return;
  const bytes = Buffer.from(reply.body ?? '');
  const sendHead = (): ServerResponse =>
    response.writeHead(
      reply.status,
      reply.body === null ? reply.headers : { ...reply.headers, 'content-length': bytes.byteLength },
    );
  const begin = (): void => {
    const { socket } = response;
    // It gets the socket when the replies ahead of it have been sent.
    if (socket === null && !response.destroyed) response.once('socket', () => catchBugs(response, begin));
    else if (breaks === 'reset') socket?.resetAndDestroy();
    else if (method === 'HEAD' || bytes.byteLength === 0) sendHead().end();
    else if (breaks === 'hang-up') sendHead().write(halfOf(bytes), () => socket?.destroy());
    else {
      const { pieces, pause } = toDrips(bytes, dripOver);
      sendHead();
      const next = (): void => {
        response.write(pieces.shift());
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
