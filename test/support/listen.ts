import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Serves on a free port of this machine, until it is closed. */
export const listenTo = async (listener: RequestListener) => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, close };
};

/** The same, closed when the test ends. Returns its URL. */
export const openListener = async (listener: RequestListener): Promise<string> => {
  const { url, close } = await listenTo(listener);
  onTestFinished(close);
  return url;
};
