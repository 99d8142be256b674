import { type SetupServer, setupServer } from 'msw/node';
import { createGateway, type Gateway, type GatewayOptions } from './gateway/gateway.ts';
import type { Scenario } from './scenario/schema.ts';

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
    listen: (listenOptions) => server.listen(listenOptions),
    close: () => server.close(),
    use: (...handlers) => server.use(...handlers),
    resetHandlers: (...handlers) => server.resetHandlers(...handlers),
  };
};
