import type { Gateway } from './gateway/gateway.ts';
import type { ServerOptions } from './server/options.ts';
import { type PlainServer, startPlainServer } from './server/start-server.ts';

export type { AnsweredCall } from './server/answered-call.ts';
export type { ServerOptions } from './server/options.ts';

/** A running server, and the control of its default session. Its `handlers` need `msw`, and throw if it is not installed. */
export interface GatewayServer extends PlainServer, Gateway {}

/**
 * Starts an HTTP server for the gateway. It works with MSW 2, with MSW 3, and without MSW.
 *
 * @throws ScenarioError on an invalid scenario; Error on an invalid option, or if the port is in use (`code` is `EADDRINUSE`)
 * @example
 * const server = await startServer({ port: 0 });
 * await fetch(`${server.baseUrl}/batches`, { headers: { 'x-gateway-api-key': 'k', 'x-gateway-virtual-key': 'v' } });
 * await server.close();
 */
export const startServer = async (options: ServerOptions = {}): Promise<GatewayServer> => {
  const { server, opened } = await startPlainServer(options);
  // This loads MSW, which takes longer than everything else.
  const found = await import('./gateway/gateway.ts').then(
    ({ withHandlers }) => withHandlers(opened).gateway.handlers,
    (cause: unknown) => new Error('Failed to create handlers: msw cannot be loaded. Install it.', { cause }),
  );
  return {
    ...server,
    get handlers() {
      if (found instanceof Error) throw found;
      return found;
    },
  };
};
