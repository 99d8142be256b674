// The gateway of one test, and what it reports when the test ends.
import * as z from 'zod';
import { createHandlers } from '../../core/transports/msw.ts';
import { once } from '../../core/util/once.ts';
import { type OptionSchemas, parseOptions } from '../../core/util/parse-options.ts';
import type { Control } from '../../service/control/control-interface.ts';
import { buildGateway, type Gateway } from '../../service/gateway/build-gateway.ts';
import { type GatewayOptions, gatewayShape } from '../../service/gateway/gateway-options.ts';
import { withAddress } from './address.ts';
import { endRunningTest, runningTests, settleRequests } from './interception.ts';
import { describeElsewhere, describeOutside } from './problems.ts';
import { failOn, TestWatch, type WatchOptions, watchShape } from './test-watch.ts';

/** The gateway of one test: the control of its default session, and what calls need. */
export interface TestGateway extends Control, Pick<Gateway, 'session'> {
  /** The base URL for the app under test. Each test has its own, such as `http://test-1.gateway.test/v1`. */
  readonly baseUrl: string;
  /** Request headers with keys that the gateway accepts. */
  readonly headers: Readonly<Record<'x-gateway-api-key' | 'x-gateway-virtual-key', string>>;
}

/** Options of a test's gateway: those of `createGateway`, without the base URL, and what fails a test. */
export interface TestGatewayOptions extends Omit<GatewayOptions, 'baseUrl'>, WatchOptions {
  /**
   * What to do with requests to other hosts, except this machine: `'error'` stops them and fails the test, `'warn'` and
   * `'bypass'` perform them. Requests that MSW cannot intercept, such as those of undici, are performed.
   * If you have your own MSW server, use its option instead. Default: `'error'`.
   */
  readonly onUnhandledRequest?: 'bypass' | 'warn' | 'error' | undefined;
  /**
   * Whether a test may also call other gateways, or the origins of those that it may call, such as `['http://localhost:4010']`.
   * Otherwise, it fails if another server, outside of this process, answered a call of the gateway: a request with the path of an
   * operation and the header `x-gateway-api-key`. With your own MSW server, this cannot be seen. Default: false.
   */
  readonly allowOtherGateways?: boolean | readonly string[] | undefined;
}

const schema = once(() => {
  const { baseUrl: _baseUrl, ...shape } = gatewayShape();
  return z.strictObject({
    ...shape,
    ...watchShape(),
    onUnhandledRequest: z.enum(['bypass', 'warn', 'error']).default('error'),
    allowOtherGateways: z
      .union([z.boolean(), z.array(z.string())], 'true, false or a list of origins')
      .default(false),
  } satisfies OptionSchemas<TestGatewayOptions>);
});

let count = 0;

const howToSet = (option: string): string =>
  `test.override({ gatewayOptions: { ${option} } }); before Vitest 4.1, test.scoped.`;

/**
 * Starts the gateway of a test. Returns it with the function to call when the test has ended.
 *
 * @param isOwn whether the fixture's own MSW server intercepts: only then `onUnhandledRequest` has an effect
 */
export const startTestGateway = async (name: string, testOptions: TestGatewayOptions, isOwn: boolean) => {
  const options = parseOptions(schema(), testOptions);
  const { onUnhandledRequest, allowOtherGateways } = options;
  if (testOptions.onUnhandledRequest !== undefined && !isOwn)
    throw new Error(
      'The option "onUnhandledRequest" has no effect here, since your own MSW server intercepts the requests. Pass the option to its listen().',
    );
  count += 1;
  const host = `test-${count}.gateway.test`;
  const baseUrl = `http://${host}/v1`;
  const { gateway, sessions } = buildGateway({ ...options, baseUrl, createHandlers });
  const watch = new TestWatch(sessions, baseUrl, options, howToSet);
  const outside: string[] = [];
  const elsewhere = new Set<string>();
  const reports = { strays: watch.strays, late: watch.late, outside, elsewhere };
  runningTests.set(host, { name, gateway, onUnhandledRequest, allowOtherGateways, ...reports });

  const { apiKey, virtualKey } = await gateway.scenario.keys();
  const headers = { 'x-gateway-api-key': apiKey, 'x-gateway-virtual-key': virtualKey };
  const { gateway: testGateway, readUse } = withAddress(gateway, { baseUrl, headers });

  /** @throws Error with everything that the test did but must not do */
  const end = async (hasFailed: boolean): Promise<void> => {
    const lost = await settleRequests();
    endRunningTest(host);
    const wayOut = 'Pass gateway.baseUrl to your code.';
    const calledOthers = describeElsewhere([...elsewhere], baseUrl, wayOut, howToSet);
    const problems = [describeOutside(outside), calledOthers, isOwn ? lost : ''];
    failOn(watch.findProblems({ hasFailed, ...readUse(), problems }));
  };
  return { gateway: testGateway satisfies TestGateway, end };
};
