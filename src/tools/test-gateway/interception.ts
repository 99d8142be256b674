// Intercepts the requests of a test process for the gateways of its tests.
import nodeHttp from 'node:http'; // a namespace import: MSW cannot replace members that are imported by name
import { getResponse, HttpResponse, http, passthrough, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import { toErrorBody } from '../../core/protocol/errors.ts';
import { checkMsw } from '../../core/transports/msw.ts';
import { isLoopback } from '../../core/util/loopback.ts';
import type { Gateway } from '../../service/gateway/build-gateway.ts';
import { isAllowed, isGatewayCall } from './other-gateways.ts';

/** A running test, with the lines that its failure will have. */
interface RunningTest {
  readonly name: string;
  readonly gateway: Gateway;
  readonly onUnhandledRequest: 'bypass' | 'warn' | 'error';
  readonly allowOtherGateways: boolean | readonly string[];
  /** Requests to the test's host that are not below its base URL, or to a host that no test has had. */
  readonly strays: string[];
  /** Requests to the host of a test that has ended. */
  readonly late: string[];
  /** Requests to other hosts, if they are errors. */
  readonly outside: string[];
  /** Calls of the gateway that other servers answered, with their status. */
  readonly elsewhere: Set<string>;
}

/** The running tests, by the hosts of their base URLs. */
export const runningTests = new Map<string, RunningTest>();

/** A request that shows whether requests reach the handlers. MSW prints no warning for a path below `/node_modules/`. */
const probe = { url: 'http://probe.gateway.test/node_modules/gateway-mock', header: 'x-gateway-mock-probe' };

/**
 * The gateway's MSW handlers, for your own MSW server. It must be the only one in the process and start before the tests
 * (`beforeAll`), with these handlers first. Without your own server, the fixture starts one.
 *
 * @example
 * const server = setupServer(...handlers, http.get('https://weather.test/today', () => HttpResponse.json({ sun: 1 })));
 * beforeAll(() => server.listen());
 */
export const handlers: readonly RequestHandler[] = [
  http.all(/^http:\/\/[^/]+\.gateway\.test(?::\d+)?\//, async ({ request }) => {
    if (request.url === probe.url) return new HttpResponse(null, { headers: { [probe.header]: 'here' } });
    const { host, pathname } = new URL(request.url);
    const test = runningTests.get(host);
    if (test === undefined) return toUnknownHostReply(request);
    const response = await getResponse([...test.gateway.handlers], request);
    if (response !== undefined) return response as HttpResponse<string>;
    const nearest = `The request is not below the gateway's base URL, http://${host}/v1.`;
    test.strays.push(`${request.method} ${pathname}: ${nearest}`);
    return notFound(nearest);
  }),
];

/** The names of the tests that have ended, by the hosts of their base URLs. */
const endedTests = new Map<string, string>();

/** Refuses a request with the base URL of an earlier test, or a mistyped base URL, and reports it to all running tests. */
const toUnknownHostReply = ({ method, url }: Request): HttpResponse<string> => {
  const { origin, pathname, host } = new URL(url);
  const ended = endedTests.get(host);
  const nearest =
    ended === undefined
      ? `No test has the host ${host}. Use the test's base URL (gateway.baseUrl).`
      : `The test "${ended}", whose base URL it is, has ended.`;
  for (const { strays, late } of runningTests.values())
    (ended === undefined ? strays : late).push(`${method} ${origin}${pathname}: ${nearest}`);
  if (runningTests.size === 0)
    warnOnce(`${method} ${origin}${pathname} was sent while no test was running. ${nearest}`);
  return notFound(nearest);
};

/** Prints a warning, unless it was printed before: an app may poll on after its test. */
const warnOnce = (warning: string): void => {
  if (warnings.has(warning)) return;
  warnings.add(warning);
  console.warn(warning);
};

const warnings = new Set<string>();

const notFound = (message: string): HttpResponse<string> =>
  HttpResponse.json(toErrorBody({ status: 404, message }), {
    status: 404,
  }) as unknown as HttpResponse<string>; // the reply type of all handlers

/** The option of the test that ended last. */
let lastPolicy: RunningTest['onUnhandledRequest'] = 'error';

/** Ends a test. Its host is unknown from now on. */
export const endRunningTest = (host: string): void => {
  const test = runningTests.get(host);
  lastPolicy = test?.onUnhandledRequest ?? lastPolicy;
  endedTests.set(host, test?.name ?? '');
  runningTests.delete(host);
  if (runningTests.size > 0) return;
  reported.clear();
  callsElsewhere.clear();
};

/** The ids of reported requests: with another MSW server, MSW calls a handler twice if it returned an error. */
const reported = new Set<string>();

/** Handles requests that are not for a gateway. It is the last handler of the fixture's own server. */
const outside = http.all('*', ({ request, requestId }) => {
  const isReported = reported.has(requestId);
  reported.add(requestId);
  const { origin, pathname, hostname } = new URL(request.url);
  const described = `${request.method} ${origin}${pathname}`; // a query may contain a credential
  const tests = [...runningTests.values()];
  if (isGatewayCall(request.method, request.url, request.headers.get('x-gateway-api-key')))
    callsElsewhere.set(requestId, tests);
  if (isLoopback(hostname)) return passthrough();
  const strict = tests.filter(({ onUnhandledRequest }) => onUnhandledRequest === 'error');
  const isStopped = strict.length > 0;
  if (isReported) return isStopped ? HttpResponse.error() : passthrough();
  for (const test of strict) test.outside.push(described);
  if (isStopped) return HttpResponse.error();
  if (tests.length === 0 && lastPolicy !== 'bypass')
    // The request is performed, since it may belong to a hook that cleans up.
    warnOnce(
      `${described} was sent while no test was running, and is not for the gateway. It was performed.`,
    );
  else if (tests.some(({ onUnhandledRequest }) => onUnhandledRequest === 'warn'))
    console.warn(`${described} is not for the gateway. It was performed.`);
  return passthrough();
});

/** The tests that ran when a call of the gateway was sent to another server, by the id of the request. */
const callsElsewhere = new Map<string, readonly RunningTest[]>();

/** The timer of Node, taken before fake timers of a test can replace it. */
const nextTurn = setImmediate;

/**
 * Waits until requests that were begun arrive at the handlers, so that a test is also checked for requests that it did not await.
 * Returns a problem if requests no longer arrive there; otherwise an empty text.
 */
export const settleRequests = async (): Promise<string> => {
  await isIntercepting(); // this request arrives after all earlier requests
  await new Promise((done) => nextTurn(done)); // MSW 3 passes on a request with a body one turn later
  if (await isIntercepting()) return '';
  return `The gateway no longer gets the requests of this test: during the test, ${otherServer}`;
};

/**
 * Starts to intercept, unless the user's own MSW server has the handlers already. Returns whether the fixture's own server
 * intercepts, and how it ends.
 */
export const intercept = async () => {
  checkMsw();
  if (await isIntercepting()) return { isOwn: false, end: () => {} };
  const server = setupServer(...handlers, outside);
  server.events.on('response:bypass', ({ request: { method, url }, response, requestId }) => {
    const { origin, pathname } = new URL(url);
    for (const { elsewhere, allowOtherGateways } of callsElsewhere.get(requestId) ?? [])
      if (!isAllowed(url, allowOtherGateways))
        elsewhere.add(`${method} ${origin}${pathname}: ${response.status}`);
  });
  server.listen();
  return { isOwn: true, end: () => server.close() };
};

const otherServer =
  "another MSW server was started in this process, and only the last one intercepts requests. Pass it the gateway's handlers first: import { handlers } from 'gateway-mock/vitest', and setupServer(...handlers, …).";

/** @throws Error if another MSW server was started since: only the last server in a process intercepts */
export const expectInterception = async (): Promise<void> => {
  if (!(await isIntercepting())) throw new Error(`Failed to start the gateway: ${otherServer}`);
};

/** Whether requests arrive at the handlers. Nothing reaches the network: the host name is not resolved. */
const isIntercepting = (): Promise<boolean> =>
  new Promise((resolve) => {
    const lookup = (_host: string, _options: object, done: (error: Error, address: string) => void) =>
      done(new Error('No MSW server has the handlers.'), '');
    nodeHttp
      .get(probe.url, { agent: false, lookup }, (response) => {
        response.resume();
        resolve(probe.header in response.headers);
      })
      .on('error', () => resolve(false));
  });
