import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that is free now, for a program that can be given one, and cannot tell which it took. */
export const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' && address !== null ? address.port : '');
};
