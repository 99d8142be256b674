import { type SetupWorker, type StartOptions, setupWorker } from 'msw/browser';
import { createGateway, type Gateway, type GatewayOptions } from './gateway/gateway.ts';
import { forBothMajors, type OnUnhandledRequest } from './transports/unhandled.ts';

/** How MSW's worker is started: its own options, of which one has the same name under MSW 2 and 3. */
export interface WorkerOptions extends Omit<StartOptions, 'onUnhandledRequest' | 'onUnhandledFrame'> {
  /** What becomes of requests that no handler matches. Works with MSW 2 and 3. Default: `'warn'`. */
  readonly onUnhandledRequest?: OnUnhandledRequest | undefined;
}

/** A gateway in a page, with MSW's worker around its handlers. */
export interface GatewayWorker
  extends Gateway,
    Pick<SetupWorker, 'events' | 'listHandlers' | 'resetHandlers' | 'restoreHandlers' | 'stop' | 'use'> {
  /** Starts to intercept the requests of this page. @throws Error where MSW's worker cannot be started */
  readonly start: (options?: WorkerOptions) => ReturnType<SetupWorker['start']>;
}

/**
 * Answers the requests of a page within the page, under MSW 2 or 3: no server, and a world of its own for each tab. MSW's
 * worker must be among your app's static files: `npx msw init public`.
 *
 * - `start`, `stop`: begin and end to intercept requests; wait for `start` before the first one.
 * - `use`, `resetHandlers`: handlers of your own, ahead of the gateway's, and their end. They leave its records alone.
 * - `events`, `listHandlers`, `restoreHandlers`: as MSW's `setupWorker` has them.
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
    start: async (workerOptions = {}) => worker.start(forBothMajors(workerOptions)),
    stop: () => worker.stop(),
    use: (...handlers) => worker.use(...handlers),
    resetHandlers: (...handlers) => worker.resetHandlers(...handlers),
    restoreHandlers: () => worker.restoreHandlers(),
    listHandlers: () => worker.listHandlers(),
    events: worker.events,
  };
};
