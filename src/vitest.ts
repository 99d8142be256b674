import { type TestAPI, test as vitestTest } from 'vitest';
import { expectInterception, type Interception, intercept } from './test-gateway/interception.ts';
import { openTestGateway, type TestGateway, type TestGatewayOptions } from './test-gateway/test-gateway.ts';

export { handlers } from './test-gateway/interception.ts';
export type { TestGateway, TestGatewayOptions } from './test-gateway/test-gateway.ts';

/** What a test is given. */
export interface GatewayFixtures {
  readonly gateway: TestGateway;
  /** To be overridden: by `test.override`, in a `describe` or at the top, or by `test.extend` (both before Vitest 4.1: `test.scoped`). */
  readonly gatewayOptions: TestGatewayOptions;
}

/**
 * Vitest's `test`, with a gateway for each test: a world of its own, also where tests run concurrently. A test fails
 * if one of its requests matched no operation or was not for the gateway, unless `gatewayOptions` say otherwise.
 *
 * @example
 * test('the failed batch is shown', async ({ gateway }) => {
 *   await gateway.records.batches.create({ status: 'failed' });
 *   const page = await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers });
 * });
 */
export const test: TestAPI<GatewayFixtures> = vitestTest.extend<
  GatewayFixtures & { readonly gatewayServer: Interception }
>({
  gatewayOptions: {},
  gatewayServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from this pattern what a fixture depends on.
    async ({}, use) => {
      const interception = await intercept();
      await use(interception);
      interception.end();
    },
    { scope: 'file' },
  ],
  gateway: async ({ gatewayServer, gatewayOptions, onTestFinished }, use) => {
    // Not in the fixture of the file: without isolation, Vitest would keep its failure for the files that follow.
    await expectInterception();
    const { gateway, end } = await openTestGateway(gatewayOptions, gatewayServer.isOwn);
    // Not after `use`: Vitest 4 would run a fixture's end that throws twice, and anew with each retry.
    onTestFinished(({ task }) => end(task.result?.state === 'fail'));
    await use(gateway);
  },
});
