import type { Gateway } from './gateway/gateway.ts';
import { type PlainServer, type ServerOptions, startPlainServer } from './server/start-server.ts';

export type { AnsweredCall } from './server/answered-call.ts';
export type { ServerOptions } from './server/start-server.ts';

/** A running server. */
export interface GatewayServer extends PlainServer, Gateway {}

/**
 * Starts an HTTP server that serves the gateway.
 *
 * @throws Error where an option, the scenario or an assumption is invalid, or the port is taken (its `code` is `EADDRINUSE`)
 * @example
 * const server = await startServer({ port: 0 });
 * await fetch(`${server.baseUrl}/batches`, { headers: { 'x-gateway-api-key': 'k', 'x-gateway-virtual-key': 'v' } });
 * await server.close();
 */
export const startServer = async (options: ServerOptions = {}): Promise<GatewayServer> => {
  const { server, opened } = await startPlainServer(options);
  const { withHandlers } = await import('./gateway/gateway.ts'); // it brings MSW, which takes longer to load than all the rest
  return { ...server, handlers: withHandlers(opened).gateway.handlers };
};
