import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Sessions } from '../control/sessions.ts';
import { toErrorBody } from '../protocol/errors.ts';
import { defaultSession } from '../protocol/session-name.ts';
import { statusText } from '../protocol/status-text.ts';
import { reportBug } from '../util/bug.ts';

/** Replies to bytes that Node cannot parse as a request, by error code. */
const errors: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: 'The request line and headers are too large: the limit is 16 KB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
};

/** Answers invalid requests with the same JSON error as all others. */
export const answerSocketErrors = (server: Server, sessions: Pick<Sessions, 'open'>): void => {
  /** The last response of each connection. */
  const last = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    last.set(request.socket, response);
  });
  const refuse = (socket: Duplex, status: number, message: string): void => {
    // A reply that is being sent would be corrupted, so the connection is only closed.
    if (!socket.writable || isBeingSent(last.get(socket))) {
      socket.destroy();
      return;
    }
    try {
      sendRefusal(socket, status, message, sessions);
    } catch (error) {
      reportBug(error);
      socket.destroy();
    }
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const { status, message } = errors[error.code ?? ''] ?? {
      status: 400,
      message: 'Invalid HTTP request.',
    };
    refuse(socket, status, message);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    refuse(
      socket,
      405,
      `CONNECT ${request.url?.slice(0, 200)} is not supported: this server is not a proxy.`,
    );
  });
  server.on('checkExpectation', (request: IncomingMessage) => {
    refuse(request.socket, 417, 'The only supported expectation is 100-continue.');
  });
};

/** Whether a response, or another one ahead of it on the same connection, has begun and not ended. */
const isBeingSent = (response: ServerResponse | undefined): boolean =>
  response !== undefined && !response.writableFinished && (response.headersSent || response.socket === null);

const sendRefusal = (
  socket: Duplex,
  status: number,
  message: string,
  sessions: Pick<Sessions, 'open'>,
): void => {
  const { world } = sessions.open(defaultSession).session.state;
  const { mark, marks } = world.assumptions.forAnswer();
  mark('http-syntax');
  mark('error-body');
  const requestId = world.nextRequestId();
  const body = JSON.stringify(toErrorBody({ status, message }));
  const head = [
    `HTTP/1.1 ${status} ${statusText(status)}`,
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
    'content-type: application/json',
    ...(status === 405 ? ['allow: GET, HEAD, POST, OPTIONS'] : []),
    `x-gateway-trace-id: ${requestId.replace('req_', 'trace_')}`,
    `x-mock-assumptions: ${marks.join(', ')}`,
    `x-request-id: ${requestId}`,
  ];
  socket.on('error', () => {}); // the client may have disconnected
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A half-open connection would delay the end of the server.
  socket.resume();
  setTimeout(() => socket.destroy(), 250).unref();
};
