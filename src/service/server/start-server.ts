import { gateway as gatewayDocument } from 'virtual:openapi';
import { version } from 'virtual:shipped';
import type { Answer } from '../../core/protocol/call.ts';
import { ControlError } from '../../core/protocol/errors.ts';
import { defaultSession } from '../../core/protocol/session-name.ts';
import { shippedLibrary } from '../../core/scenario/library.ts';
import { folderOf, isScenarioPath, nameOf } from '../../core/scenario/path.ts';
import { createListener, type NodeListener } from '../../core/transports/node-http.ts';
import { reportBug } from '../../core/util/bug.ts';
import { createAdminListener } from '../admin/admin-listener.ts';
import { buildGateway, type Gateway, type GatewaySettings } from '../gateway/build-gateway.ts';
import type { DefinedCall } from '../gateway/own-calls.ts';
import { addCalls } from '../openapi/add-calls.ts';
import { addOwnPrompt } from '../openapi/add-own-prompt.ts';
import { toAnsweredCall } from './answered-call.ts';
import { createHosts, toHost } from './hosts.ts';
import { createServerListener } from './listener.ts';
import { loadCalls } from './load-calls.ts';
import { createMetrics } from './metrics.ts';
import { type ParsedServerOptions, parseServerOptions, type ServerOptions } from './server-options.ts';
import { answerSocketErrors } from './socket-errors.ts';
import type { StateDir } from './state/state-dir.ts';
import { nameInErrors } from './stray-errors.ts';
import { toTlsPair } from './tls-pair.ts';
import { openUpstream } from './upstream.ts';
import { close, createWebServer, listen } from './web-server.ts';

/** How long a server that stores its sessions waits for the calls under way, in milliseconds. */
const longestDrain = 10_000;

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

/** What an entry point or a command adds to a server. */
interface ServerHooks extends Pick<GatewaySettings, 'createHandlers' | 'onWarning'> {
  /** Returns the last error that a user's own call left behind. */
  readonly lastError?: (() => string | undefined) | undefined;
}

/** Starts an HTTP server. It loads MSW only if calls go through it. */
export const openServer = async (startOptions: ServerOptions, hooks: ServerHooks = {}) => {
  const options = parseServerOptions(startOptions);
  const state = await openState(options);
  try {
    return await start(options, state, hooks);
  } catch (error) {
    await state?.close();
    throw error;
  }
};

const start = async (options: ParsedServerOptions, state: StateDir | undefined, hooks: ServerHooks) => {
  const tls = await toTlsPair(options);
  const { paths, scenario } = findScenarioFiles(options);
  const callsFile = typeof options.calls === 'string' ? options.calls : undefined;
  const readCalls = async () =>
    typeof options.calls === 'string' ? nameInErrors(await loadCalls(options.calls)) : options.calls;
  if (options.watch && paths.length === 0 && callsFile === undefined)
    throw new Error(
      'Failed to watch: there are no files. Give a scenario file, folders of scenarios, or a file of calls.',
    );
  // The YAML parser is loaded only if there are files.
  const folder = paths.length === 0 ? undefined : await import('../../core/scenario/folder.ts');
  const watching = options.watch ? await import('../../core/scenario/watch-paths.ts') : undefined;
  const { upstream } = options;
  const upstreamServer = upstream === undefined ? undefined : await openUpstream(upstream, options);
  const library = folder?.readLibrary(paths);
  if (
    typeof options.scenario === 'string' &&
    typeof scenario === 'string' &&
    !Object.hasOwn((library ?? shippedLibrary).scenarios, scenario)
  ) {
    const { explainScenario } = await import('../../core/scenario/folder.ts');
    const reason = explainScenario(options.scenario);
    if (reason !== undefined)
      throw new Error(`Failed to load the scenario "${options.scenario}": ${reason}.`);
  }
  const calls = await readCalls();
  let document = addCalls(gatewayDocument, calls);
  const built = buildGateway({
    ...options,
    calls,
    scenario,
    library,
    ...hooks,
    store: state,
    upstreamServer,
  });
  const { gateway, contextOf, answerOverHttp, onSent, restart, sessions } = built;
  const metrics = createMetrics(sessions);
  onSent.add(metrics.count);
  const { onCall } = options;
  if (onCall !== undefined)
    onSent.add((sent) => {
      // It may be an async function. If nobody handled its error, that would end the process.
      new Promise((resolve) => resolve(onCall(toAnsweredCall(sent, built.isCredential)))).catch(reportBug);
    });
  const { isOwnHost, learn } = createHosts(options.adminHosts);
  const guard = { isOwnHost, token: options.adminToken };
  let isStopping = false;
  const listener = createServerListener({
    answerCall: await createCallListener(answerOverHttp, options),
    answerAdmin: createAdminListener({ contextOf, sessions, guard, metrics: metrics.read }),
    document: () => addOwnPrompt(document, gateway.records),
    guard,
    hasHandlers: options.handlers.length > 0,
    isStopping: () => isStopping,
    lastError: hooks.lastError,
  });
  const web = await createWebServer(options.requestTimeout, tls, listener);
  const { server } = web;
  answerSocketErrors(server);
  const { port, address, family } = await listen(server, options.port, options.host).catch(
    async (error: unknown) => {
      await state?.close(sessions.inMemory.values());
      throw error;
    },
  );
  learn(address);
  const url = `${tls === undefined ? 'http' : 'https'}://${toHost(address, family)}:${port}`;

  const reload = async (apply: (calls: readonly DefinedCall[]) => void): Promise<void> => {
    try {
      const next = await readCalls();
      apply(next);
      document = addCalls(gatewayDocument, next);
      options.onReload?.(undefined);
      metrics.reloads.succeeded += 1;
    } catch (error) {
      metrics.reloads.failed += 1;
      options.onReload?.(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const reloadAll = (calls: readonly DefinedCall[]): void =>
    restart(scenario, folder?.readLibrary(paths) ?? shippedLibrary, calls);
  const stopWatching = [
    watching?.watchPaths(paths, () => void reload(reloadAll)),
    callsFile && watching?.watchPaths([callsFile], () => void reload(built.setCalls)),
  ];
  const stop = async (): Promise<void> => {
    isStopping = true;
    for (const stop of stopWatching) if (stop) stop();
    const message = 'Failed to wait for requests: the server was closed.';
    // The next server with the directory continues with the session: a client may wait again.
    const createReason = () => (state === undefined ? new Error(message) : new ControlError(503, message));
    const endWaiting = (): void => {
      for (const { journal } of sessions.inMemory.values()) journal.endWaits(createReason);
      sessions.events.emit(defaultSession, { type: 'closed' });
    };
    endWaiting();
    await close(web, state === undefined ? 500 : longestDrain);
    endWaiting(); // waits that began meanwhile
    await state?.close(sessions.inMemory.values());
    built.setClosed(true);
  };
  const addresses = { url, baseUrl: `${url}/v1`, adminUrl: `${url}/__admin` };
  // Not copied, since that would read the handlers.
  const running: GatewayServer = Object.assign(gateway, addresses, { close: stop });
  return { server: running, sessions };
};

/** @throws Error if the directory cannot be used */
const openState = async ({ stateDir, onStateError }: ParsedServerOptions): Promise<StateDir | undefined> => {
  if (stateDir === undefined) return undefined;
  const { StateDir } = await import('./state/state-dir.ts');
  return StateDir.open(stateDir, version, (message) => {
    if (onStateError === undefined) console.warn(`gateway-mock: ${message}`);
    else onStateError(new Error(message));
  });
};

/** The files to read, and the scenario: a path is replaced by the name that the scenario has once its file is read. */
export const findScenarioFiles = ({
  scenario,
  scenarios,
}: Pick<ParsedServerOptions, 'scenario' | 'scenarios'>) =>
  typeof scenario === 'string' && isScenarioPath(scenario)
    ? { paths: [...scenarios, folderOf(scenario), scenario], scenario: nameOf(scenario) }
    : { paths: scenarios, scenario };

const createCallListener = async (
  answer: Answer,
  { handlers, transport }: ParsedServerOptions,
): Promise<NodeListener> => {
  const answerDirectly = createListener(answer);
  if (transport === 'direct' && handlers.length === 0) return answerDirectly;
  const [{ createApp }, { checkHttpMiddleware }] = await Promise.all([
    import('../../core/transports/express.ts'),
    import('../../core/transports/handler-middleware.ts'),
  ]);
  if (transport === 'msw') checkHttpMiddleware();
  return createApp(handlers, answer, answerDirectly);
};
