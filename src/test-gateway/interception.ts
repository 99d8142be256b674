// How the requests of a test process come to the gateways of its tests.
import nodeHttp from 'node:http'; // MSW does not reach what is imported by name
import { getResponse, HttpResponse, http, passthrough, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import { isLoopback } from '../admin/guard.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { toErrorBody } from '../protocol/errors.ts';
import { type Departure, type Departures, toDeparture, watchDepartures } from './departures.ts';

/** A test under way. */
export interface TestUnderWay {
  readonly gateway: Gateway;
  readonly onUnhandledRequest: 'bypass' | 'warn' | 'error';
  /** Called with a request to the test's host that is not below its base URL, or to one that no test has. */
  readonly onStray: (request: {
    readonly method: string;
    readonly path: string;
    readonly nearest: string;
  }) => void;
  /** Called with a request to another host, where such requests are errors. */
  readonly onOutside: (request: string) => void;
  /** What left the process during the test, and what of it came here. */
  readonly departures: Departures;
}

/** The tests under way, by the hosts of their base URLs. */
export const testsUnderWay = new Map<string, TestUnderWay>();

/** MSW prints no warning about what looks like a file of a package. */
const probe = { url: 'http://probe.gateway.test/node_modules/gateway-mock', header: 'x-gateway-mock-probe' };

/**
 * For an MSW server of your own, which must be the only one in the process: start it before the tests (`beforeAll`), and
 * put these first. Without one, the fixture starts a server by itself.
 *
 * @example
 * const server = setupServer(...handlers, http.get('https://weather.test/today', () => HttpResponse.json({ sun: 1 })));
 * beforeAll(() => server.listen());
 */
export const handlers: readonly RequestHandler[] = [
  http.all(/^http:\/\/[^/]+\.gateway\.test(?::\d+)?\//, async ({ request }) => {
    if (request.url === probe.url) return new HttpResponse(null, { headers: { [probe.header]: 'here' } });
    noteSeen(request);
    const { host, pathname } = new URL(request.url);
    const test = testsUnderWay.get(host);
    if (test === undefined) return refuseUnknownHost(request);
    const response = await getResponse([...test.gateway.handlers], request);
    if (response !== undefined) return response as HttpResponse<string>;
    const nearest = `The gateway has the base URL http://${host}/v1, and this is not below it.`;
    test.onStray({ method: request.method, path: pathname, nearest });
    return notFound(nearest);
  }),
];

/** The base URL of an earlier test, say, or one that is mistyped: whichever test sent it, it tested nothing. */
const refuseUnknownHost = ({ method, url }: Request): HttpResponse<string> => {
  const { origin, pathname, host } = new URL(url);
  const nearest = `No test under way has the host ${host}: has it ended? Take the base URL from the test (gateway.baseUrl).`;
  for (const { onStray } of testsUnderWay.values()) onStray({ method, path: origin + pathname, nearest });
  if (testsUnderWay.size === 0) console.warn(`${method} ${origin}${pathname} came between tests. ${nearest}`);
  return notFound(nearest);
};

const noteSeen = ({ method, url }: Request): void => {
  const departure = toDeparture(method, url);
  for (const { departures } of testsUnderWay.values()) if (departure !== undefined) departures.see(departure);
};

const notFound = (message: string): HttpResponse<string> =>
  HttpResponse.json(toErrorBody({ status: 404, message }), {
    status: 404,
  }) as unknown as HttpResponse<string>; // one type for all replies of a handler

/** What the test that ended last said about requests to other hosts. */
let lastPolicy: TestUnderWay['onUnhandledRequest'] = 'error';

/** Ends a test: its host is nobody's from now on. */
export const endTestUnderWay = (host: string): void => {
  lastPolicy = testsUnderWay.get(host)?.onUnhandledRequest ?? lastPolicy;
  testsUnderWay.delete(host);
  if (testsUnderWay.size === 0) toldOf.clear();
};

/** By their ids: beside another server, MSW asks for an answer twice where the first one was an error. */
const toldOf = new Set<string>();

/** Decides about requests that are not for a gateway: behind all other handlers of the fixture's own server. */
const outside = http.all('*', ({ request, requestId }) => {
  const isToldOf = toldOf.has(requestId);
  toldOf.add(requestId);
  const { origin, pathname, hostname } = new URL(request.url);
  const described = `${request.method} ${origin}${pathname}`; // a query may hold a credential
  if (isLoopback(hostname)) return passthrough();
  const tests = [...testsUnderWay.values()];
  const strict = tests.filter(({ onUnhandledRequest }) => onUnhandledRequest === 'error');
  const isStopped = strict.length > 0;
  if (isToldOf) return isStopped ? HttpResponse.error() : passthrough();
  noteSeen(request);
  for (const { onOutside } of strict) onOutside(described);
  if (isStopped) return HttpResponse.error();
  if (tests.length === 0 && lastPolicy !== 'bypass')
    // It may be a hook's own business, such as to tidy up: to stop it would break that.
    console.warn(`${described} came between tests, and is not for the gateway. It was let through.`);
  else if (tests.some(({ onUnhandledRequest }) => onUnhandledRequest === 'warn'))
    console.warn(`${described} is not for the gateway. It was let through.`);
  return passthrough();
});

/** Requests that MSW does not reach, such as those of undici. */
const noteDeparture = (departure: Departure): void => {
  const isOwn = isLoopback(departure.hostname) || departure.hostname === new URL(probe.url).hostname;
  if (!isOwn) for (const { departures } of testsUnderWay.values()) departures.begin(departure);
};

/** How often the event loop turns before a request that Node told of has come to MSW, by far. */
const maxTurns = 50;

/** Waits until what was begun has come to the handlers, so that a test answers for what it did not await. */
export const settleRequests = async ({ departures }: TestUnderWay): Promise<void> => {
  for (let turn = 0; turn < maxTurns && departures.unseen().length > 0; turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  for (let round = 0; round < 2; round += 1) await isAsked(); // it takes the same way, behind all others
};

/** How the calls of a test file come to the handlers. */
export interface Interception {
  /** Whether the server is the fixture's own, and not one of the user's. */
  readonly isOwn: boolean;
  readonly end: () => void;
}

/** Starts to intercept, unless a server of the user's own asks the handlers already. */
export const intercept = async (): Promise<Interception> => {
  if (await isAsked()) return { isOwn: false, end: () => {} };
  const server = setupServer(...handlers, outside);
  server.listen();
  const stopWatching = watchDepartures(noteDeparture);
  return {
    isOwn: true,
    end: () => {
      stopWatching();
      server.close();
    },
  };
};

/** @throws Error where another MSW server was started since: of several in a process, just the last is asked */
export const expectInterception = async (): Promise<void> => {
  if (await isAsked()) return;
  throw new Error(
    "Failed to start the gateway: another MSW server was started in this process, and MSW asks only the last one. Give that one the gateway's handlers, first of all: import { handlers } from 'gateway-mock/vitest', and setupServer(...handlers, …).",
  );
};

/** Whether a request comes to the handlers. Nothing reaches the network: the name is not looked up. */
const isAsked = (): Promise<boolean> =>
  new Promise((resolve) => {
    const lookup = (_host: string, _options: object, done: (error: Error, address: string) => void) =>
      done(new Error('No MSW server asks the handlers.'), '');
    nodeHttp
      .get(probe.url, { agent: false, lookup }, (response) => {
        response.resume();
        resolve(probe.header in response.headers);
      })
      .on('error', () => resolve(false));
  });
