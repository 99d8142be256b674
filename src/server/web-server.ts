// The server that listens: HTTP, or HTTPS with HTTP/2 for clients that ask for it (ALPN).
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerOptions as NodeOptions,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Http2ServerRequest, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { hasBody, type NodeListener } from '../transports/node-http.ts';
import { answerInTurn } from './in-turn.ts';
import type { TlsPair } from './tls-pair.ts';

/** A server, and how to end its connections. */
export interface WebServer {
  readonly server: Server;
  /** Ends the connections that are not answering a call; those of HTTP/2 as soon as their calls have ended. */
  readonly endIdle: () => void;
  /** Closes all connections. */
  readonly endAll: () => void;
}

/** A server of plain HTTP. */
export const createPlainWebServer = (settings: NodeOptions, listener: NodeListener): WebServer => {
  const server = createServer(settings, answerInTurn(listener));
  return {
    server,
    endIdle: () => server.closeIdleConnections(),
    endAll: () => server.closeAllConnections(),
  };
};

/**
 * A server of HTTPS. A connection that negotiates HTTP/2 is given to Node's HTTP/2 server, which calls the same listener.
 *
 * @param hasHttp2 false if the listener cannot answer HTTP/2: Express cannot
 */
export const createTlsWebServer = async (
  settings: NodeOptions,
  pair: TlsPair,
  listener: NodeListener,
  hasHttp2: boolean,
): Promise<WebServer> => {
  const { createServer: createHttpsServer } = await import('node:https');
  const ALPNProtocols = hasHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'];
  // A client that does not finish its handshake is given as long as one that does not finish its request.
  const tls = { ...pair, ALPNProtocols, handshakeTimeout: settings.requestTimeout };
  const server = createHttpsServer({ ...settings, ...tls }, answerInTurn(listener));
  const { sessions, accept } = await createHttp2(listener, settings.requestTimeout);
  /** The connections below TLS, by their addresses. */
  const connections = new Map<string, Socket>();
  server.on('connection', (connection: Socket) => {
    const address = addressOf(connection);
    connections.set(address, connection);
    connection.once('close', () => connections.delete(address));
  });
  const acceptHttp1 = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    const connection = connections.get(addressOf(socket));
    // That of a TLS socket throws: only the connection below it can be reset.
    socket.resetAndDestroy = () => {
      connection?.resetAndDestroy();
      return socket;
    };
    if (socket.alpnProtocol === 'h2') accept(socket);
    else for (const one of acceptHttp1) one.call(server, socket);
  });
  return {
    server,
    endIdle: () => {
      server.closeIdleConnections();
      for (const session of sessions) session.close();
    },
    endAll: () => {
      for (const connection of connections.values()) connection.destroy();
    },
  };
};

const addressOf = ({ localAddress, remoteAddress, remotePort }: Socket): string =>
  `${localAddress} ${remoteAddress} ${remotePort}`;

/** How many calls of one connection of HTTP/2 may be under way, waits and event streams among them. Clients keep further ones back. */
const maxConcurrentStreams = 100;

const createHttp2 = async (listener: NodeListener, requestTimeout = 0) => {
  const { createServer: createHttp2Server } = await import('node:http2');
  const sessions = new Set<ServerHttp2Session>();
  const server = createHttp2Server({ settings: { maxConcurrentStreams } });
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.on('request', (request, response) => {
    Object.defineProperty(request, 'headers', { value: toHttp1Headers(request) });
    if (hasBody(request as unknown as IncomingMessage)) endLate(request, requestTimeout);
    // They have everything of HTTP/1 that the listener uses; `transports/node-http.ts` knows what differs.
    listener(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
  return { sessions, accept: (socket: TLSSocket) => server.emit('connection', socket) };
};

/** Cancels a request that does not arrive in time, as Node does in HTTP/1 alone. @param timeout in milliseconds; 0 for none */
const endLate = (request: Http2ServerRequest, timeout: number): void => {
  if (timeout === 0) return;
  const { stream } = request;
  const timer = setTimeout(() => stream.close(cancelled), timeout);
  const stop = (): void => clearTimeout(timer);
  request.once('end', stop);
  stream.once('close', stop);
};

/** The error code of a stream that is not needed any more. */
const cancelled = 8;

/** The headers as HTTP/1 has them: with the host, and without the pseudo-headers, which are no part of a journal. */
const toHttp1Headers = ({ headers, authority }: Http2ServerRequest): IncomingHttpHeaders => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':'))),
  ...(authority && { host: authority }),
});
