import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { NodeListener } from '../transports/node-http.ts';
import { catchBugs } from '../transports/safety-net.ts';
import type { TlsPair } from './tls-pair.ts';

/** A server of HTTP or HTTPS, and how to close all its connections. */
export interface WebServer {
  readonly server: Server;
  readonly endAll: () => void;
}

/** Beyond this, Node refuses connections. */
const maxConnections = 10_000;

/** Then the reply closes the connection. It bounds how many pipelined requests one packet can start. */
const maxRequestsPerSocket = 1000;

/**
 * Creates the server that listens.
 *
 * @param requestTimeout in milliseconds
 * @param tls a certificate and its key, for HTTPS
 */
export const createWebServer = async (
  requestTimeout: number,
  tls: TlsPair | undefined,
  answer: NodeListener,
): Promise<WebServer> => {
  const listener: NodeListener = (request, response) => catchBugs(response, () => answer(request, response));
  const settings = {
    requireHostHeader: false,
    requestTimeout,
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: 1000,
    // A client that was paused, such as at a breakpoint, keeps its connection.
    keepAliveTimeout: 60_000,
  };
  const server =
    tls === undefined ? createServer(settings, listener) : await createTlsServer(settings, tls, listener);
  server.maxConnections = maxConnections;
  server.maxRequestsPerSocket = maxRequestsPerSocket;
  // Also those that Node's `closeAllConnections` does not know: a client that has not finished its TLS handshake.
  const connections = new Set<Socket>();
  server.on('connection', (connection: Socket) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  return {
    server,
    endAll: () => {
      for (const connection of connections) connection.destroy();
    },
  };
};

const createTlsServer = async (
  settings: { readonly requestTimeout: number },
  tls: TlsPair,
  listener: NodeListener,
): Promise<Server> => {
  const https = await import('node:https');
  const server = https.createServer(
    { ...settings, ...tls, handshakeTimeout: settings.requestTimeout },
    listener,
  );
  /** The connections below TLS, by their addresses. */
  const below = new Map<string, Socket>();
  server.on('connection', (connection: Socket) => {
    const address = addressOf(connection);
    below.set(address, connection);
    connection.once('close', () => below.delete(address));
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    const connection = below.get(addressOf(socket));
    // That of a TLS socket throws: only the connection below it can be reset.
    socket.resetAndDestroy = () => {
      connection?.resetAndDestroy();
      return socket;
    };
  });
  return server;
};

const addressOf = ({ localAddress, remoteAddress, remotePort }: Socket): string =>
  `${localAddress} ${remoteAddress} ${remotePort}`;
