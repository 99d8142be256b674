// A server for one test, in the test's own process: for test runners whose modules MSW cannot reach, and for browsers.
import * as z from 'zod';
import { defaultSession } from '../../core/protocol/session-name.ts';
import { parseOptions } from '../../core/util/parse-options.ts';
import { type ServerOptions, serverShape } from '../../service/server/options.ts';
import { openServer } from '../../service/server/start-server.ts';
import type { HowToSet } from './problems.ts';
import type { TestGateway } from './test-gateway.ts';
import { failOn, type WatchOptions, watchGateway, watchShape } from './watch-gateway.ts';

/** Options of a test's server: those of `startServer`, and what fails a test. */
export interface TestServerOptions extends ServerOptions, WatchOptions {}

const schema = () => z.strictObject({ ...serverShape(), ...watchShape() });

/** What {@link startTestServer} returns. */
export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/** Starts the server of a test, by default on a free port of `127.0.0.1`. @throws Error as `startServer` does */
export const startTestServer = async (given: TestServerOptions, howToSet: HowToSet) => {
  const { unmatched, unusedFaults, strict, ...options } = parseOptions(schema(), given);
  const { server, sessions, operations } = await openServer(options);
  const worlds = new Set([sessions.inMemory.get(defaultSession)?.worldId]);
  sessions.events.subscribe((_session, event) => {
    if (event.type === 'world' && event.what === 'made') worlds.add(event.world);
  });
  const { findProblems } = watchGateway(sessions, { unmatched, unusedFaults, strict }, howToSet);
  const { apiKey, virtualKey } = await server.scenario.keys();
  const headers = { 'x-gateway-api-key': apiKey, 'x-gateway-virtual-key': virtualKey };
  return {
    gateway: Object.assign(server, { headers }) satisfies TestGateway,
    /** The ids of its worlds: the header `x-mock-world` of each of its replies is one of them. */
    worlds,
    /** Those of the contract, and the user's own calls. */
    operations,
    /** @throws Error with everything that the test did but must not do */
    end: async (hasFailed: boolean): Promise<void> => {
      await server.close();
      failOn(findProblems(hasFailed));
    },
  };
};
