#!/usr/bin/env node
import { version } from 'virtual:shipped';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { createBanner } from './banner.ts';
import { type Library, loadDocument, loadScenario, shippedLibrary } from './scenario/load.ts';
import { describeMistake, ScenarioError } from './scenario/mistakes.ts';
import { type AnsweredCall, type GatewayServer, startServer } from './server.ts';

interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly scenario: string;
  readonly seed?: number;
  readonly scenarios?: string[];
  readonly watch?: true;
  readonly requireSession?: true;
  readonly fault?: string[];
  readonly journal: number;
  readonly json?: true;
  readonly quiet?: true;
  readonly apiKey?: string[];
  readonly virtualKey?: string[];
}

/** What reads the output may be gone, like `head`: that is no reason to stop serving. */
process.stdout.on('error', () => {});

/** What went wrong through no fault of the mock: one line, exit code 2. */
const exitWithMistake = (message: string): never => {
  process.stderr.write(`gateway-mock: ${message.replace(/\s*\n\s*/g, ' ').trim()}\n`);
  process.exit(2);
};

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const serve = async (options: ServeOptions, { args }: Command): Promise<void> => {
  if (args[0] !== undefined) exitWithMistake(`there is no command "${args[0]}". See gateway-mock --help.`);
  const server = await startServer({
    port: options.port,
    host: options.host,
    scenario: options.scenario,
    scenarios: options.scenarios,
    watch: options.watch,
    onReload: (error) => logReload(error, options),
    requireSession: options.requireSession,
    seed: options.seed,
    faults: options.fault,
    journal: options.journal,
    apiKeys: options.apiKey,
    virtualKeys: options.virtualKey,
    onCall: options.quiet ? undefined : options.json ? logAsJson : logAsText,
  }).catch((error: unknown) => exitWithMistake(explain(error, options)));

  stopOnSignals(server);
  const info = await server.scenario.current();
  if (options.json) {
    const { url, baseUrl } = server;
    print(
      JSON.stringify({
        event: 'ready',
        url,
        baseUrl,
        scenario: info.name,
        seed: info.seed,
        pid: process.pid,
      }),
    );
    return;
  }
  const { keys = {} } = await server.state.export();
  const shown = { api: keys.valid?.[0] ?? 'any', virtual: keys.virtual?.[0] ?? 'any' };
  const isColoured = process.stdout.isTTY === true && !process.env.NO_COLOR;
  print(await createBanner(server.baseUrl, server, shown, isColoured));
};

/** A broken file is told of whatever the log shows: the one who edits it waits for that. */
const logReload = (error: Error | undefined, { json, scenario }: ServeOptions): void => {
  if (json) print(JSON.stringify({ event: 'reload', scenario, error: error?.message ?? null }));
  else print(error === undefined ? `Reloaded ${scenario}.` : `${error.message}\nThe last good one goes on.`);
};

const logAsJson = (call: AnsweredCall): void => print(JSON.stringify({ event: 'request', ...call }));

const logAsText = ({ method, path, status, assumptions }: AnsweredCall): void => {
  const marks = assumptions.length > 0 ? `  rests on ${assumptions.join(', ')}` : '';
  // A path is the caller's text: what could steer a terminal is not shown.
  print(`${method} ${path.replace(/[^\x20-\x7e]/g, '?')} ${status}${marks}`);
};

const explain = (error: unknown, { port, host }: ServeOptions): string => {
  if (!(error instanceof Error)) return String(error);
  switch ('code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return `port ${port} is taken on ${host}. Stop what listens there, or choose another port: --port 0 picks a free one.`;
    case 'EACCES':
      return `port ${port} may not be used by this account. Choose one above 1023, or --port 0.`;
    case 'EADDRNOTAVAIL':
    case 'EAI_AGAIN':
    case 'EINVAL':
    case 'ENOTFOUND':
      return `this machine has no address "${host}". Choose another: --host 127.0.0.1, or 0.0.0.0 for all.`;
    default:
      return error.message;
  }
};

const stopOnSignals = (server: GatewayServer): void => {
  const stop = (): void => {
    setTimeout(() => process.exit(0), 800).unref();
    void server.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
};

const openLibrary = async (paths: readonly string[]): Promise<Library> =>
  paths.length === 0 ? shippedLibrary : (await import('./scenario/folder.ts')).readLibrary(paths);

const listScenarios = async ({ scenarios = [] }: { readonly scenarios?: string[] }): Promise<void> => {
  const library = await openLibrary(scenarios).catch((error: unknown) => exitWithMistake(messageOf(error)));
  const names = Object.keys(library.scenarios);
  const width = Math.max(...names.map(({ length }) => length));
  for (const name of names) print(`${name.padEnd(width)}  ${describe(name, library)}`);
};

const describe = (name: string, library: Library): string => {
  try {
    return loadScenario(name, library).whole.description ?? '';
  } catch {
    return '(has mistakes: see gateway-mock validate)';
  }
};

/** Checks every scenario of the files given; one line a mistake. */
const validate = async (files: readonly string[]): Promise<void> => {
  const library = await openLibrary(files).catch((error: unknown) => exitWithMistake(messageOf(error)));
  const documents = Object.values(library.scenarios).filter(
    ({ file }) => files.length === 0 || file !== undefined,
  );
  const reports = documents.flatMap((document) => {
    try {
      loadDocument(document, library);
      return [];
    } catch (error) {
      return error instanceof ScenarioError ? error.mistakes.map(describeMistake) : [messageOf(error)];
    }
  });
  const mistakes = [...new Set(reports)]; // what is wrong in a file is so for each that extends it
  for (const mistake of mistakes) print(mistake);
  print(`${documents.length} checked, ${mistakes.length} ${mistakes.length === 1 ? 'mistake' : 'mistakes'}`);
  if (mistakes.length > 0) process.exitCode = 1;
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const toInteger =
  (name: string, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^[0-9]+$/.test(text) || value > max)
      throw new InvalidArgumentError(`${name} is a whole number from 0 to ${max}.`);
    return value;
  };

const toAddress = (text: string): string => {
  if (text.trim() === '')
    throw new InvalidArgumentError('the address is empty: leave the option out for 127.0.0.1.');
  return text;
};

const toKey = (value: string, previous: string[] = []): string[] => {
  if (value === '') throw new InvalidArgumentError('a key is not empty.');
  return [...previous, value];
};

const collect = (value: string, previous: string[] = []): string[] => [...previous, value];

const program = new Command('gateway-mock')
  .version(version)
  .description('A truthful local mock of an HTTP/JSON gateway in front of language-model providers.')
  .exitOverride()
  .configureOutput({ writeErr: () => {} });

const serveCommand = program
  .command('serve', { isDefault: true })
  .description('serve a scenario over HTTP')
  .option('--port <number>', '0 picks a free one', toInteger('the port', 65_535), 4010)
  .option('--host <address>', 'the address to listen on', toAddress, '127.0.0.1')
  .option('--scenario <name>', 'the scenario to serve: a name, or the path of a file', 'default')
  .option('--scenarios <path>', 'a folder or file of scenarios of your own (repeatable)', collect)
  .option('--watch', 'load the scenario anew when its files change')
  .option('--require-session', 'refuse calls that name no session')
  .option('--seed <number>', "replaces the scenario's seed", toInteger('the seed', Number.MAX_SAFE_INTEGER))
  .option('--fault <line>', 'what goes wrong, such as "listRuns#3: reset" (repeatable)', collect)
  .option(
    '--journal <number>',
    'how many requests of each session are kept',
    toInteger('the journal', 1_000_000),
    1000,
  )
  .option('--json', 'print a ready line, then log lines, all in JSON')
  .option('--quiet', 'print no log of the calls')
  .option('--api-key <key>', 'accept only this API key (repeatable)', toKey)
  .option('--virtual-key <key>', 'accept only this virtual key (repeatable)', toKey)
  .exitOverride()
  .configureOutput({ writeErr: () => {} })
  .allowExcessArguments() // so that `serve` can name the command that there is not
  .action(serve);

program
  .command('scenarios')
  .description('list the scenarios, with what each is for')
  .option('--scenarios <path>', 'a folder or file of scenarios of your own (repeatable)', collect)
  .exitOverride()
  .configureOutput({ writeErr: () => {} })
  .action(listScenarios);

program
  .command('validate [files...]')
  .description(
    'check scenario files or folders; without any, the shipped scenarios (exit code 1 on mistakes)',
  )
  .exitOverride()
  .configureOutput({ writeErr: () => {} })
  .action(validate);

program.addHelpText('after', () => `\n${serveCommand.helpInformation()}`);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  if (error.exitCode !== 0)
    exitWithMistake(
      `${error.message.replace(/^error: /, '').replace(/([^.?!)])$/, '$1.')} See gateway-mock --help.`,
    );
}
