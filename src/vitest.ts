import { getResponse, HttpResponse, http, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import { type TestAPI, test as vitestTest } from 'vitest';
import type { Control } from './control/control.ts';
import { findKeys } from './control/find-keys.ts';
import { type Gateway, type GatewayOptions, openGateway } from './gateway/gateway.ts';
import { gatewayOptionKinds } from './gateway/open-gateway.ts';
import type { RecordedRequest } from './journal/entry.ts';
import { type AssumptionId, assumptions } from './protocol/assumptions.ts';
import { toErrorBody } from './protocol/errors.ts';
import { checkOptions, type OptionKinds } from './protocol/options.ts';

/** The gateway of one test: the control of its world, and what a call to it needs. */
export interface TestGateway extends Control {
  /** What the app under test takes for its base URL. Each test has its own: `http://test-1.gateway.test/v1` */
  readonly baseUrl: string;
  /** Keys that the gateway accepts, as the headers of a call. */
  readonly headers: Readonly<Record<'x-gateway-api-key' | 'x-gateway-virtual-key', string>>;
}

/** What a test's gateway is made from: all that `createGateway` takes, but for the base URL. */
export interface TestGatewayOptions extends Omit<GatewayOptions, 'baseUrl'> {
  /** Whether a test fails whose requests reached no operation. The journal must be on. Default: `'fail'`. */
  readonly unmatched?: 'fail' | 'allow' | undefined;
  /**
   * Whether a test may rely on assumptions, which is where the contract is silent: `true` fails those that do, a list
   * allows the ones in it, `'print'` tells of them after the test. Default: `false`, any will do.
   */
  readonly strict?: boolean | 'print' | readonly AssumptionId[] | undefined;
}

const { baseUrl: _baseUrl, ...withoutBaseUrl } = gatewayOptionKinds;
const testOptionKinds: OptionKinds<TestGatewayOptions> = {
  ...withoutBaseUrl,
  unmatched: 'other',
  strict: 'other',
};

/** What a test is given. */
export interface GatewayFixtures {
  readonly gateway: TestGateway;
  /** To be overridden: by `test.override`, in a `describe` or at the top, or by `test.extend` (both before Vitest 4.1: `test.scoped`). */
  readonly gatewayOptions: TestGatewayOptions;
}

/** A test under way. */
interface TestWorld {
  readonly gateway: Gateway;
  /** Its requests that reached no operation: kept apart from the journal, which the test may clear. */
  readonly strays: string[];
}

/** By the host of their base URLs. */
const worlds = new Map<string, TestWorld>();
let count = 0;

/** A URL that `isAsked` requests to find out whether these handlers are in use. `fetch` refuses its port, so nothing reaches the network. */
const probe = { url: 'http://probe.gateway.test:1/', header: 'x-gateway-mock-probe' };

/**
 * For an MSW server of your own, which must be the only one in the process: start it before the tests (`beforeAll`), and
 * put these first. Without it, the gateway starts one by itself.
 *
 * @example
 * const server = setupServer(...handlers, http.get('https://weather.test/today', () => HttpResponse.json({ sun: 1 })));
 * beforeAll(() => server.listen());
 */
export const handlers: readonly RequestHandler[] = [
  http.all(/^http:\/\/[^/]+\.gateway\.test(?::\d+)?\//, async ({ request }) => {
    if (request.url === probe.url) return new HttpResponse(null, { headers: { [probe.header]: 'here' } });
    const { host, pathname } = new URL(request.url);
    const world = worlds.get(host);
    if (world === undefined) return errorResponse(`No test under way has the host ${host}: has it ended?`);
    const response = await getResponse([...world.gateway.handlers], request);
    if (response !== undefined) return response as HttpResponse<string>;
    const nearest = `The gateway has the base URL http://${host}/v1, and this is not below it.`;
    world.strays.push(describe({ method: request.method, path: pathname, nearest }));
    return errorResponse(nearest);
  }),
];

const errorResponse = (message: string): HttpResponse<string> =>
  HttpResponse.json(toErrorBody({ status: 404, message }), {
    status: 404,
  }) as unknown as HttpResponse<string>;

/**
 * Vitest's `test`, with a gateway for each test: a world of its own, also where tests run concurrently. A test fails
 * if one of its requests matched no operation, unless `gatewayOptions` say otherwise.
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
    if (gatewayServer.isHindered) throw new Error(hindered);
    checkOptions(gatewayOptions, testOptionKinds);
    const { unmatched, strict = false, ...options } = gatewayOptions;
    count += 1;
    const host = `test-${count}.gateway.test`;
    const baseUrl = `http://${host}/v1`;
    const { gateway, subscribe } = openGateway({ ...options, baseUrl });
    const strays: string[] = [];
    const relied = new Map<string, number>();
    subscribe((_session, event) => {
      if (event.type !== 'request') return;
      const request = event.request();
      if (request.operation === null) strays.push(describe(request));
      for (const id of request.assumptions) relied.set(id, (relied.get(id) ?? 0) + 1);
    });
    worlds.set(host, { gateway, strays });
    // Not after `use`: Vitest 4 would run a fixture's end that throws twice, and anew with each retry.
    onTestFinished(() => {
      worlds.delete(host);
      checkAssumptions(relied, strict);
      if (unmatched !== 'allow' && options.journal !== 0) failOn(strays);
    });
    const { api, virtual } = await findKeys(gateway);
    const headers = { 'x-gateway-api-key': api, 'x-gateway-virtual-key': virtual };
    await use({ ...gateway, baseUrl, headers });
  },
});

/** How the calls of a test file come to the handlers. */
interface Interception {
  readonly isHindered: boolean;
  readonly end: () => void;
}

/** Starts to intercept, unless a server of the user's own asks the handlers already. */
const intercept = async (): Promise<Interception> => {
  if (await isAsked()) return { isHindered: false, end: () => {} };
  // MSW's interceptors tell of themselves by this symbol. Of two servers in one process, just the last to start is asked.
  if (Symbol.for('fetch-interceptor') in globalThis) return { isHindered: true, end: () => {} };
  const server = setupServer(...handlers);
  server.listen({ onUnhandledRequest: 'bypass' });
  return { isHindered: false, end: () => server.close() };
};

const hindered =
  "Failed to start the gateway: another MSW server listens in this process, and MSW asks just one. Give that one the gateway's handlers, first of all: import { handlers } from 'gateway-mock/vitest', and setupServer(...handlers, …).";

const isAsked = (): Promise<boolean> =>
  fetch(probe.url).then(
    (response) => response.headers.has(probe.header),
    () => false,
  );

const describe = ({ method, path, nearest }: Pick<RecordedRequest, 'method' | 'path' | 'nearest'>): string =>
  `${method} ${path}: ${nearest}`;

const failOn = (missed: readonly string[]): void => {
  if (missed.length === 0) return;
  fail([
    `${missed.length} ${missed.length === 1 ? 'request' : 'requests'} of this test reached no operation of the gateway:`,
    ...missed.map((line) => `  ${line}`),
    "Where that is meant, allow it: test.override({ gatewayOptions: { unmatched: 'allow' } }); before Vitest 4.1, test.scoped.",
  ]);
};

/** Fails a test, or tells, where its answers rested on assumptions that it may not rely on. */
const checkAssumptions = (uses: ReadonlyMap<string, number>, strict: TestGatewayOptions['strict']): void => {
  const allowed: readonly string[] = Array.isArray(strict) ? strict : [];
  const relied = [...uses].filter(([id]) => !allowed.includes(id)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (strict === false || relied.length === 0) return;
  const lines = relied.map(([id, used]) => {
    const { says } = assumptions[id as AssumptionId]; // the marks of replies are ids of assumptions
    return `  ${id} (${used} ${used === 1 ? 'answer' : 'answers'}): ${says}`;
  });
  const title = 'Answers of this test rested on what the contract does not say:';
  if (strict === 'print') console.info([title, ...lines].join('\n'));
  else {
    const all = JSON.stringify([...allowed, ...relied.map(([id]) => id)]);
    fail([title, ...lines, `Where that is meant, allow it: gatewayOptions: { strict: ${all} }.`]);
  }
};

const fail = (lines: readonly string[]): never => {
  const error = new Error(lines.join('\n'));
  error.stack = `${error.name}: ${error.message}`; // where it was thrown is of no interest
  throw error;
};
