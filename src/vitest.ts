import { type TestAPI, test as vitestTest } from 'vitest';
import { expectInterception, intercept } from './tools/test-gateway/interception.ts';
import {
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from './tools/test-gateway/test-gateway.ts';

export { handlers } from './tools/test-gateway/interception.ts';
export type { TestGateway, TestGatewayOptions } from './tools/test-gateway/test-gateway.ts';

/** The fixtures of {@link test}. */
export interface GatewayFixtures {
  /** The gateway of this test. */
  readonly gateway: TestGateway;
  /** Options of the gateway. Set them with `test.override` (before Vitest 4.1: `test.scoped`) or `test.extend`. Default: `{}`. */
  readonly gatewayOptions: TestGatewayOptions;
}

/**
 * Vitest's `test` with a separate gateway for each test, even if tests run concurrently. By default, a test fails if one of
 * its requests matches no operation or goes to another host, if one of its faults is never used, or if it takes the gateway and
 * calls nothing: see `gatewayOptions`.
 *
 * @example
 * test('the failed batch is shown', async ({ gateway }) => {
 *   await gateway.records.batches.create({ status: 'failed' });
 *   const page = await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers });
 * });
 */
export const test: TestAPI<GatewayFixtures> = vitestTest.extend<
  GatewayFixtures & { readonly gatewayServer: Awaited<ReturnType<typeof intercept>> }
>({
  gatewayOptions: {},
  gatewayServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the dependencies of a fixture from this pattern.
    async ({}, use) => {
      const interception = await intercept();
      await use(interception);
      interception.end();
    },
    { scope: 'file' },
  ],
  gateway: async ({ gatewayServer, gatewayOptions, onTestFinished, task: { name } }, use) => {
    // Not in the file's fixture: without isolation, Vitest would keep its failure for later files.
    await expectInterception();
    const { gateway, end } = await startTestGateway(name, gatewayOptions, gatewayServer.isOwn);
    // Not after `use`: Vitest 4 runs the end of a fixture twice if it throws, and again for each retry.
    onTestFinished(({ task }) => end(task.result?.state !== 'pass' || task.fails === true));
    await use(gateway);
  },
});
