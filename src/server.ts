import type { Gateway } from './gateway/gateway.ts';
import { type PlainServer, type ServerOptions, startPlainServer } from './server/start-server.ts';

export type { AnsweredCall } from './server/answered-call.ts';
export type { ServerOptions } from './server/start-server.ts';

/** A running server. Its `handlers` need `msw`, which the server itself does without: they throw where it cannot be loaded. */
export interface GatewayServer extends PlainServer, Gateway {}

/**
 * Starts an HTTP server that serves the gateway. It starts with MSW 2, with MSW 3, and without any.
 *
 * @throws Error where an option, the scenario or an assumption is invalid, or the port is taken (its `code` is `EADDRINUSE`)
 * @example
 * const server = await startServer({ port: 0 });
 * await fetch(`${server.baseUrl}/batches`, { headers: { 'x-gateway-api-key': 'k', 'x-gateway-virtual-key': 'v' } });
 * await server.close();
 */
export const startServer = async (options: ServerOptions = {}): Promise<GatewayServer> => {
  const { server, opened } = await startPlainServer(options);
  // It brings MSW, which takes longer to load than all the rest.
  const found = await import('./gateway/gateway.ts').then(
    ({ withHandlers }) => withHandlers(opened).gateway.handlers,
    (cause: unknown) => new Error('Failed to make handlers: msw cannot be loaded. Install it.', { cause }),
  );
  return {
    ...server,
    get handlers() {
      if (found instanceof Error) throw found;
      return found;
    },
  };
};
