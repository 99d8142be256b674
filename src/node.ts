import { type SetupServer, setupServer } from 'msw/node';
import * as z from 'zod';
import type { Scenario } from './core/scenario/scenario-types.ts';
import { explainUnhandled, forBothMajors, type OnUnhandledRequest } from './core/transports/unhandled.ts';
import { type OptionSchemas, parseOptions } from './core/util/parse-options.ts';
import type { Gateway } from './service/gateway/build-gateway.ts';
import { openGateway } from './service/gateway/create-gateway.ts';
import type { GatewayOptions } from './service/gateway/gateway-options.ts';

export type { OnUnhandledRequest } from './core/transports/unhandled.ts';

/**
 * Reads a scenario from a YAML or JSON file, with everything that it extends or refers to. The scenario can
 * extend the other scenarios in its folder by their names.
 *
 * @throws ScenarioError on an invalid scenario, with all errors; Error if the file cannot be read
 * @example
 * const gateway = setupGateway({ scenario: await readScenario('./bugs/bug-17.yaml') });
 */
export const readScenario = async (file: string): Promise<Scenario> =>
  (await import('./core/scenario/folder.ts')).readScenario(file); // the YAML parser is loaded only if it is needed

/**
 * Writes a scenario, such as the result of `state.export()`, to a file: JSON if its name ends in `.json`, otherwise YAML.
 * YAML begins with a comment that names the schema for editors. The file is written atomically.
 *
 * @throws Error if the file cannot be written
 */
export const writeScenario = async (file: string, scenario: Scenario): Promise<void> =>
  (await import('./core/scenario/folder.ts')).writeScenario(file, scenario);

/** Options of `listen`. */
export interface ListenOptions {
  /** What to do with requests that match no handler, under MSW 2 and 3. Default: `'warn'`. */
  readonly onUnhandledRequest?: OnUnhandledRequest | undefined;
}

const listenSchema = () =>
  z.strictObject({
    onUnhandledRequest: z
      .custom<OnUnhandledRequest>(
        (value) => typeof value === 'function' || ['bypass', 'warn', 'error'].includes(String(value)),
        '"bypass", "warn", "error" or a function',
      )
      .optional(),
  } satisfies OptionSchemas<ListenOptions>);

/** A gateway in process, and an MSW server with its handlers. */
interface GatewaySetup
  extends Gateway,
    Pick<
      SetupServer,
      'boundary' | 'close' | 'events' | 'listHandlers' | 'resetHandlers' | 'restoreHandlers' | 'use'
    > {
  /** Starts to intercept the requests of this process. @throws Error on invalid options, or if it listens already */
  readonly listen: (options?: ListenOptions) => void;
}

/**
 * Creates a gateway that answers the requests of this process, with the interface of MSW's `setupServer`. Works with MSW 2 and 3.
 *
 * - `listen`, `close`: start and stop intercepting requests. After `close`, the control throws.
 * - `use`, `resetHandlers`: add your own handlers before the gateway's, and remove them. They do not affect its records.
 * - `boundary`, `events`, `listHandlers`, `restoreHandlers`: as in MSW's `setupServer`.
 * - `reset`: returns the default session to the start of its scenario. It does not affect your handlers.
 *
 * @throws ScenarioError on an invalid scenario; Error on an invalid option or base URL
 * @example
 * const gateway = setupGateway();
 * beforeAll(() => gateway.listen());
 * afterEach(() => gateway.reset());
 * afterAll(() => gateway.close());
 */
export const setupGateway = (options: GatewayOptions = {}): GatewaySetup => {
  const { gateway, describeUnhandled, setClosed } = openGateway(options);
  const server = setupServer(...gateway.handlers);
  let isListening = false;
  const explain = explainUnhandled(server.events, describeUnhandled);
  return {
    ...gateway,
    listen: (listenOptions = {}) => {
      const options = forBothMajors(listenOptions);
      parseOptions(listenSchema(), listenOptions);
      if (isListening)
        throw new Error(
          'Failed to listen: this gateway is already listening. Call gateway.listen() once, in beforeAll, and gateway.close() in afterAll.',
        );
      server.listen(options);
      explain(listenOptions.onUnhandledRequest);
      isListening = true;
      setClosed(false);
    },
    close: () => {
      if (isListening) server.close(); // MSW 3 refuses it otherwise
      isListening = false;
      setClosed(true);
    },
    use: (...handlers) => server.use(...handlers),
    resetHandlers: (...handlers) => server.resetHandlers(...handlers),
    restoreHandlers: () => server.restoreHandlers(),
    listHandlers: () => server.listHandlers(),
    boundary: (callback) => server.boundary(callback),
    events: server.events,
  };
};
