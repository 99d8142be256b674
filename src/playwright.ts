import {
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  test as playwrightTest,
  type Route,
  type TestType,
} from '@playwright/test';
import type { TestGateway } from './test-gateway/test-gateway.ts';
import { startTestServer, type TestServerOptions } from './test-gateway/test-server.ts';

export type { TestGateway } from './test-gateway/test-gateway.ts';
export type { TestServerOptions } from './test-gateway/test-server.ts';

/** Options of a test's gateway: those of `startServer`, what fails a test, and what the page calls. */
export interface TestGatewayOptions extends TestServerOptions {
  /**
   * The base URL that your app was built with, such as `http://127.0.0.1:4010/v1`. Requests of the pages below it go to the
   * test's own gateway; nothing needs to listen there. Default: none; pages call `gateway.baseUrl`.
   */
  readonly appBaseUrl?: string | undefined;
}

/** The fixtures of {@link test}. */
export interface GatewayFixtures {
  /** The gateway of this test. */
  readonly gateway: TestGateway;
  /** Options of the gateway. Set them with `test.use`, or with `use` in the configuration. Default: `{}`. */
  readonly gatewayOptions: TestGatewayOptions;
}

/**
 * Playwright's `test` with a gateway for each test: a server on a free port of this machine, closed when the test ends. A
 * test fails if one of its requests matches no operation, or if one of its faults is never used: see `gatewayOptions`.
 *
 * @example
 * test.use({ gatewayOptions: { appBaseUrl: 'http://127.0.0.1:4010/v1' } });
 * test('the failed batch is shown', async ({ page, gateway }) => {
 *   await gateway.records.batches.create({ id: 'batch_mine', status: 'failed' });
 *   await page.goto('http://localhost:5173/');
 *   await page.getByText('batch_mine').waitFor();
 * });
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & GatewayFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = playwrightTest.extend<GatewayFixtures>({
  gatewayOptions: [{}, { option: true }],
  gateway: async ({ gatewayOptions }, use, testInfo) => {
    const { appBaseUrl: _appBaseUrl, ...options } = gatewayOptions;
    const { gateway, end } = await startTestServer(
      options,
      (option) => `test.use({ gatewayOptions: { ${option} } }).`,
    );
    await use(gateway);
    await end(testInfo.status !== testInfo.expectedStatus);
  },
  context: async ({ context, gateway, gatewayOptions: { appBaseUrl } }, use) => {
    if (appBaseUrl !== undefined) {
      const base = checkBaseUrl(appBaseUrl);
      await context.route(
        ({ href }) => href.startsWith(`${base}/`),
        (route) => answer(route, gateway.baseUrl + route.request().url().slice(base.length)),
      );
    }
    await use(context);
  },
});

/** Answers a page's request with the reply of another URL. Browsers keep pages from calling this machine by themselves. */
const answer = async (route: Route, url: string): Promise<void> => {
  const response = await route.fetch({ url, maxRedirects: 0, timeout: 0 }).catch(() => undefined);
  if (response === undefined) await route.abort('connectionreset');
  else await route.fulfill({ response });
};

/** The base URL as a browser writes it, without a slash at its end. @throws Error */
const checkBaseUrl = (url: string): string => {
  if (/^https?:/i.test(url) && URL.canParse(url)) return new URL(url).href.replace(/\/+$/, '');
  throw new Error(
    `Invalid option "appBaseUrl": it must be a URL such as http://127.0.0.1:4010/v1, but found ${JSON.stringify(url)}.`,
  );
};
