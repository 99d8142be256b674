import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** @throws Error where the port cannot be listened on, in words that help; its `code` is the system's, such as `EADDRINUSE` */
export const listen = (server: Server, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explainListen(error, port, host)));
    // A server that listens on a port has such an address.
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });

/** Why a server cannot listen, in words that help. The system's error is the cause; its code stays. */
const explainListen = (error: NodeJS.ErrnoException, port: number, host: string): Error => {
  const why = listenMistakes[error.code ?? '']?.(port, host);
  return why === undefined ? error : Object.assign(new Error(why, { cause: error }), { code: error.code });
};

const noAddress = (_port: number, host: string): string =>
  `This machine has no address "${host}". Choose another: 127.0.0.1 (--host 127.0.0.1), or 0.0.0.0 for all.`;

const listenMistakes: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) =>
    `Port ${port} is taken on ${host}. Stop what listens there, or choose another port: 0 (--port 0) picks a free one.`,
  EACCES: (port) => `Port ${port} may not be used by this account. Choose one above 1023, or 0 (--port 0).`,
  EADDRNOTAVAIL: noAddress,
  EAI_AGAIN: noAddress,
  EINVAL: noAddress,
  ENOTFOUND: noAddress,
};

/** Calls under way get half a second to end, then every socket is closed. */
export const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const grace = setTimeout(() => server.closeAllConnections(), 500);
    server.close(() => {
      clearTimeout(grace);
      resolve();
    });
    server.closeIdleConnections();
  });
