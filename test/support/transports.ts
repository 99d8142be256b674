import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, inject } from 'vitest';
import { setupGateway } from '../../src/node.ts';
import type { Control } from '../../src/service/control/control-interface.ts';
import { createGateway } from '../../src/service/gateway/create-gateway.ts';
import type { GatewayOptions } from '../../src/service/gateway/gateway-options.ts';
import { isFull } from './settings.ts';

// What listens is loaded where it is started: `unit` does without, and starts the sooner.

/** One transport around a gateway. */
export interface Transport {
  readonly baseUrl: string;
  readonly control: Control;
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

type StartTransport = (options?: GatewayOptions) => Promise<Transport>;

const startInProcess: StartTransport = async (options) => {
  const baseUrl = 'http://gateway.test/v1';
  const gateway = setupGateway({ ...options, baseUrl });
  gateway.listen({ onUnhandledRequest: 'bypass' });
  return { baseUrl, control: gateway, reset: gateway.reset, close: async () => gateway.close() };
};

const startInOwnServer: StartTransport = async (options) => {
  const baseUrl = 'http://gateway.test/v1';
  const gateway = createGateway({ ...options, baseUrl });
  const server = setupServer(...gateway.handlers);
  server.listen({ onUnhandledRequest: 'bypass' });
  return { baseUrl, control: gateway, reset: gateway.reset, close: async () => server.close() };
};

/** By `gateway.fetch`, which stands in for the global one here: so the tests call it like all others. */
const startByFetch: StartTransport = async (options) => {
  const baseUrl = 'http://fetch.test/v1';
  const gateway = createGateway({ ...options, baseUrl });
  const before = globalThis.fetch;
  const isOurs = (input: string | URL | Request) =>
    new URL(input instanceof Request ? input.url : input).origin === new URL(baseUrl).origin;
  globalThis.fetch = (input, init) => (isOurs(input) ? gateway.fetch(input, init) : before(input, init));
  const close = async () => {
    globalThis.fetch = before;
  };
  return { baseUrl, control: gateway, reset: gateway.reset, close };
};

const startHttp =
  (transport: 'direct' | 'msw'): StartTransport =>
  async (options) => {
    const { startServer } = await import('../../src/server.ts');
    const server = await startServer({ ...options, transport });
    return { ...server, control: server };
  };

const startInExpress: StartTransport = async (options) => {
  const [{ default: express }, { listenTo }] = await Promise.all([import('express'), import('./listen.ts')]);
  const gateway = createGateway(options);
  const app = express().disable('x-powered-by').use('/mock', gateway.middleware());
  const { url, close } = await listenTo(app);
  return { baseUrl: `${url}/mock/v1`, control: gateway, reset: gateway.reset, close };
};

/** The transports that must answer alike. */
export const transports: Readonly<Record<string, StartTransport>> = {
  'in process': startInProcess,
  'gateway.fetch': startByFetch,
  'the server, the direct way': startHttp('direct'),
  'the server through MSW': startHttp('msw'),
  "a user's own Express app": startInExpress,
};

/** The same, and handlers in an MSW server of the user's own, which differs in what MSW does around them. */
export const allTransports: typeof transports = {
  ...transports,
  "a user's own setupServer": startInOwnServer,
};

/** Headers that every call here carries unless it says otherwise. */
export const keys = { 'x-gateway-api-key': 'test-key', 'x-gateway-virtual-key': 'test-virtual-key' };

/** What tests of a transport work with. */
interface TransportSuite {
  /** Calls `path` below the base URL, with both keys unless `headers` are given. */
  readonly call: (path: string, init?: RequestInit) => Promise<Response>;
  /** Gets a path, and its JSON whatever the status. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies that the contract was held against already
  readonly getJson: (path: string, init?: RequestInit) => Promise<any>;
  readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
  readonly baseUrl: () => string;
  readonly control: () => Control;
  /** In full all cases; otherwise those that fall to this transport, at least one: the transports together try each of them. */
  readonly share: <const Case>(cases: readonly Case[]) => readonly Case[];
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly mayListen: boolean;
  }
}

/** In full all cases; otherwise every `count`th, so that as many shares have them all. None of them is empty. */
export const shareOf = <Case>(cases: readonly Case[], index: number, count: number): readonly Case[] =>
  isFull ? cases : cases.filter((_, at) => at % count === index % Math.min(count, cases.length));

/**
 * Writes one suite down once, and runs it over every transport that this project may start: only the one that listens on no socket in
 * `unit` and `worlds`. What these have run in process, `transports` runs again only in full.
 */
export const describeTransports = (
  title: string,
  options: GatewayOptions,
  suite: (transport: TransportSuite) => void,
  among: typeof transports = transports,
): void => {
  const isElsewhere = !isFull && /\.transports\.test\.ts$/.test(expect.getState().testPath ?? '');
  const started = Object.entries(among).filter(([name]) =>
    name === 'in process' ? !inject('mayListen') || !isElsewhere : inject('mayListen'),
  );
  describe.each(started)(`${title} (%s)`, (name, start) => {
    let transport: Transport;
    beforeAll(async () => {
      transport = await start(options);
    });
    afterAll(() => transport.close());
    const call: TransportSuite['call'] = (path, init) =>
      fetch(transport.baseUrl + path, { headers: keys, ...init });
    suite({
      call,
      getJson: async (path, init) => (await call(path, init)).json(),
      post: (path, body, headers = { ...keys, 'content-type': 'application/json' }) =>
        call(path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) }),
      baseUrl: () => transport.baseUrl,
      control: () => transport.control,
      share: (cases) =>
        shareOf(
          cases,
          started.findIndex(([one]) => one === name),
          started.length,
        ),
    });
  });
};
