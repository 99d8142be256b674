import { getHeapStatistics } from 'node:v8';
import type { RequestHandler } from 'msw';
import * as z from 'zod';
import type { Scenario, ScenarioName } from '../../core/scenario/scenario-types.ts';
import { limits } from '../../core/util/limits.ts';
import { once } from '../../core/util/once.ts';
import { type OptionSchemas, parseOptions } from '../../core/util/parse-options.ts';
import {
  commandLine,
  filled,
  type GatewayOptions,
  gatewayShape,
  scenarioOf,
  wholeNumber,
} from '../gateway/gateway-options.ts';
import type { OwnDefinition } from '../gateway/gateway-parts.ts';
import type { AnsweredCall } from './answered-call.ts';

/** Options of `startServer`. */
export interface ServerOptions extends Omit<GatewayOptions, 'baseUrl' | 'scenario' | 'calls'> {
  /**
   * Calls and kinds of records of your own, made by `defineCall` and `defineRecords`; or a text that names the ready-made calls
   * (`'runs,batches,jobs,chat'`) and files, which `watch` reloads. Default: none.
   */
  readonly calls?: string | readonly OwnDefinition[] | undefined;
  /** The starting state: the name of a scenario, the path of a scenario file, or a scenario object. Default: `'default'`. */
  readonly scenario?: ScenarioName | Scenario | undefined;
  /** Files and folders of your own scenarios, which are then available by name, beside the shipped scenarios. Default: none. */
  readonly scenarios?: readonly string[] | undefined;
  /** Whether to reload the scenario in all sessions when one of its files changes. Default: false. */
  readonly watch?: boolean | undefined;
  /** Called after each reload. With an error, the last valid scenario stays in use. */
  readonly onReload?: ((error: Error | undefined) => void) | undefined;
  /** The port to listen on. Default: 0, which picks a free port. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string | undefined;
  /** A certificate in PEM, followed by its chain: the server then serves HTTPS. Needs `tlsKey`. Default: plain HTTP. */
  readonly tlsCert?: string | undefined;
  /** The private key of `tlsCert` in PEM, without a passphrase. */
  readonly tlsKey?: string | undefined;
  /** Your own MSW handlers, which come before the gateway's. With any, the transport is `'msw'`. Default: none. */
  readonly handlers?: readonly RequestHandler[] | undefined;
  /**
   * What answers calls: `'direct'`, straight from Node's HTTP server, or `'msw'`, the gateway's MSW handlers by
   * `@mswjs/http-middleware` and Express, which needs MSW 2 and is much slower. The bytes are the same. Default: `'direct'`.
   */
  readonly transport?: 'direct' | 'msw' | undefined;
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
  /** Called if something in that directory could not be stored or read. Default: the error is printed as a warning. */
  readonly onStateError?: ((error: Error) => void) | undefined;
  /**
   * The base URL of another server, such as `http://127.0.0.1:5000/v1`. Calls below `/v1` that no operation serves are sent
   * there, and its replies are passed back. Without a path, `/v1` is added. Default: none; such calls get 404 or 405.
   */
  readonly upstream?: string | undefined;
  /** Whether that server gets the credentials of these calls, and may set cookies. Default: false. */
  readonly upstreamCredentials?: boolean | undefined;
  /** How long that server may take until its reply begins, in milliseconds. Default: 60,000. */
  readonly upstreamTimeout?: number | undefined;
  /** Called after each answered call, once its reply was sent. */
  readonly onCall?: ((call: AnsweredCall) => void) | undefined;
}

const callback = <Value>() =>
  z.custom<Value>((value) => typeof value === 'function', 'a function').optional();

/** A quarter of the heap: entries may take more memory than counted, and everything else needs room. */
const maxJournalMemory = (): number =>
  Math.min(limits.journalMemory, Math.floor(getHeapStatistics().heap_size_limit / 4 / 1_000_000));

/** A named type, since MSW does not export all types that the declaration would need. */
interface Handlers extends ReadonlyArray<RequestHandler> {}

/** A schema for each option of a server, with its flag, in the order of the help. */
export const serverShape = () => {
  const { baseUrl: _baseUrl, journalMemory, calls, ...shape } = gatewayShape();
  return {
    ...shape,
    calls: z.union([filled(), calls.unwrap()]).default([]).register(commandLine, {
      flags: '--calls <list>',
      text: '[calls beside those of the contract](own-calls.md): names of ready-made calls (runs, batches, jobs, chat) and files of your own, with commas between them',
      default: '',
    }),
    scenario: scenarioOf<ScenarioName>().default('default').register(commandLine, {
      flags: '--scenario <name>',
      text: 'the [scenario](scenarios.md) to serve: a name, or the path of a file',
    }),
    journalMemory: journalMemory
      .unwrap()
      .default(maxJournalMemory)
      .register(commandLine, {
        flags: '--journal-memory <megabytes>',
        text: 'how much memory the journals of all sessions may take [together](requests.md#what-the-journal-drops)',
        default: `${limits.journalMemory}, at most a quarter of the heap`,
      }),
    scenarios: z
      .array(filled(), 'an array of paths (the scenario to serve is the option "scenario")')
      .default([])
      .register(commandLine, {
        flags: '--scenarios <path>',
        text: 'a folder or file with your own scenarios (repeatable)',
        default: '',
      }),
    watch: z.boolean().default(false).register(commandLine, {
      flags: '--watch',
      text: 'reload the scenario in all sessions when its files change',
      isServeOnly: true,
    }),
    onReload: callback<NonNullable<ServerOptions['onReload']>>(),
    port: wholeNumber(0, 65_535).default(0).register(commandLine, {
      flags: '--port <number>',
      text: 'the port; 0, the default of exec, picks a free port',
    }),
    host: filled().default('127.0.0.1').register(commandLine, {
      flags: '--host <address>',
      text: 'the address to listen on',
    }),
    stateDir: filled().optional().register(commandLine, {
      flags: '--state-dir <path>',
      text: 'a directory for the sessions, used by this server alone: [the next server with it continues them](operations.md#a-directory-that-keeps-the-sessions)',
    }),
    onStateError: callback<NonNullable<ServerOptions['onStateError']>>(),
    upstream: filled().optional().register(commandLine, {
      flags: '--upstream <url>',
      text: 'the base URL of [another server](connect.md#with-another-server-behind-it), which gets the calls that match no operation',
    }),
    upstreamCredentials: z.boolean().default(false).register(commandLine, {
      flags: '--upstream-credentials',
      text: 'also forward credentials; without it, they are left out',
    }),
    upstreamTimeout: wholeNumber(1, 2 ** 31 - 1)
      .optional()
      .register(commandLine, {
        flags: '--upstream-timeout <ms>',
        text: 'how long that server may take until its reply begins',
        default: '60000',
      }),
    adminHosts: z.array(filled()).default([]).register(commandLine, {
      flags: '--admin-host <host>',
      text: 'another host name that the admin API accepts, besides the names of this machine (repeatable)',
    }),
    adminToken: filled().optional().register(commandLine, {
      flags: '--admin-token <token>',
      text: 'the [bearer token](admin-api.md#who-may-use-it) that admin API calls must send; visible to other users in the process list',
    }),
    tlsCert: filled().optional().register(commandLine, {
      flags: '--tls-cert <path>',
      text: 'a file with a certificate in PEM, to serve [HTTPS](operations.md#https)',
      isFile: true,
    }),
    tlsKey: filled().optional().register(commandLine, {
      flags: '--tls-key <path>',
      text: 'the file with its private key',
      isFile: true,
    }),
    handlers: z.custom<Handlers>(Array.isArray, 'an array').default([]),
    transport: z.enum(['direct', 'msw']).default('direct').register(commandLine, {
      flags: '--transport <name>',
      text: "direct, or msw: the gateway's MSW handlers by @mswjs/http-middleware and Express, with the same bytes",
    }),
    requestTimeout: z.number().default(30_000),
    onCall: callback<NonNullable<ServerOptions['onCall']>>(),
  } satisfies OptionSchemas<ServerOptions>;
};

export const serverOptions = once(() => z.strictObject(serverShape()));

/** Checked options of a server, with their defaults. */
export type ParsedServerOptions = z.output<ReturnType<typeof serverOptions>>;

/** @throws Error on an unknown option, a wrong value, or options that have no effect */
export const parseServerOptions = (input: ServerOptions): ParsedServerOptions => {
  const options = parseOptions(serverOptions(), input);
  if (
    options.upstream === undefined &&
    (options.upstreamCredentials || options.upstreamTimeout !== undefined)
  )
    throw new Error('The options "upstreamCredentials" and "upstreamTimeout" need "upstream" (--upstream).');
  return options;
};
