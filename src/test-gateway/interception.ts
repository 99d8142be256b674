// How the requests of a test process come to the gateways of its tests.
import nodeHttp from 'node:http'; // MSW does not reach what is imported by name
import { getResponse, HttpResponse, http, passthrough, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import { isLoopback } from '../admin/guard.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { toErrorBody } from '../protocol/errors.ts';

/** A test under way. */
export interface TestUnderWay {
  readonly gateway: Gateway;
  readonly onUnhandledRequest: 'bypass' | 'warn' | 'error';
  /** Called with a request to the test's host that is not below its base URL. */
  readonly onStray: (request: {
    readonly method: string;
    readonly path: string;
    readonly nearest: string;
  }) => void;
  /** Called with a request to another host, where such requests are errors. */
  readonly onOutside: (request: string) => void;
}

/** The tests under way, by the hosts of their base URLs. */
export const testsUnderWay = new Map<string, TestUnderWay>();

const probe = { url: 'http://probe.gateway.test/', header: 'x-gateway-mock-probe' };

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
    const { host, pathname } = new URL(request.url);
    const test = testsUnderWay.get(host);
    if (test === undefined) return notFound(`No test under way has the host ${host}: has it ended?`);
    const response = await getResponse([...test.gateway.handlers], request);
    if (response !== undefined) return response as HttpResponse<string>;
    const nearest = `The gateway has the base URL http://${host}/v1, and this is not below it.`;
    test.onStray({ method: request.method, path: pathname, nearest });
    return notFound(nearest);
  }),
];

const notFound = (message: string): HttpResponse<string> =>
  HttpResponse.json(toErrorBody({ status: 404, message }), {
    status: 404,
  }) as unknown as HttpResponse<string>; // one type for all replies of a handler

/** Decides about requests that are not for a gateway: behind all other handlers of the fixture's own server. */
const outside = http.all('*', ({ request: { url, method } }) => {
  const { origin, pathname, hostname } = new URL(url);
  const described = `${method} ${origin}${pathname}`; // a query may hold a credential
  if (isLoopback(hostname)) return passthrough();
  const tests = [...testsUnderWay.values()];
  const strict = tests.filter(({ onUnhandledRequest }) => onUnhandledRequest === 'error');
  for (const { onOutside } of strict) onOutside(described);
  if (strict.length > 0) return HttpResponse.error();
  if (tests.some(({ onUnhandledRequest }) => onUnhandledRequest === 'warn'))
    console.warn(`${described} is not for the gateway. It was let through.`);
  return passthrough();
});

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
  return { isOwn: true, end: () => server.close() };
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
