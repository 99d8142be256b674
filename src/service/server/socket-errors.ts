import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toErrorBody } from '../../core/protocol/errors.ts';
import { statusText } from '../../core/protocol/status-text.ts';

/** Replies to bytes that Node cannot parse as a request, by error code. */
const errors: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: 'The request line and headers are too large: the limit is 16 KB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
};

/** Answers invalid HTTP with an error in the same JSON form as all others. It reaches no world, so it has no request id. */
export const answerSocketErrors = (server: Server): void => {
  const lastReplies = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }, response) => lastReplies.set(socket, response));
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    // A reply that is being sent would be corrupted, so a connection that was used is only closed. But headers that are too large
    // begin a request, which comes after all replies.
    const isBetween = code === 'HPE_HEADER_OVERFLOW' && lastReplies.get(socket)?.writableFinished === true;
    if (!socket.writable || (socket.bytesWritten > 0 && !isBetween)) {
      socket.destroy();
      return;
    }
    const { status, message } = errors[code] ?? { status: 400, message: 'Invalid HTTP request.' };
    const body = JSON.stringify(toErrorBody({ status, message }));
    const head = [
      `HTTP/1.1 ${status} ${statusText(status)}`,
      'connection: close',
      `content-length: ${Buffer.byteLength(body)}`,
      'content-type: application/json',
      'x-mock-assumptions: error-body',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    // A half-open connection would delay the end of the server.
    socket.resume();
    setTimeout(() => socket.destroy(), 250).unref();
  });
};
