import { blameCaller } from './core/util/caller.ts';
import { type GatewayServer, openServer } from './service/server/open-server.ts';
import type { ServerOptions } from './service/server/server-options.ts';

export type { AnsweredCall } from './service/server/answered-call.ts';
export type { GatewayServer } from './service/server/open-server.ts';
export type { ServerOptions } from './service/server/server-options.ts';

/**
 * Starts an HTTP server for the gateway. It works with MSW 2, with MSW 3, and without MSW.
 *
 * @throws ScenarioError on an invalid scenario; Error on an invalid option, or if the port is in use (`code` is `EADDRINUSE`)
 * @example
 * const server = await startServer({ port: 0 });
 * await fetch(`${server.baseUrl}/batches`, { headers: { 'x-gateway-api-key': 'k', 'x-gateway-virtual-key': 'v' } });
 * await server.close();
 */
export const startServer: (options?: ServerOptions) => Promise<GatewayServer> = blameCaller(
  async (options: ServerOptions = {}) => {
    // This loads MSW, which takes longer than everything else.
    const createHandlers = await import('./core/transports/msw.ts').then(
      (msw) => msw.createHandlers,
      (cause: unknown) => () => {
        throw new Error('Failed to create handlers: msw cannot be loaded. Install it.', { cause });
      },
    );
    return (await openServer(options, { createHandlers })).server;
  },
);
