import { type SetupWorker, setupWorker } from 'msw/browser';
import { createGateway, type Gateway, type GatewayOptions } from './gateway/gateway.ts';

/** A gateway in a page, with MSW's worker around its handlers. */
export interface GatewayWorker
  extends Gateway,
    Pick<SetupWorker, 'start' | 'stop' | 'use' | 'resetHandlers'> {}

/**
 * Answers the requests of a page within the page: no server, and a world of its own for each tab. MSW's worker must be
 * among your app's static files: `npx msw init public`.
 *
 * - `start`, `stop`: begin and end to intercept requests; wait for `start` before the first one.
 * - `use`, `resetHandlers`: handlers of your own, ahead of the gateway's, and their end. They leave its records alone.
 * - `reset`: returns the gateway's world to the start of its scenario. It leaves your handlers alone.
 *
 * @throws Error where the scenario, an assumption or the base URL is invalid
 * @example
 * const gateway = setupGateway({ scenario: 'in-flight' });
 * await gateway.start({ onUnhandledRequest: 'bypass' });
 * await gateway.faults.add('listRuns#3: 503');
 */
export const setupGateway = (options: GatewayOptions = {}): GatewayWorker => {
  const gateway = createGateway(options);
  const worker = setupWorker(...gateway.handlers);
  return {
    ...gateway,
    start: (startOptions) => worker.start(startOptions),
    stop: () => worker.stop(),
    use: (...handlers) => worker.use(...handlers),
    resetHandlers: (...handlers) => worker.resetHandlers(...handlers),
  };
};
