// `gateway-mock/node-test`
import { blameCaller } from '../../core/util/caller.ts';
import { messageOf } from '../../core/util/message-of.ts';
import type { TestGateway } from './test-gateway.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';
import { failOn } from './test-watch.ts';
import { type WatchedPromise, watchPromise } from './watched-promise.ts';

/** The members that {@link openGateway} needs of the context that `node:test` passes to a test. */
export interface TestContext {
  readonly after: (hook: () => Promise<void>) => void;
  /** Aborts when the test has ended, with all its hooks. */
  readonly signal: AbortSignal;
  /** Whether the test has passed so far, once its function has ended. */
  readonly passed?: boolean;
  /** Replaced, since `node:test` does not tell hooks whether a test was skipped. */
  skip?: (message?: string) => void;
}

/** What a test has opened. */
interface Openings {
  readonly servers: Promise<TestServer>[];
  readonly gateways: WatchedPromise<unknown>[];
}

const openingsOf = new WeakMap<TestContext, Openings>();

/**
 * Opens a gateway for a test of `node:test`: a server on a free port of this machine, which is closed when the test ends. The test
 * fails if one of its requests matches no operation, if one of its faults is never used, or if it takes the gateway and calls
 * nothing: see the options. Tests may run concurrently.
 *
 * @param test the context that the test function gets
 * @param options Default: `{}`
 * @throws Error if `test` is not the context of a test, or as `startServer` does
 * @example
 * test('the failed batch is shown', async (t) => {
 *   const gateway = await openGateway(t);
 *   await gateway.records.batches.create({ status: 'failed' });
 *   const page = await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers });
 * });
 */
export const openGateway: (test: TestContext, options?: TestServerOptions) => Promise<TestGateway> =
  blameCaller(
    async (test: TestContext, options: TestServerOptions = {}) => {
      if (typeof test?.after !== 'function')
        throw new Error(
          "Failed to open the gateway: the first argument must be the context of a test: test('…', async (t) => { const gateway = await openGateway(t); }). For a suite, use startServer() in before, and its close() in after.",
        );
      const opening = startTestServer(options, (option) => `openGateway(t, { ${option} }).`);
      (openingsOf.get(test) ?? watchTest(test)).servers.push(opening);
      return (await opening).gateway;
    },
    (promise, test) => {
      const openings = openingsOf.get(test);
      return openings === undefined ? promise : watchPromise(promise, openings.gateways);
    },
  );

/**
 * Checks a test when it ends. A single hook checks all its gateways: after a hook that fails, `node:test` runs no others. They
 * are closed later, since hooks of the test may use them.
 */
const watchTest = (test: TestContext): Openings => {
  const openings: Openings = { servers: [], gateways: [] };
  const { servers, gateways } = openings;
  openingsOf.set(test, openings);
  let isSkipped = false;
  const { skip } = test;
  test.skip = (message) => {
    isSkipped = true;
    skip?.call(test, message);
  };
  test.signal.addEventListener('abort', () => {
    for (const opening of servers) void opening.then(({ close }) => close()).catch(() => {});
  });
  // At once: a test that does not await `openGateway` may end before the server has started.
  test.after(async () => {
    const hasFailed = test.passed === false || isSkipped;
    const isUnawaited = gateways.some(({ isAwaited, isPending }) => !isAwaited || isPending);
    const checks = servers.map(async (opening) => {
      const server = await opening.catch(() => undefined); // the test itself gets this error
      return (await server?.check({ hasFailed }).then(() => '', messageOf)) ?? '';
    });
    failOn([isUnawaited && !hasFailed ? notAwaited : '', ...(await Promise.all(checks))]);
  });
  return openings;
};

const notAwaited =
  'This test did not await openGateway(t), so it ended without its gateway. Write: const gateway = await openGateway(t).';
