import { type SetupWorker, type StartOptions, setupWorker } from 'msw/browser';
import { explainUnhandled, forBothMajors, type OnUnhandledRequest } from './core/transports/unhandled.ts';
import type { Gateway } from './service/gateway/build-gateway.ts';
import { openGateway } from './service/gateway/create-gateway.ts';
import type { GatewayOptions } from './service/gateway/gateway-options.ts';

export type { OnUnhandledRequest } from './core/transports/unhandled.ts';

/** Options of `start`: those of MSW's worker, with one name for the option about unhandled requests under MSW 2 and 3. */
export interface WorkerOptions extends Omit<StartOptions, 'onUnhandledRequest' | 'onUnhandledFrame'> {
  /** What to do with requests that match no handler, under MSW 2 and 3. Default: `'warn'`. */
  readonly onUnhandledRequest?: OnUnhandledRequest | undefined;
}

/** A gateway in a page, and an MSW worker with its handlers. */
interface GatewayWorker
  extends Gateway,
    Pick<SetupWorker, 'events' | 'listHandlers' | 'resetHandlers' | 'restoreHandlers' | 'stop' | 'use'> {
  /** Starts to intercept the requests of this page. @throws Error if MSW's worker cannot be started */
  readonly start: (options?: WorkerOptions) => ReturnType<SetupWorker['start']>;
}

/**
 * Creates a gateway that answers the requests of a page inside the page, without a server. Each tab has its own state.
 * Works with MSW 2 and 3, whose worker must be among your app's static files: `npx msw init public`.
 *
 * - `start`, `stop`: start and stop intercepting requests; await `start` before the first request.
 * - `use`, `resetHandlers`: add your own handlers before the gateway's, and remove them. They do not affect its records.
 * - `events`, `listHandlers`, `restoreHandlers`: as in MSW's `setupWorker`.
 * - `reset`: returns the default session to the start of its scenario. It does not affect your handlers.
 *
 * @throws ScenarioError on an invalid scenario; Error on an invalid option or base URL
 * @example
 * const gateway = setupGateway({ scenario: 'in-flight' });
 * await gateway.start({ onUnhandledRequest: 'bypass' });
 * await gateway.faults.add('listRuns#3: 503');
 */
export const setupGateway = (options: GatewayOptions = {}): GatewayWorker => {
  const { gateway, describeUnhandled } = openGateway(options);
  const worker = setupWorker(...gateway.handlers);
  const explain = explainUnhandled(worker.events, describeUnhandled);
  return {
    ...gateway,
    start: async (workerOptions = {}) => {
      explain(workerOptions.onUnhandledRequest);
      return worker.start(forBothMajors(workerOptions));
    },
    stop: () => worker.stop(),
    use: (...handlers) => worker.use(...handlers),
    resetHandlers: (...handlers) => worker.resetHandlers(...handlers),
    restoreHandlers: () => worker.restoreHandlers(),
    listHandlers: () => worker.listHandlers(),
    events: worker.events,
  };
};
