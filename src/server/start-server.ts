import { getHeapStatistics } from 'node:v8';
import { version } from 'virtual:shipped';
import type { RequestHandler } from 'msw';
import { createAdminListener } from '../admin/node-http.ts';
import {
  type GatewayOptions,
  gatewayOptionKinds,
  type OpenPlainGateway,
  openPlainGateway,
  type PlainGateway,
} from '../gateway/open-gateway.ts';
import { openapiListener } from '../openapi/node-http.ts';
import { ControlError } from '../protocol/errors.ts';
import { defaultSession } from '../protocol/session-name.ts';
import { folderOf, isScenarioPath, nameOf } from '../scenario/path.ts';
import type { Scenario, ScenarioName } from '../scenario/schema.ts';
import type { AnswerCall } from '../transports/answer.ts';
import { createListener, type NodeListener } from '../transports/node-http.ts';
import { limits } from '../util/limits.ts';
import { checkOptions, type OptionKinds } from '../util/options.ts';
import { type AnsweredCall, reportCalls } from './answered-call.ts';
import { createHosts, toHost } from './hosts.ts';
import { close, listen } from './listen.ts';
import { countCalls, createMetrics } from './metrics.ts';
import { createProbes, type Probes } from './probes.ts';
import { createRootListener } from './root.ts';
import { answerSocketErrors } from './socket-errors.ts';
import type { StateDir } from './state/state-dir.ts';
import { toTlsPair } from './tls-pair.ts';
import { openUpstream, type UpstreamOptions } from './upstream.ts';
import { createWebServer } from './web-server.ts';

/** How long a server that stores its sessions waits for the calls under way, in milliseconds. */
const longestDrain = 10_000;

/** Options of `startServer`. */
export interface ServerOptions extends Omit<GatewayOptions, 'baseUrl' | 'scenario'>, UpstreamOptions {
  /** The starting state: the name of a scenario, the path of a scenario file, or a scenario object. Default: `'default'`. */
  readonly scenario?: ScenarioName | Scenario | undefined;
  /** Files and folders of your own scenarios, which are then available by name, beside the shipped ones. Default: none. */
  readonly scenarios?: readonly string[] | undefined;
  /** Whether to reload the scenario in all sessions when one of its files changes. Default: false. */
  readonly watch?: boolean | undefined;
  /** Called after each reload. With an error, the last valid scenario stays in use. */
  readonly onReload?: ((error: Error | undefined) => void) | undefined;
  /** The port to listen on. Default: 0, which picks a free one. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string | undefined;
  /** A certificate in PEM, followed by its chain: the server then serves HTTPS. Needs `tlsKey`. Default: plain HTTP. */
  readonly tlsCert?: string | undefined;
  /** The private key of `tlsCert` in PEM, without a passphrase. */
  readonly tlsKey?: string | undefined;
  /** Your own MSW handlers, which come before the gateway's. With any, all calls go through MSW. Default: none. */
  readonly handlers?: readonly RequestHandler[] | undefined;
  /** Whether to answer calls without Express and MSW if there are no `handlers`, which is much faster. Default: true. */
  readonly direct?: boolean | undefined;
  /** Host names that the admin API accepts, besides this machine's own. Default: none. */
  readonly adminHosts?: readonly string[] | undefined;
  /** The token that admin API calls must send as `authorization: Bearer …`. Default: none is required. */
  readonly adminToken?: string | undefined;
  /** How long receiving a request may take, in milliseconds. Default: 30,000. */
  readonly requestTimeout?: number | undefined;
  /**
   * A directory for the sessions of this server: the next server with it continues with them, also after a crash. A session that
   * has to leave memory is kept there and comes back at its next call. Default: none; sessions end with the server.
   */
  readonly stateDir?: string | undefined;
  /** Called with what could not be stored in that directory, or read. Default: it is printed as a warning. */
  readonly onStateError?: ((error: Error) => void) | undefined;
  /** Called after each answered call, once its reply was sent. */
  readonly onCall?: ((call: AnsweredCall) => void) | undefined;
}

const { baseUrl: _baseUrl, ...gatewayKinds } = gatewayOptionKinds;
export const serverOptionKinds: OptionKinds<ServerOptions> = {
  ...gatewayKinds,
  scenarios: 'list',
  watch: 'switch',
  onReload: 'function',
  port: 'other', // checked in startPlainServer
  host: 'text',
  tlsCert: 'text',
  tlsKey: 'text',
  handlers: 'list',
  direct: 'switch',
  adminHosts: 'list',
  adminToken: 'text',
  requestTimeout: 'number',
  stateDir: 'text',
  onStateError: 'function',
  upstream: 'text',
  upstreamCredentials: 'switch',
  upstreamTimeout: 'number',
  onCall: 'function',
};

/** A running server, without the handlers that need MSW. */
export interface PlainServer extends PlainGateway {
  /** The address of the server, such as `http://127.0.0.1:4010`; with `tlsCert`, it begins with `https`. */
  readonly url: string;
  /** The base URL for clients, such as `http://127.0.0.1:4010/v1`. */
  readonly baseUrl: string;
  /** The base URL of the admin API, such as `http://127.0.0.1:4010/__admin`. */
  readonly adminUrl: string;
  /**
   * Stops the server, and ends pending waits and event streams. Open calls get half a second to end, then all sockets are closed.
   * With a state directory, they get ten seconds, and the sessions are stored.
   */
  readonly close: () => Promise<void>;
}

/** Starts an HTTP server. It loads MSW only if calls go through it. */
export const startPlainServer = async (options: ServerOptions): Promise<StartedServer> => {
  checkOptions(options, serverOptionKinds);
  const state = await openState(options);
  try {
    return await start(options, state);
  } catch (error) {
    await state?.close();
    throw error;
  }
};

interface StartedServer {
  readonly server: PlainServer;
  readonly opened: OpenPlainGateway;
  /** From now on, `/readyz` answers 503. */
  readonly drain: () => void;
}

const start = async (options: ServerOptions, state: StateDir | undefined): Promise<StartedServer> => {
  const { port: wantedPort = 0, host: wantedHost, tlsCert, tlsKey } = options;
  if (!(Number.isInteger(wantedPort) && wantedPort >= 0 && wantedPort <= 65_535))
    throw new Error(
      `Failed to listen on port ${JSON.stringify(wantedPort)}: it must be a whole number from 0 (a free port) to 65535.`,
    );
  const tls = await toTlsPair({ cert: tlsCert, key: tlsKey }, { cert: 'tlsCert', key: 'tlsKey' });
  const { paths, scenario } = findScenarioFiles(options);
  if (options.watch && paths.length === 0)
    throw new Error(
      'Failed to watch: there are no scenario files. Give a scenario file, or folders of scenarios.',
    );
  // The YAML parser is loaded only if there are files.
  const folder = paths.length === 0 ? undefined : await import('../scenario/folder.ts');
  const watching = options.watch ? await import('../scenario/watch-paths.ts') : undefined;
  const { journalMemory = defaultServerJournalMemory() } = options;
  const upstreamServer = await openUpstream(options, options.mask);
  const opened = openPlainGateway(
    { ...options, journalMemory, scenario, keyBeginsSession: true, store: state, upstreamServer },
    folder?.readLibrary(paths),
  );
  const { gateway, contextOf, answer, onNoCall, restart, sessions, subscribe, journalSize } = opened;
  const reporting = reportCalls(answer, options.onCall, opened.isCredential);
  const metrics = createMetrics(sessions);
  const probes = createProbes();
  const counting = countCalls(reporting, metrics.counts);
  const callListener = await createCallListener(counting, probes.listener, options);
  const { isOwnHost, learn } = createHosts(options.adminHosts ?? []);
  const guard = { isOwnHost, token: options.adminToken };
  const target = { contextOf, sessions, guard, metrics: metrics.read, subscribe, journalSize };
  const admin = createAdminListener(target);
  // One of the user's handlers may answer the root.
  const root = options.handlers?.length ? () => false : createRootListener(guard);
  let isStopping = false;
  const listener: NodeListener = (request, response) => {
    if (isStopping) response.setHeader('connection', 'close');
    if (!admin(request, response) && !openapiListener(request, response) && !root(request, response))
      callListener(request, response);
  };
  const web = await createWebServer(options.requestTimeout ?? 30_000, tls, listener);
  const { server } = web;
  answerSocketErrors(server, onNoCall);
  const { port, address, family } = await listen(server, wantedPort, wantedHost || '127.0.0.1').catch(
    async (error: unknown) => {
      await sessions.storeAll();
      throw error;
    },
  );
  learn(address);
  const url = `${tls === undefined ? 'http' : 'https'}://${toHost(address, family)}:${port}`;

  const reload = (): void => {
    try {
      if (folder !== undefined) restart(scenario, folder.readLibrary(paths));
      options.onReload?.(undefined);
      metrics.counts.reloads.succeeded += 1;
    } catch (error) {
      metrics.counts.reloads.failed += 1;
      options.onReload?.(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const stopWatching = watching?.watchPaths(paths, reload);
  const stop = async (): Promise<void> => {
    isStopping = true;
    stopWatching?.();
    probes.drain();
    const message = 'Failed to wait for requests: the server was closed.';
    // The next server with the directory continues with the session: a client may wait again.
    const reason = state === undefined ? new Error(message) : new ControlError(503, message);
    const endWaiting = (): void => {
      sessions.endWaits(reason);
      sessions.events.emit(defaultSession, { type: 'closed' });
    };
    endWaiting();
    await close(web, state === undefined ? 500 : longestDrain);
    endWaiting(); // what was begun meanwhile
    await sessions.storeAll();
    await state?.close();
  };
  const addresses = { url, baseUrl: `${url}/v1`, adminUrl: `${url}/__admin` };
  return { server: { ...gateway, ...addresses, close: stop }, opened, drain: probes.drain };
};

/** @throws Error if the directory cannot be used */
const openState = async ({ stateDir, onStateError }: ServerOptions): Promise<StateDir | undefined> => {
  if (stateDir === undefined) return undefined;
  const { StateDir } = await import('./state/state-dir.ts');
  return StateDir.open(stateDir, version, (message) => {
    if (onStateError === undefined) console.warn(`gateway-mock: ${message}`);
    else onStateError(new Error(message));
  });
};

/** A quarter of the heap: entries may take more than is counted, and everything else needs room. */
const defaultServerJournalMemory = (): number =>
  Math.min(limits.journalMemory, Math.floor(getHeapStatistics().heap_size_limit / 4 / 1_000_000));

/** The files to read, and the scenario; one that is given by its path is then known by its name. */
export const findScenarioFiles = ({
  scenario = 'default',
  scenarios = [],
}: Pick<ServerOptions, 'scenario' | 'scenarios'>) =>
  typeof scenario === 'string' && isScenarioPath(scenario)
    ? { paths: [...scenarios, folderOf(scenario), scenario], scenario: nameOf(scenario) }
    : { paths: scenarios, scenario };

const createCallListener = async (
  answer: AnswerCall,
  probe: Probes['listener'],
  options: ServerOptions,
): Promise<NodeListener> => {
  const answerDirectly = createListener(answer);
  const listener: NodeListener = (request, response) => {
    if (!probe(request, response)) answerDirectly(request, response);
  };
  if (isDirect(options)) return listener;
  const { createApp } = await import('../transports/express.ts');
  return createApp(options.handlers ?? [], answer, listener);
};

/** Whether calls are answered without Express and MSW. */
const isDirect = ({ handlers = [], direct = true }: ServerOptions): boolean =>
  direct && handlers.length === 0;
