import { createServer } from 'node:http';
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
import { createOpenapiListener } from '../openapi/node-http.ts';
import { folderOf, isScenarioPath, nameOf } from '../scenario/path.ts';
import type { Scenario, ScenarioName } from '../scenario/schema.ts';
import type { AnswerCall } from '../transports/answer.ts';
import { createListener, type NodeListener } from '../transports/node-http.ts';
import { checkOptions, type OptionKinds } from '../util/options.ts';
import { type AnsweredCall, toAnsweredCall } from './answered-call.ts';
import { createHosts, toHost } from './hosts.ts';
import { close, listen } from './listen.ts';
import { createRootListener } from './root.ts';
import { answerSocketErrors } from './socket-errors.ts';

/** How a server is started. */
export interface ServerOptions extends Omit<GatewayOptions, 'baseUrl' | 'scenario'> {
  /** The name of a scenario, the path of its file, or one as an object. Default: `'default'`. */
  readonly scenario?: ScenarioName | Scenario | undefined;
  /** Files and folders of scenarios, known by their names beside the shipped ones. */
  readonly scenarios?: readonly string[] | undefined;
  /** Whether the scenario is loaded anew, in all sessions, as soon as a file of `scenarios` changes. Default: false. */
  readonly watch?: boolean | undefined;
  /** Told of each reload, with the mistakes where there are any: then the last good scenario goes on. */
  readonly onReload?: ((error: Error | undefined) => void) | undefined;
  /** Default: 0, which picks a free one. */
  readonly port?: number | undefined;
  /** Default: `127.0.0.1`, so that only this machine reaches it. */
  readonly host?: string | undefined;
  /** MSW handlers of your own, asked before the gateway's. With any, every call goes through MSW. */
  readonly handlers?: readonly RequestHandler[] | undefined;
  /** Whether calls take the direct way where they can, past Express and MSW, which take most of the time. Default: true. */
  readonly direct?: boolean | undefined;
  /** Hosts by which the admin API may be called, besides those of this machine. */
  readonly adminHosts?: readonly string[] | undefined;
  /** What every call of the admin API must carry as `authorization: Bearer …`. Default: nothing is asked for. */
  readonly adminToken?: string | undefined;
  /** How long a request may take to arrive, in milliseconds. Default: 30,000. */
  readonly requestTimeout?: number | undefined;
  /** Told of each call that was answered. */
  readonly onCall?: ((call: AnsweredCall) => void) | undefined;
}

const { baseUrl: _baseUrl, ...gatewayKinds } = gatewayOptionKinds;
const serverOptionKinds: OptionKinds<ServerOptions> = {
  ...gatewayKinds,
  scenarios: 'list',
  watch: 'switch',
  onReload: 'function',
  port: 'other', // it has words of its own
  host: 'text',
  handlers: 'list',
  direct: 'switch',
  adminHosts: 'list',
  adminToken: 'text',
  requestTimeout: 'number',
  onCall: 'function',
};

/** A running server, without the handlers that need MSW. */
export interface PlainServer extends PlainGateway {
  /** `http://127.0.0.1:4010` */
  readonly url: string;
  /** What clients take for their base URL: `http://127.0.0.1:4010/v1` */
  readonly baseUrl: string;
  /** Where the admin API is: `http://127.0.0.1:4010/__admin` */
  readonly adminUrl: string;
  /** Stops it: calls under way get half a second to end, then every socket is closed. */
  readonly close: () => Promise<void>;
}

/** Starts an HTTP server, and returns the gateway that it serves with it. It loads MSW only where calls go through it. */
export const startPlainServer = async (
  options: ServerOptions,
): Promise<{ readonly server: PlainServer; readonly opened: OpenPlainGateway }> => {
  checkOptions(options, serverOptionKinds);
  const { port: wantedPort = 0, host: wantedHost } = options;
  if (!(Number.isInteger(wantedPort) && wantedPort >= 0 && wantedPort <= 65_535))
    throw new Error(
      `Failed to listen on the port ${JSON.stringify(wantedPort)}: it is a whole number from 0, which picks a free one, to 65535.`,
    );
  const { paths, scenario } = findScenarioFiles(options);
  if (options.watch && paths.length === 0)
    throw new Error('Failed to watch: there are no files. Give a scenario file, or folders of scenarios.');
  // Only who has files of his own pays for reading YAML.
  const folder = paths.length === 0 ? undefined : await import('../scenario/folder.ts');
  const opened = openPlainGateway({ ...options, scenario }, folder?.readLibrary(paths));
  const { gateway, contextOf, answer, onNoCall, restart, choicesOf, sessions, subscribe, journalSize } =
    opened;
  const face = await createFace(withCallbacks(answer, options.onCall), options);
  const { isOwnHost, learn } = createHosts(options.adminHosts ?? []);
  const guard = { isOwnHost, token: options.adminToken };
  const admin = createAdminListener({ contextOf, sessions, version, guard }, { subscribe, journalSize });
  const worldOf = (session: string) => sessions.worldOf(session);
  const openapi = createOpenapiListener({ version, url: () => url, choicesOf, worldOf });
  // A handler of the user's own may answer the root.
  const root = options.handlers?.length ? () => false : createRootListener(guard);
  const server = createServer(
    {
      requireHostHeader: false,
      requestTimeout: options.requestTimeout ?? 30_000,
      connectionsCheckingInterval: 1000,
      // A client whose process stood still, at a breakpoint say, is to find its connection as it left it.
      keepAliveTimeout: 60_000,
    },
    (request, response) => {
      if (!admin(request, response) && !openapi(request, response) && !root(request, response))
        face(request, response);
    },
  );
  answerSocketErrors(server, onNoCall);
  const { port, address, family } = await listen(server, wantedPort, wantedHost || '127.0.0.1');
  learn(address);
  const url = `http://${toHost(address, family)}:${port}`;

  const reload = (): void => {
    try {
      if (folder !== undefined) restart(scenario, folder.readLibrary(paths));
      options.onReload?.(undefined);
    } catch (error) {
      options.onReload?.(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const stopWatching = options.watch ? folder?.watchPaths(paths, reload) : undefined;
  const stop = (): Promise<void> => {
    stopWatching?.();
    return close(server);
  };
  const addresses = { url, baseUrl: `${url}/v1`, adminUrl: `${url}/__admin` };
  return { server: { ...gateway, ...addresses, close: stop }, opened };
};

/** A scenario that is given by its path is known by its name, once its folder is read. */
export const findScenarioFiles = ({
  scenario = 'default',
  scenarios = [],
}: Pick<ServerOptions, 'scenario' | 'scenarios'>) =>
  typeof scenario === 'string' && isScenarioPath(scenario)
    ? { paths: [...scenarios, folderOf(scenario), scenario], scenario: nameOf(scenario) }
    : { paths: scenarios, scenario };

const createFace = async (
  answer: AnswerCall,
  { handlers = [], direct = true }: ServerOptions,
): Promise<NodeListener> => {
  const listener = createListener(answer);
  if (direct && handlers.length === 0) return listener;
  const { createApp } = await import('../transports/express.ts');
  return createApp(handlers, answer, listener);
};

const withCallbacks = (answer: AnswerCall, onCall: ServerOptions['onCall']): AnswerCall => {
  if (onCall === undefined) return answer;
  return (call) => {
    const reply = answer(call);
    onCall(toAnsweredCall(call, reply));
    return reply;
  };
};
