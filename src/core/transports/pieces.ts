// Replies that are sent in pieces: large ones, streams, and those that faults delay, slow down or cut.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Reply, ReplyStream } from '../protocol/call.ts';
import { halfOf, toDrips } from '../protocol/partial-body.ts';
import { onceClosed, type Progress } from './follow-reply.ts';
import { catchBugs, catchLateBugs } from './safety-net.ts';
import { toArrival } from './stream-arrival.ts';

/** The size above which a body is sent in pieces, in bytes. So we know how much of it was sent. */
const maxPiece = 256_000;

/** How many bytes the body of a reply has, if it is no stream. */
export const sizeOf = ({ body, bytes }: Reply): number => bytes?.byteLength ?? Buffer.byteLength(body ?? '');

/** Whether a reply is sent in pieces for its size. A character has at most three bytes, so short texts need no measuring. */
export const isLarge = (reply: Reply): boolean =>
  (reply.body?.length ?? 0) * 3 > maxPiece && sizeOf(reply) > maxPiece;

/** Sends a reply that is large or a stream, or that a fault delays, slows down or breaks. It ends if the client disconnects. */
export const sendInPieces = (
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

const toPieces = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.byteLength / maxPiece) }, (_, index) =>
    bytes.subarray(index * maxPiece, (index + 1) * maxPiece),
  );

/** Sends a stream piece by piece, as fast as the client reads it. If the client disconnects, no more pieces are asked for. */
const sendStream = async (
  response: ServerResponse,
  stream: ReplyStream,
  { delivery }: Reply,
  progress: Progress,
): Promise<void> => {
  const closed = new AbortController();
  let stopWaiting = (): void => {};
  onceClosed(response, () => {
    closed.abort();
    stopWaiting();
  });
  // The head goes ahead, since the first piece may come late. `flushHeaders` would write header values beyond ASCII as UTF-8.
  response.write(new Uint8Array());
  progress.hasHead = response.socket !== null; // it is assumed that the system takes it at once
  try {
    for await (const piece of toArrival(stream, delivery, closed.signal)) {
      if (closed.signal.aborted) return;
      await new Promise<void>((done) => {
        stopWaiting = done; // not a listener for each piece: Node warns of a leak from the eleventh on
        write(response, progress, piece, done);
      });
    }
    response.end();
  } catch {
    response.destroy(); // the source of the stream has failed, or a fault cuts it
  }
};

/** Writes a piece of the body. Calls back once the operating system has taken it. If the connection has closed, it never calls back. */
const write = (response: ServerResponse, progress: Progress, piece: Uint8Array, done: () => void): void => {
  progress.written += piece.byteLength;
  response.write(piece, (error) => {
    if (error) return;
    progress.taken += piece.byteLength;
    progress.hasHead = true;
    catchBugs(response, done);
  });
};
