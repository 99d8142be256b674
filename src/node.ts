import { type SetupServer, setupServer } from 'msw/node';
import { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';

export { readScenario, writeScenario } from './scenario/folder.ts';

/** A gateway in process, with MSW's server around its handlers. */
export interface GatewaySetup
  extends Gateway,
    Pick<SetupServer, 'listen' | 'close' | 'use' | 'resetHandlers'> {}

/**
 * Answers the requests of this process, in MSW's idiom.
 *
 * - `listen`, `close`: start and stop to intercept requests.
 * - `use`, `resetHandlers`: handlers of your own, ahead of the gateway's, and their end. They leave its records alone.
 * - `reset`: returns the gateway's world to the start of its scenario. It leaves your handlers alone.
 *
 * @throws Error where the scenario, an assumption or the base URL is none
 * @example
 * const gateway = setupGateway();
 * beforeAll(() => gateway.listen());
 * afterEach(() => gateway.reset());
 * afterAll(() => gateway.close());
 */
export const setupGateway = (options: GatewayOptions = {}): GatewaySetup => {
  const gateway = createGateway(options);
  const server = setupServer(...gateway.handlers);
  return {
    ...gateway,
    listen: (listenOptions) => server.listen(listenOptions),
    close: () => server.close(),
    use: (...handlers) => server.use(...handlers),
    resetHandlers: (...handlers) => server.resetHandlers(...handlers),
  };
};
