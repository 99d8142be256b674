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

/**
 * Closes a server. Open calls get half a second to end, then all sockets are closed.
 *
 * @param drained when the half second begins. Default: at once
 */
export const close = ({ server, endAll }: WebServer, drained?: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    let grace: NodeJS.Timeout | undefined;
    let isClosed = false;
    const beginGrace = (): void => {
      if (!isClosed) grace = setTimeout(endAll, 500);
    };
    if (drained === undefined) beginGrace();
    else void drained.then(beginGrace);
    server.close(() => {
      isClosed = true;
      clearTimeout(grace);
      if (drained === undefined) resolve();
      else void drained.then(resolve);
    });
  });
