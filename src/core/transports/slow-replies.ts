// Replies that are delayed, sent in pieces, or cut off.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { halfOf, lostReply, type Reply, type ReplyStream, toDrips } from '../protocol/call.ts';
import { catchBugs, catchLateBugs } from './safety-net.ts';
import { toArrival } from './stream-arrival.ts';

/** Calls back once, when a reply has been sent or its connection has closed. */
export const onceClosed = (response: ServerResponse, done: () => void): void => {
  const { socket: connection } = response.req;
  let isClosed = false;
  const close = (): void => {
    if (isClosed) return; // both events may come
    isClosed = true;
    connection.off('close', close);
    catchBugs(response, done);
  };
  if (connection.destroyed) {
    close();
    return;
  }
  response.once('close', close);
  // A reply that is queued behind another one on the same connection gets no event of its own.
  if (response.socket !== null) return;
  connection.setMaxListeners(0); // one for each pipelined call
  connection.once('close', close);
};

/** How far a reply has got. */
export interface Progress {
  /** How many bytes of its body were given to Node. */
  written: number;
  /** How many of them the operating system has taken. */
  taken: number;
  /** Whether the operating system has taken the head. */
  hasHead: boolean;
}

/** Follows a reply, and reports what became of it. Call this before its first byte is written. */
export const followReply = (response: ServerResponse, onSent: Reply['onSent']): Progress => {
  const progress: Progress = { written: 0, taken: 0, hasHead: false };
  let isFinished = false;
  // Not `writableFinished`, which is also true if the connection was destroyed before.
  response.once('finish', () => {
    isFinished = true;
  });
  onceClosed(response, () => {
    const { written, taken, hasHead } = progress;
    const { statusCode: status } = response;
    if (isFinished) onSent?.({ status, bytes: written, outcome: 'sent' });
    else onSent?.(hasHead ? { status, bytes: taken, outcome: 'cut' } : lostReply);
  });
  return progress;
};

/** Writes a piece of the body. Calls back once the operating system has taken it: never, if the connection has closed. */
const write = (response: ServerResponse, progress: Progress, piece: Uint8Array, done: () => void): void => {
  progress.written += piece.byteLength;
  response.write(piece, (error) => {
    if (error) return;
    progress.taken += piece.byteLength;
    progress.hasHead = true;
    catchBugs(response, done);
  });
};

/** The size above which a body is sent in pieces, so that it is known how much of it was sent. In bytes. */
export const maxPiece = 256_000;

const toPieces = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.byteLength / maxPiece) }, (_, index) =>
    bytes.subarray(index * maxPiece, (index + 1) * maxPiece),
  );

/** Sends a reply that is large or a stream, or that a fault delays, slows down or breaks. It ends if the client disconnects. */
export const sendSlowly = (
  response: ServerResponse,
  reply: Reply,
  headers: OutgoingHttpHeaders,
  progress: Progress,
  method: string,
): void => {
  const { status, body, stream, bytes = Buffer.from(body ?? ''), delivery = {} } = reply;
  const { delay = 0, dripOver = 0, breaks } = delivery;
  let timer: NodeJS.Timeout | undefined;
  const after = (milliseconds: number, step: () => void): void => {
    if (milliseconds === 0) step();
    else timer = setTimeout(() => catchBugs(response, step), milliseconds);
  };
  onceClosed(response, () => clearTimeout(timer));
  if (response.req.socket.destroyed) return;
  const sendHead = (): ServerResponse =>
    response.writeHead(status, body === null ? headers : { ...headers, 'content-length': bytes.byteLength });
  const begin = (): void => {
    const { socket } = response;
    // It gets the socket when the replies ahead of it have been sent.
    if (socket === null && !response.destroyed) response.once('socket', () => catchBugs(response, begin));
    else if (breaks === 'reset') socket?.resetAndDestroy();
    else if (method === 'HEAD') sendHead().end();
    else if (stream !== undefined) {
      sendHead();
      catchLateBugs(response, sendStream(response, stream, reply, progress));
    } else if (bytes.byteLength === 0) sendHead().end();
    else if (breaks === 'hang-up') {
      sendHead();
      write(response, progress, halfOf(bytes), () => socket?.destroy());
    } else {
      const { pieces, pause } =
        dripOver > 0 ? toDrips(bytes, dripOver) : { pieces: toPieces(bytes), pause: 0 };
      sendHead();
      const next = (): void => {
        const [piece] = pieces.splice(0, 1);
        if (piece === undefined) response.end();
        else write(response, progress, piece, () => after(pieces.length === 0 ? 0 : pause, next));
      };
      after(pause, next);
    }
  };
  after(delay, begin);
};

/** Sends a stream piece by piece, as fast as the client reads it. If the client disconnects, no more pieces are asked for. */
const sendStream = async (
  response: ServerResponse,
  stream: ReplyStream,
  { delivery }: Reply,
  progress: Progress,
): Promise<void> => {
  const leaving = new AbortController();
  onceClosed(response, () => leaving.abort());
  // The head goes ahead, since the first piece may come late. `flushHeaders` would write header values beyond ASCII as UTF-8.
  response.write(new Uint8Array());
  progress.hasHead = response.socket !== null;
  try {
    for await (const piece of toArrival(stream, delivery, leaving.signal)) {
      if (leaving.signal.aborted) return;
      await new Promise<void>((done) => {
        leaving.signal.addEventListener('abort', () => done(), { once: true });
        write(response, progress, piece, done);
      });
    }
    response.end();
  } catch {
    response.destroy(); // what makes the stream has failed, or a fault breaks it off
  }
};
