import { blameCaller } from './core/util/caller.ts';
import { messageOf } from './core/util/message-of.ts';
import type { TestGateway } from './tools/test-gateway/test-gateway.ts';
import { startTestServer, type TestServerOptions } from './tools/test-gateway/test-server.ts';
import { failOn } from './tools/test-gateway/test-watch.ts';

export type { TestGateway } from './tools/test-gateway/test-gateway.ts';
export type { TestServerOptions } from './tools/test-gateway/test-server.ts';

/** The members that {@link openGateway} needs of the context that `node:test` passes to a test. */
export interface TestContext {
  readonly after: (hook: () => Promise<void>) => void;
  /** Whether the test has passed so far, once its function has ended. */
  readonly passed?: boolean;
  /** Replaced, since `node:test` does not tell hooks whether a test was skipped. */
  skip?: (message?: string) => void;
}

/**
 * The functions that end the gateways of a test. A single hook calls them all: after a hook that fails, `node:test` runs no
 * others, and a server would keep the process alive.
 */
const endsOf = new WeakMap<TestContext, (() => Promise<void>)[]>();

/** Tests that were skipped by their function. */
const skippedTests = new WeakSet<TestContext>();

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
  blameCaller(async (test: TestContext, options: TestServerOptions = {}) => {
    if (typeof test?.after !== 'function')
      throw new Error(
        "Failed to open the gateway: the first argument must be the context of a test: test('…', async (t) => { const gateway = await openGateway(t); }).",
      );
    const opening = startTestServer(options, (option) => `openGateway(t, { ${option} }).`);
    const ends = endsOf.get(test) ?? [];
    ends.push(async () => {
      const opened = await opening.catch(() => undefined); // the test itself gets this error
      await opened?.end({ hasFailed: test.passed === false || skippedTests.has(test) });
    });
    if (!endsOf.has(test)) {
      endsOf.set(test, ends);
      const { skip } = test;
      test.skip = (message) => {
        skippedTests.add(test);
        skip?.call(test, message);
      };
      // At once: a test that does not await this function may end before the server has started.
      test.after(async () => {
        const results = await Promise.allSettled(ends.map((end) => end()));
        failOn(results.map((result) => (result.status === 'rejected' ? messageOf(result.reason) : '')));
      });
    }
    return (await opening).gateway;
  });
