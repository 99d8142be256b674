// A server for one test, in the test's own process: for test runners whose modules MSW cannot reach, and for browsers.
import { type ServerOptions, serverOptionKinds, startPlainServer } from '../server/start-server.ts';
import { checkOptions } from '../util/options.ts';
import type { HowToSet } from './problems.ts';
import type { OpenTestGateway } from './test-gateway.ts';
import { checkStrict, failOn, type WatchOptions, watchGateway, watchOptionKinds } from './watch-gateway.ts';

/** Options of a test's server: those of `startServer`, and what fails a test. */
export interface TestServerOptions extends ServerOptions, WatchOptions {}

/** Starts the server of a test, by default on a free port of `127.0.0.1`. @throws Error as `startServer` does */
export const openTestServer = async (
  given: TestServerOptions,
  howToSet: HowToSet,
): Promise<OpenTestGateway> => {
  checkOptions(given, { ...serverOptionKinds, ...watchOptionKinds });
  checkStrict(given);
  const { unmatched, unusedFaults, strict, ...options } = given;
  const { server, opened } = await startPlainServer(options);
  const { findProblems } = watchGateway(opened, { unmatched, unusedFaults, strict }, howToSet);
  const { apiKey, virtualKey } = await server.scenario.keys();
  const headers = { 'x-gateway-api-key': apiKey, 'x-gateway-virtual-key': virtualKey };
  return {
    gateway: { ...server, headers },
    end: async (hasFailed) => {
      await server.close();
      failOn(findProblems(hasFailed));
    },
  };
};
