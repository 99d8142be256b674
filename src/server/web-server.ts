import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { NodeListener } from '../transports/node-http.ts';
import { catchBugs } from '../transports/safety-net.ts';
import { limits } from '../util/limits.ts';
import type { TlsPair } from './tls-pair.ts';

/** A server of HTTP or HTTPS, and how to close all its connections. */
export interface WebServer {
  readonly server: Server;
  readonly endAll: () => void;
}

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
  const unsent = new WeakMap<Socket, number>();
  const listener: NodeListener = (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return; // one packet may contain a thousand calls
    const count = (unsent.get(socket) ?? 0) + 1;
    if (count > limits.unsentReplies) {
      socket.destroy();
      return;
    }
    unsent.set(socket, count);
    response.once('close', () => unsent.set(socket, (unsent.get(socket) ?? 1) - 1));
    catchBugs(response, () => answer(request, response));
  };
  const settings = {
    requireHostHeader: false,
    requestTimeout,
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: 1000,
    // A client that was paused, such as at a breakpoint, keeps its connection.
    keepAliveTimeout: 60_000,
  };
  const server =
    tls === undefined
      ? createServer(settings, listener)
      : (await import('node:https')).createServer(
          { ...settings, ...tls, handshakeTimeout: requestTimeout },
          listener,
        );
  server.maxConnections = limits.connections;
  server.maxRequestsPerSocket = limits.callsOfConnection;
  /** By their addresses. Also those that Node's `closeAllConnections` does not know: their TLS handshake has not finished. */
  const connections = new Map<string, Socket>();
  server.on('connection', (connection: Socket) => {
    const address = addressOf(connection);
    connections.set(address, connection);
    connection.once('close', () => connections.delete(address));
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    const connection = connections.get(addressOf(socket));
    // That of a TLS socket throws: only the connection below it can be reset.
    socket.resetAndDestroy = () => {
      connection?.resetAndDestroy();
      return socket;
    };
  });
  return {
    server,
    endAll: () => {
      for (const connection of connections.values()) connection.destroy();
    },
  };
};

const addressOf = ({ localAddress, remoteAddress, remotePort }: Socket): string =>
  `${localAddress} ${remoteAddress} ${remotePort}`;
