import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { NodeListener } from '../../core/transports/node-http.ts';
import { unsentBodies } from '../../core/transports/read-body.ts';
import { limits } from '../../core/util/limits.ts';
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
  listener: NodeListener,
): Promise<WebServer> => {
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
  // By default, Node asks for any body. Here, a body that is too large is refused before it is sent.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (Number(request.headers['content-length']) > limits.body) unsentBodies.add(request);
    else response.writeContinue();
    listener(request, response);
  });
  server.on('checkExpectation', listener); // by default, Node refuses other expectations itself, without a body
  /** All connections, by their addresses. Node's `closeAllConnections` leaves out those whose TLS handshake has not finished. */
  const connections = new Map<string, Socket>();
  server.on('connection', (connection: Socket) => {
    const address = addressOf(connection);
    connections.set(address, connection);
    connection.once('close', () => connections.delete(address));
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    const connection = connections.get(addressOf(socket));
    // The method of a TLS socket throws: only the connection below it can be reset.
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

/** Starts listening. @throws Error if that fails, with the system's `code`, such as `EADDRINUSE` */
export const listen = (server: Server, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explainListen(error, port, host)));
    // The type is true: a server that listens on a port has this kind of address.
    // An IPv6 address may be written as in URLs: [::1].
    server.listen(port, host.replace(/^\[(.*)\]$/, '$1'), () => resolve(server.address() as AddressInfo));
  });

/** Explains why a server cannot listen. The system's error is the cause, and its code is kept. */
const explainListen = (error: NodeJS.ErrnoException, port: number, host: string): Error => {
  const why = listenErrors[error.code ?? '']?.(port, host) ?? noAddress(host, error.message);
  return Object.assign(new Error(why, { cause: error }), { code: error.code });
};

const listenErrors: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) =>
    `Failed to listen on port ${port} of ${host}: it is in use. Stop the other server, or choose another port: 0 (--port 0) picks a free port.`,
  EACCES: (port) =>
    `Failed to listen on port ${port}: permission denied. Choose a port above 1023, or 0 (--port 0) for a free one.`,
};

/** Explains any other failure, which usually means that the machine does not have the address. */
const noAddress = (host: string, reason: string): string =>
  `Failed to listen on "${host}": ${reason}. Use an address of this machine: 127.0.0.1 (--host 127.0.0.1), or 0.0.0.0 for all addresses.`;

/** How often a server that stops closes the connections whose last call has ended, in milliseconds. */
const closeIdleEvery = 50;

/** Closes a server. @param grace how long open calls may take, in milliseconds; then all sockets are closed */
export const close = ({ server, endAll }: WebServer, grace: number): Promise<void> =>
  new Promise((resolve) => {
    const closingIdle = setInterval(() => server.closeIdleConnections(), closeIdleEvery);
    const ending = setTimeout(endAll, grace);
    server.close(() => {
      clearInterval(closingIdle);
      clearTimeout(ending);
      resolve();
    });
  });
