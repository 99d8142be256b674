import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebServer } from './web-server.ts';

/** Starts listening. @throws Error if that fails, with the system's `code`, such as `EADDRINUSE` */
export const listen = (server: Server, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explainListen(error, port, host)));
    // A server that listens on a port has this kind of address.
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });

/** Explains why a server cannot listen. The system's error is the cause, and its code is kept. */
const explainListen = (error: NodeJS.ErrnoException, port: number, host: string): Error => {
  const why = listenMistakes[error.code ?? '']?.(port, host);
  return why === undefined ? error : Object.assign(new Error(why, { cause: error }), { code: error.code });
};

const noAddress = (_port: number, host: string): string =>
  `Failed to listen on "${host}": this machine does not have that address. Use 127.0.0.1 (--host 127.0.0.1), or 0.0.0.0 for all addresses.`;

const listenMistakes: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) =>
    `Failed to listen on port ${port} of ${host}: it is in use. Stop the other server, or choose another port: 0 (--port 0) picks a free one.`,
  EACCES: (port) =>
    `Failed to listen on port ${port}: permission denied. Choose a port above 1023, or 0 (--port 0) for a free one.`,
  EADDRNOTAVAIL: noAddress,
  EAI_AGAIN: noAddress,
  EINVAL: noAddress,
  ENOTFOUND: noAddress,
};

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
