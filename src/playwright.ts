import {
  type BrowserContext,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  test as playwrightTest,
  type Request,
  type Route,
  type TestType,
} from '@playwright/test';
import { unknownOption } from './core/util/parse-options.ts';
import { isAllowed, isGatewayCall } from './tools/test-gateway/other-gateways.ts';
import { describeElsewhere } from './tools/test-gateway/problems.ts';
import type { TestGateway } from './tools/test-gateway/test-gateway.ts';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
  testServerOptions,
} from './tools/test-gateway/test-server.ts';
import { failOn } from './tools/test-gateway/test-watch.ts';

export type { TestGateway } from './tools/test-gateway/test-gateway.ts';
export type { TestServerOptions } from './tools/test-gateway/test-server.ts';

/** Options of a test's gateway: those of `startServer`, what fails a test, and what the page calls. */
export interface TestGatewayOptions extends TestServerOptions {
  /**
   * The base URL that your app was built with, such as `http://127.0.0.1:4010/v1`. Requests of the pages below it go to the
   * test's own gateway; nothing needs to listen there. Default: none; pages call `gateway.baseUrl`.
   */
  readonly appBaseUrl?: string | undefined;
  /**
   * Whether pages may also call other gateways, or the origins of those that they may call. Otherwise, a test fails if one of its pages
   * sent a call of the gateway, with its path and the header `x-gateway-api-key`, to another server outside of the test's process, or
   * to a port where none listens. Default: false.
   */
  readonly allowOtherGateways?: boolean | readonly string[] | undefined;
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
 * test fails if one of its requests matches no operation, if one of its faults is never used, or if it takes the gateway and
 * calls nothing: see `gatewayOptions`.
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
> = playwrightTest.extend<GatewayFixtures & { readonly gatewayServer: TestServer }>({
  browser: [
    async ({ browser }, use) => {
      const { newContext } = browser;
      browser.newContext = async (options) => notePages(await newContext.call(browser, options));
      await use(browser);
    },
    { scope: 'worker' },
  ],
  gatewayOptions: [{}, { option: true }],
  gatewayServer: async ({ gatewayOptions }, use, testInfo) => {
    const { appBaseUrl: _appBaseUrl, allowOtherGateways: _allow, ...options } = gatewayOptions;
    const names = [...testServerOptions(), 'appBaseUrl', 'allowOtherGateways'];
    const unknown = Object.keys(gatewayOptions).find((name) => !names.includes(name));
    if (unknown !== undefined) throw unknownOption(unknown, names);
    const server = await startTestServer(options, howToSet);
    taken.clear();
    await use(server);
    const hasFailed = testInfo.status !== 'passed' || testInfo.expectedStatus !== 'passed';
    const isTaken = gatewayOptions.appBaseUrl !== undefined && taken.size === 2;
    await server.check({ hasFailed, isTaken }).finally(server.close);
  },
  gateway: ({ gatewayServer: { gateway } }, use) => {
    taken.add('gateway');
    return use(gateway);
  },
  context: async ({ context, gatewayServer: { baseUrl, worlds }, gatewayOptions }, use) => {
    const { appBaseUrl, allowOtherGateways = false } = gatewayOptions;
    const base = appBaseUrl === undefined ? undefined : checkBaseUrl(appBaseUrl);
    if (base !== undefined)
      await context.route(
        ({ href }) => href.startsWith(`${base}/`),
        (route) => answer(route, baseUrl + route.request().url().slice(base.length)),
      );
    const isOwnUrl = (url: string): boolean =>
      [baseUrl, base].some((own) => own !== undefined && url.startsWith(`${own}/`));
    const elsewhere = new Set<string>();
    const noteCall = (request: Request, ending: string | number): void => {
      const [method, url] = [request.method(), request.url()];
      const isCall = isGatewayCall(method, url, request.headers()['x-gateway-api-key']);
      if (isCall && !isOwnUrl(url) && !isAllowed(url, allowOtherGateways))
        elsewhere.add(`${method} ${url}: ${ending}`);
    };
    context.on('response', (response) => {
      const isOwn = worlds.has(response.headers()['x-mock-world']);
      if (!isOwn) noteCall(response.request(), response.status());
    });
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      if (/refused|not_resolved|unknown_host|could not/i.test(reason)) noteCall(request, reason); // not a call that the test broke
    });
    await use(notePages(context)); // one that Playwright uses again is not new
    failOn([describeElsewhere([...elsewhere], base ?? baseUrl, wayOut, howToSet)]);
  },
});

/** What the running test took: with `appBaseUrl`, a gateway and a page, the page should call the gateway. A worker runs one test at a time. */
const taken = new Set<'gateway' | 'page'>();

const notePages = (context: BrowserContext): BrowserContext => context.on('page', () => taken.add('page'));

const wayOut = `Set appBaseUrl to the base URL that your app was built with: test.use({ gatewayOptions: { appBaseUrl: 'http://127.0.0.1:4010/v1' } }).`;

const howToSet = (option: string): string => `test.use({ gatewayOptions: { ${option} } }).`;

/** Answers a page's request with the reply of another URL. The browser itself would not let the page call this machine. */
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
