// Replies that are delayed, sent in pieces, cut off, or forwarded from another server.
import type { ServerResponse } from 'node:http';
import {
  type Delivered,
  type Delivery,
  type Forwarding,
  halfOf,
  type Reply,
  toDrips,
} from '../protocol/call.ts';
import { noBody } from './body-bytes.ts';
import { catchBugs, catchLateBugs } from './safety-net.ts';

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

/** What became of a reply: it was sent, cut or lost. */
const toDelivered = (
  { headersSent, statusCode, writableFinished }: ServerResponse,
  bytes: number,
): Delivered =>
  headersSent
    ? { status: statusCode, bytes, outcome: writableFinished ? 'sent' : 'cut' }
    : { status: null, bytes: 0, outcome: 'lost' };

/** Sends a reply that a fault delays, slows down or breaks. It ends if the client disconnects. */
export const sendSlowly = (
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
export const sendForwarded = (
  response: ServerResponse,
  { forward, onSent }: Forwarding,
  method: string,
): void => {
  const aborting = new AbortController();
  let passed = 0;
  onceClosed(response, () => {
    aborting.abort();
    onSent(toDelivered(response, passed));
  });
  const pass = async (): Promise<void> => {
    if (aborting.signal.aborted) return;
    const { status, headers, body } = await forward(aborting.signal);
    if (aborting.signal.aborted) return;
    if (body === null || typeof body === 'string') {
      const bytes = Buffer.from(body ?? '');
      const all = body === null ? headers : { ...headers, 'content-length': bytes.byteLength };
      passed = method === 'HEAD' ? 0 : bytes.byteLength;
      response.writeHead(status, all).end(method === 'HEAD' ? undefined : bytes);
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
      response.destroy(); // the other server broke off
    }
  };
  catchLateBugs(response, pass());
};
