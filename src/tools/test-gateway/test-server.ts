// A server for one test, in the test's own process: for test runners whose modules MSW cannot reach, and for browsers.
import * as z from 'zod';
import { defaultSession } from '../../core/protocol/session-name.ts';
import { parseOptions } from '../../core/util/parse-options.ts';
import { openServer } from '../../service/server/open-server.ts';
import { type ServerOptions, serverShape } from '../../service/server/server-options.ts';
import { type GatewayUse, withAddress } from './address.ts';
import type { HowToSet } from './problems.ts';
import type { TestGateway } from './test-gateway.ts';
import { failOn, TestWatch, type WatchOptions, watchShape } from './test-watch.ts';

/** Options of a test's server: those of `startServer`, and what fails a test. */
export interface TestServerOptions extends ServerOptions, WatchOptions {}

const schema = () => z.strictObject({ ...serverShape(), ...watchShape() });

export const testServerOptions = (): string[] => Object.keys(schema().shape);

/** How a test ended, and how it used its gateway in another thread. */
export interface ServerEnd extends Partial<GatewayUse> {
  /** Whether the test has failed, was skipped, or is expected to fail. */
  readonly hasFailed: boolean;
  /** Whether only the test itself changed the world of the gateway, and no hooks. */
  readonly isBody?: boolean;
}

/** What {@link startTestServer} returns. */
export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/** Starts the server of a test, by default on a free port of `127.0.0.1`. @throws Error as `startServer` does */
export const startTestServer = async (serverOptions: TestServerOptions, howToSet: HowToSet) => {
  const options = parseOptions(schema(), serverOptions);
  const { unmatched, unusedFaults, unusedQuotas, noCalls, strict, ...ofServer } = options;
  const { server, sessions } = await openServer(ofServer);
  const worlds = new Set([sessions.inMemory.get(defaultSession)?.worldId]);
  sessions.events.subscribe((_session, event) => {
    if (event.type === 'world' && event.what === 'made') worlds.add(event.world);
  });
  const { baseUrl } = server;
  const watch = new TestWatch(sessions, baseUrl, options, howToSet);
  const { apiKey, virtualKey } = await server.scenario.keys();
  const headers = { 'x-gateway-api-key': apiKey, 'x-gateway-virtual-key': virtualKey };
  const { gateway, readUse } = withAddress(server, { baseUrl, headers });
  return {
    gateway: gateway satisfies TestGateway,
    baseUrl,
    headers,
    /** The ids of its worlds: the header `x-mock-world` of each of its replies is one of them. */
    worlds,
    /** @throws Error with everything that the test did but must not do */
    check: async ({ hasFailed, isBody = false, ...elsewhere }: ServerEnd): Promise<void> => {
      const use = readUse();
      const isTaken = use.isTaken || elsewhere.isTaken === true || (isBody && watch.hasWritten);
      const unawaited = [...use.unawaited, ...(elsewhere.unawaited ?? [])];
      if (!hasFailed) await watch.settle(isTaken);
      failOn(watch.findProblems({ hasFailed, isTaken, unawaited }));
    },
    /** Stops the server. Until then, hooks of the test may use it. */
    close: server.close,
  };
};
