import { type SetupServer, setupServer } from 'msw/node';
import { createGateway, type Gateway, type GatewayOptions } from './gateway/gateway.ts';
import type { Scenario } from './scenario/schema.ts';
import { forBothMajors, type OnUnhandledRequest } from './transports/unhandled.ts';
import { checkOptions } from './util/options.ts';

/**
 * Reads a scenario from a YAML or JSON file, with all that it extends and refers to; its siblings are known by their names.
 *
 * @throws ScenarioError with every mistake, its file, line and column; Error where the file cannot be read
 * @example
 * const gateway = setupGateway({ scenario: await readScenario('./bugs/bug-17.yaml') });
 */
export const readScenario = async (file: string): Promise<Scenario> =>
  (await import('./scenario/folder.ts')).readScenario(file); // only who has files pays for reading YAML

/**
 * Writes a scenario, such as `state.export()` gives, to a file: JSON where its name ends so, otherwise YAML whose first line
 * names the schema for editors. The file is replaced as a whole, so that nobody reads half of it.
 */
export const writeScenario = async (file: string, scenario: Scenario): Promise<void> =>
  (await import('./scenario/folder.ts')).writeScenario(file, scenario);

/** How requests are intercepted. */
export interface ListenOptions {
  /** What becomes of requests that no handler matches. Works with MSW 2 and 3. Default: `'warn'`. */
  readonly onUnhandledRequest?: OnUnhandledRequest | undefined;
}

/** A gateway in process, with MSW's server around its handlers. */
export interface GatewaySetup
  extends Gateway,
    Pick<
      SetupServer,
      'boundary' | 'close' | 'events' | 'listHandlers' | 'resetHandlers' | 'restoreHandlers' | 'use'
    > {
  /** Starts to intercept the requests of this process. @throws Error on unknown options */
  readonly listen: (options?: ListenOptions) => void;
}

/**
 * Answers the requests of this process, in MSW's idiom, under MSW 2 or 3.
 *
 * - `listen`, `close`: start and stop to intercept requests.
 * - `use`, `resetHandlers`: handlers of your own, ahead of the gateway's, and their end. They leave its records alone.
 * - `boundary`, `events`, `listHandlers`, `restoreHandlers`: as MSW's `setupServer` has them.
 * - `reset`: returns the gateway's world to the start of its scenario. It leaves your handlers alone.
 *
 * @throws Error where the scenario, an assumption or the base URL is invalid
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
    listen: (listenOptions = {}) => {
      const given = forBothMajors(listenOptions);
      const isFunction = typeof listenOptions.onUnhandledRequest === 'function';
      checkOptions(listenOptions, {
        onUnhandledRequest: isFunction ? 'function' : ['bypass', 'warn', 'error'],
      });
      server.listen(given);
    },
    close: () => server.close(),
    use: (...handlers) => server.use(...handlers),
    resetHandlers: (...handlers) => server.resetHandlers(...handlers),
    restoreHandlers: () => server.restoreHandlers(),
    listHandlers: () => server.listHandlers(),
    boundary: (callback) => server.boundary(callback),
    events: server.events,
  };
};
