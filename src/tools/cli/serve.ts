// `gateway-mock serve` and `gateway-mock exec`.

import { operations } from '../../core/scenario/scenario-schema.ts';
import { messageOf } from '../../core/util/message-of.ts';
import { loadPage } from '../../service/admin/control-room-page.ts';
import { loadFiles } from '../../service/admin/scenario-file.ts';
import { loadProcessMetrics } from '../../service/server/metrics.ts';
import { type GatewayServer, openServer } from '../../service/server/open-server.ts';
import type { ServerOptions } from '../../service/server/server-options.ts';
import { surviveStrayErrors } from '../../service/server/stray-errors.ts';
import { createBanner } from './banner.ts';
import { createLog, toJsonLine, toTextLine } from './call-log.ts';
import { runProcess, toEnvironment, withoutProxy } from './exec.ts';
import { type Flags, toServerOptions } from './server-flags.ts';
import { fail, type Print, UsageError } from './usage-error.ts';

/** The options of `serve`, as Commander parses them. */
export interface ServeFlags extends Flags {
  readonly log: 'text' | 'json';
  readonly json?: true;
  readonly quiet?: true;
}

/**
 * Serves until a signal comes. Resolves when the server is ready.
 *
 * @param stopOn arranges when the server stops
 */
export const serve = async (flags: ServeFlags, print: Print, stopOn = stopOnSignals) => {
  const failures: Error[] = [];
  const toLine = isJson(flags) ? toJsonLine : toTextLine;
  const options = toServerOptions(flags);
  const log = createLog(print);
  const warnings: string[] = []; // those of the start: the banner shows them
  let isForBanner = !isJson(flags) && !flags.quiet;
  const server = await open(
    {
      ...options,
      onStateError: (error) => {
        failures.push(error);
        report(error.message);
      },
      onReload: (error) => print(describeReload(error, flags)),
      onCall: flags.quiet ? undefined : (call) => log(toLine(call)),
    },
    (warning) => void (isForBanner ? warnings.push(warning) : report(warning)),
  );
  isForBanner = false;

  stopOn(server, options.stateDir, failures);
  if (isJson(flags)) {
    const { url, baseUrl } = server;
    const { name: scenario, seed } = await server.scenario.current();
    print(JSON.stringify({ event: 'ready', url, baseUrl, scenario, seed, pid: process.pid }));
    return;
  }
  const isColoured = process.stdout.isTTY === true && !process.env.NO_COLOR;
  const banner = await createBanner(server.baseUrl, server, isColoured, { ...options, warnings });
  print(flags.quiet ? banner.slice(0, banner.indexOf('\n')) : banner);
};

/** Serves while a command runs. Only the command writes to standard output. */
export const exec = async (command: readonly string[], flags: Flags): Promise<void> => {
  if (command.length === 0)
    fail('the command to run is missing. Put it last: gateway-mock exec [options] -- COMMAND ARGS…');
  const options = toServerOptions(flags);
  const server = await open(options);
  try {
    const environment = await toEnvironment(server, options.adminToken);
    const exitCode = await runProcess(command, withoutProxy(process.env, environment));
    await server.close();
    process.exit(exitCode);
  } catch (error) {
    if (error instanceof UsageError) await server.close();
    throw error;
  }
};

/**
 * Starts the server of a command. First, it loads what a server otherwise loads at its first use, so that neither a rebuild beside
 * the server nor a lack of file descriptors can break it later. Node remembers a failed import, so this comes before the server
 * accepts requests. Node finds a loaded import again only from the same module, hence these functions.
 *
 * @throws UsageError if it cannot start
 */
const open = async (options: ServerOptions, onWarning?: (message: string) => void) => {
  try {
    await Promise.all([
      loadPage(),
      loadFiles(),
      loadProcessMetrics(),
      ...operations.map(({ docs }) => docs()),
    ]);
    const lastStrayError = options.calls === undefined ? undefined : surviveStrayErrors(report);
    return (await openServer(options, { onWarning, lastStrayError })).server;
  } catch (error) {
    return fail(messageOf(error));
  }
};

const isJson = ({ json, log }: ServeFlags): boolean => json === true || log === 'json';

const report = (message: string): void => void process.stderr.write(`gateway-mock: ${message}\n`);

/** Reloads are reported even with --quiet: the person who edits the file waits for it. */
const describeReload = (error: Error | undefined, flags: ServeFlags): string => {
  const { scenario = 'default' } = flags;
  if (isJson(flags)) return JSON.stringify({ event: 'reload', scenario, error: error?.message ?? null });
  return error === undefined
    ? `Reloaded ${scenario}.`
    : `${error.message}\nThe last valid scenario stays in use.`;
};

/**
 * The first signal stops the server. A second signal, of any kind, ends the process at once.
 *
 * @param failures the failures to write the state: if there are more after the server has stopped, the exit code is 1
 */
const stopOnSignals = (server: GatewayServer, stateDir: string | undefined, failures: readonly Error[]) => {
  const signals = stopSignals(process.platform, stateDir !== undefined);
  const stop = (): void => {
    for (const signal of signals) process.off(signal, stop);
    if (stateDir === undefined) setTimeout(() => process.exit(0), 800).unref();
    const before = failures.length;
    void server.close().then(() => process.exit(failures.length > before ? 1 : 0));
  };
  for (const signal of signals) process.on(signal, stop);
};

/**
 * Windows has no SIGTERM: Ctrl-Break and the end of the console's window stop a server there. Elsewhere, the end of the terminal
 * (SIGHUP) ends the process by itself, unless `nohup` keeps it; but first a server with a state directory writes its sessions.
 */
export const stopSignals = (platform: NodeJS.Platform, hasStateDir: boolean): readonly NodeJS.Signals[] => {
  if (platform === 'win32') return ['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'];
  return hasStateDir ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM'];
};
