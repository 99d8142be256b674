import { gateway as gatewayDocument } from 'virtual:openapi';
import type { Answer, SettledCall } from '../../core/protocol/call.ts';
import { createListener, type NodeListener } from '../../core/transports/node-http.ts';
import { reportBug } from '../../core/util/bug.ts';
import { createAdminListener } from '../admin/admin-listener.ts';
import { answer } from '../gateway/answer.ts';
import { buildGateway, type Gateway } from '../gateway/build-gateway.ts';
import type { AnswerContext } from '../gateway/find.ts';
import type { GatewaySettings } from '../gateway/gateway-contents.ts';
import { addCalls } from '../openapi/add-calls.ts';
import { addOwnPrompt } from '../openapi/add-own-prompt.ts';
import { toAnsweredCall } from './answered-call.ts';
import { drain } from './drain.ts';
import { createHosts, toHost } from './hosts.ts';
import { createServerListener } from './listener.ts';
import { Metrics } from './metrics.ts';
import { openFiles, openStateDir, refuseUnread } from './server-files.ts';
import { type ParsedServerOptions, parseServerOptions, type ServerOptions } from './server-options.ts';
import { answerSocketErrors } from './socket-errors.ts';
import type { StateDir } from './state/state-dir.ts';
import { toTlsPair } from './tls-pair.ts';
import { openUpstream } from './upstream.ts';
import { createWebServer, listen } from './web-server.ts';

/** A running server, and the control of its default session. Its `handlers` need `msw`, and throw if it is not installed. */
export interface GatewayServer extends Gateway {
  /** The address of the server, such as `http://127.0.0.1:4010`; with `tlsCert`, it begins with `https`. */
  readonly url: string;
  /** The base URL for clients, such as `http://127.0.0.1:4010/v1`. */
  readonly baseUrl: string;
  /** The base URL of the admin API, such as `http://127.0.0.1:4010/__admin`. */
  readonly adminUrl: string;
  /**
   * Stops the server, and ends pending waits and event streams. Open calls get half a second to end, then all sockets are closed.
   * With a state directory, they get ten seconds, and the sessions are stored. Afterwards, the control throws.
   */
  readonly close: () => Promise<void>;
}

interface ServerHooks extends Pick<GatewaySettings, 'createHandlers' | 'onWarning'> {
  /** Returns the last error that a user's own call left behind. */
  readonly lastStrayError?: (() => string | undefined) | undefined;
}

/** Starts an HTTP server. It loads MSW only if calls go through it. */
export const openServer = async (startOptions: ServerOptions, hooks: ServerHooks = {}) => {
  const options = parseServerOptions(startOptions);
  const stateDir = await openStateDir(options);
  try {
    return await start(options, stateDir, hooks);
  } catch (error) {
    await stateDir?.close();
    throw error;
  }
};

const start = async (options: ParsedServerOptions, stateDir: StateDir | undefined, hooks: ServerHooks) => {
  const tls = await toTlsPair(options);
  const files = await openFiles(options);
  const { scenario } = files;
  const library = files.readLibrary();
  await refuseUnread(options, scenario, library);
  const calls = await files.readCalls();
  let document = addCalls(gatewayDocument, calls);
  const upstream = await openUpstream(options);
  // The gateway takes its options from those of the server.
  const built = buildGateway({ ...options, calls, scenario, library, ...hooks, store: stateDir });
  const { gateway, commandContextOf, answerContext, sessions } = built;
  const metrics = new Metrics(sessions);
  // Only calls over HTTP are forwarded, counted and logged.
  const overHttp: AnswerContext = {
    ...answerContext,
    upstream,
    onCallSettled: (settled) => {
      metrics.count(settled);
      reportCall(settled, options, answerContext);
    },
  };
  const { isOwnHost, learn } = createHosts(options.adminHosts);
  const guard = { isOwnHost, token: options.adminToken };
  let isStopping = false;
  const listener = createServerListener({
    callListener: await createCallListener((call) => answer(overHttp, call), options),
    adminListener: createAdminListener({ commandContextOf, sessions, guard, metrics: metrics.read }),
    document: () => addOwnPrompt(document, gateway.records),
    guard,
    hasHandlers: options.handlers.length > 0,
    isStopping: () => isStopping,
    lastStrayError: hooks.lastStrayError,
  });
  const web = await createWebServer(options.requestTimeout, tls, listener);
  answerSocketErrors(web.server);
  const { port, address, family } = await listen(web.server, options.port, options.host);
  learn(address);
  const url = `${tls === undefined ? 'http' : 'https'}://${toHost(address, family)}:${port}`;
  const stopWatching = files.watch(built, async (reload) => {
    try {
      const nextCalls = await files.readCalls();
      reload(nextCalls);
      document = addCalls(gatewayDocument, nextCalls);
      options.onReload?.(undefined);
      metrics.reloads.succeeded += 1;
    } catch (error) {
      metrics.reloads.failed += 1;
      options.onReload?.(error instanceof Error ? error : new Error(String(error)));
    }
  });
  const stop = async (): Promise<void> => {
    isStopping = true;
    stopWatching();
    await drain(web, sessions, stateDir);
    built.setClosed(true);
  };
  const addresses = { url, baseUrl: `${url}/v1`, adminUrl: `${url}/__admin` };
  const running: GatewayServer = Object.assign(gateway, addresses, { close: stop });
  Object.defineProperty(running, 'handlers', { enumerable: false }); // a copy, `{ ...server }`, would read them: without MSW, that throws
  return { server: running, sessions };
};

const createCallListener = async (
  answerCall: Answer,
  { handlers, transport }: ParsedServerOptions,
): Promise<NodeListener> => {
  const answerDirectly = createListener(answerCall);
  if (transport === 'direct' && handlers.length === 0) return answerDirectly;
  const [{ createApp }, { checkHttpMiddleware }] = await Promise.all([
    import('../../core/transports/express.ts'),
    import('../../core/transports/handler-middleware.ts'),
  ]);
  if (transport === 'msw') checkHttpMiddleware();
  return createApp(handlers, answerCall, answerDirectly);
};

/** Tells the user of a reply over HTTP that was sent or lost. */
const reportCall = (
  settled: SettledCall,
  { onCall }: ParsedServerOptions,
  { isCredential }: AnswerContext,
): void => {
  if (onCall === undefined) return;
  // `onCall` may be an async function: an error that nobody handles would end the process.
  new Promise((resolve) => resolve(onCall(toAnsweredCall(settled, isCredential)))).catch(reportBug);
};
