#!/usr/bin/env node
import { version } from 'virtual:shipped';
import { Command, CommanderError } from 'commander';
import { createBanner } from './commands/banner.ts';
import { toJsonLine, toTextLine } from './commands/call-log.ts';
import { addCaptureOptions, type CaptureFlags, runCapture } from './commands/capture.ts';
import { CommandError, runCommand, toEnvironment } from './commands/exec.ts';
import { type OpenapiFlags, writeOpenapi } from './commands/openapi.ts';
import { addServerOptions, collect, type ServerFlags, toServerOptions } from './commands/server-options.ts';
import { TargetError } from './commands/target-options.ts';
import { addVerifyOptions, type VerifyFlags } from './commands/verify-options.ts';
import { findKeys } from './control/find-keys.ts';
import { messageOf } from './protocol/message-of.ts';
import { didYouMean } from './protocol/nearest.ts';
import { type Library, shippedLibrary } from './scenario/library.ts';
import { loadDocument, loadScenario } from './scenario/load.ts';
import { describeMistake, ScenarioError } from './scenario/scenario-error.ts';
import { type PlainServer, startPlainServer } from './server/start-server.ts';

interface ServeFlags extends ServerFlags {
  readonly watch?: true;
  readonly json?: true;
  readonly quiet?: true;
}

/** What reads the output may be gone, like `head`: that is no reason to stop serving. A full disk is told of, once. */
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || process.exitCode === 2) return;
  process.exitCode = 2;
  process.stderr.write(`gateway-mock: the output cannot be written: ${message}.\n`);
});

/** What went wrong through no fault of the mock: in words, and by default exit code 2. */
const exitWithMistake = (message: string, exitCode = 2): never => {
  process.stderr.write(`gateway-mock: ${message.trim()}\n`);
  process.exit(exitCode);
};

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const describeUnknown = (command: string): string =>
  `there is no command "${command}".${didYouMean(
    command,
    program.commands.map((each) => each.name()),
  )} See gateway-mock --help.`;

const serve = async (flags: ServeFlags, { args }: Command): Promise<void> => {
  if (args[0] !== undefined) exitWithMistake(describeUnknown(args[0]));
  const { server } = await startPlainServer({
    ...toServerOptions(flags),
    watch: flags.watch,
    onReload: (error) => logReload(error, flags),
    onCall: flags.quiet ? undefined : (call) => print(flags.json ? toJsonLine(call) : toTextLine(call)),
  }).catch((error: unknown) => exitWithMistake(messageOf(error)));

  stopOnSignals(server);
  const info = await server.scenario.current();
  if (flags.json) {
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
  const isColoured = process.stdout.isTTY === true && !process.env.NO_COLOR;
  print(await createBanner(server.baseUrl, server, await findKeys(server), isColoured));
};

/** Serves while a command runs. Standard output is the command's alone. */
const exec = async (command: readonly string[], flags: ServerFlags): Promise<void> => {
  if (command.length === 0)
    exitWithMistake('there is no command to run. Put it last: gateway-mock exec [options] -- COMMAND ARGS…');
  const { server } = await startPlainServer(toServerOptions(flags)).catch((error: unknown) =>
    exitWithMistake(messageOf(error)),
  );
  try {
    const environment = await toEnvironment(server, flags.adminToken);
    const exitCode = await runCommand(command, { ...process.env, ...environment });
    await server.close();
    process.exit(exitCode);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    exitWithMistake(error.message, error.exitCode);
  }
};

/** A broken file is told of whatever the log shows: the one who edits it waits for that. */
const logReload = (error: Error | undefined, { json, scenario }: ServeFlags): void => {
  if (json) print(JSON.stringify({ event: 'reload', scenario, error: error?.message ?? null }));
  else print(error === undefined ? `Reloaded ${scenario}.` : `${error.message}\nThe last good one goes on.`);
};

const stopOnSignals = (server: PlainServer): void => {
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

interface ValidateFlags {
  readonly shipped?: boolean;
}

const validateUsage =
  'Usage: gateway-mock validate FILES… (files or folders of scenarios), or gateway-mock validate --shipped';

/** The scenarios of the files given, or all that ship, among those that they may refer to: as `serve` sees them. */
const openDocuments = async (files: readonly string[], { shipped = false }: ValidateFlags) => {
  if (!shipped && files.length === 0)
    throw new Error(`validate takes files, and none is given. ${validateUsage}`);
  if (shipped && files.length > 0)
    throw new Error(`validate takes files or --shipped, not both. ${validateUsage}`);
  if (shipped) return { documents: Object.values(shippedLibrary.scenarios), library: shippedLibrary };
  const { readDocuments } = await import('./scenario/folder.ts');
  const opened = readDocuments(files);
  const empty = files.filter((path) => readDocuments([path]).documents.length === 0);
  if (empty.length > 0)
    throw new Error(`validate found no scenario files in ${empty.join(', ')}. ${validateUsage}`);
  return opened;
};

/** Checks every scenario of the files given; one line a mistake. */
const validate = async (files: readonly string[], flags: ValidateFlags): Promise<void> => {
  const { documents, library } = await openDocuments(files, flags).catch((error: unknown) =>
    exitWithMistake(messageOf(error)),
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

/** Holds a gateway to the laws; the exit code tells whether it keeps them. */
const verifyGateway = async (flags: VerifyFlags): Promise<void> => {
  const { verify } = await import('./commands/verify.ts');
  try {
    const { text, exitCode, mistake } = await verify(flags, process.env);
    print(text);
    if (mistake !== undefined) exitWithMistake(mistake);
    process.exitCode = exitCode;
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    exitWithMistake(error.message);
  }
};

/** Makes a scenario file of a real gateway. */
const captureGateway = async (flags: CaptureFlags): Promise<void> => {
  try {
    for (const line of await runCapture(flags, process.env)) print(line);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    exitWithMistake(error.message);
  }
};

const program = new Command('gateway-mock')
  .version(version)
  .description('A truthful local mock of an HTTP/JSON gateway in front of language-model providers.')
  .enablePositionalOptions()
  .exitOverride() // this and the next are inherited by all commands
  .configureOutput({ writeErr: () => {} });

const serveCommand = addServerOptions(program.command('serve', { isDefault: true }), 4010)
  .description('serve a scenario over HTTP: what is done where no command is named')
  .option('--watch', 'load the scenario anew when its files change')
  .option('--json', 'print a ready line, then log lines, all in JSON')
  .option('--quiet', 'print no log of the calls')
  .allowExcessArguments() // so that `serve` can name the command that there is not
  .action(serve);

const execCommand = addServerOptions(program.command('exec'), 0)
  .description('serve while a command runs, which finds the server in GATEWAY_BASE_URL')
  .usage('[options] -- COMMAND ARGS…')
  .argument('[command...]')
  .passThroughOptions() // from the command's name on, options are the command's
  .action(exec);

program
  .command('scenarios')
  .description('list the scenarios, with what each is for')
  .option('--scenarios <path>', 'a folder or file of scenarios of your own (repeatable)', collect)
  .action(listScenarios);

program
  .command('validate [files...]')
  .description('check files or folders of scenarios (exit code 1 on mistakes)')
  .option('--shipped', 'check the scenarios that ship with the package')
  .action(validate);

program
  .command('openapi')
  .description('print the gateway as an OpenAPI 3.1 document')
  .option('--scenario <name>', 'the scenario whose assumptions it follows: a name, or the path of a file')
  .option('--scenarios <path>', 'a folder or file of scenarios of your own (repeatable)', collect)
  .option('-o, --output <file>', 'write it to this file instead')
  .action((flags: OpenapiFlags) =>
    writeOpenapi(flags).catch((error: unknown) => exitWithMistake(messageOf(error))),
  );

const verifyCommand = addVerifyOptions(program.command('verify'))
  .description(
    'hold a gateway to the laws of the contract, by calls that only read (exit code 1 on a broken one)',
  )
  .action(verifyGateway);

const captureCommand = addCaptureOptions(program.command('capture'))
  .description('make a scenario of what a gateway answers, by calls that only read')
  .action(captureGateway);

program.addHelpText('after', () =>
  [serveCommand, execCommand, verifyCommand, captureCommand]
    .map((command) => `\n${command.helpInformation()}`)
    .join(''),
);

/** An option that there is not, such as `--apikey=…`, may have a key for its value. */
const withoutValue = (message: string): string => message.replace(/(unknown option '[^=]*)=.*'/s, "$1=…'");

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // It has shown its help, for want of the command that `help` was to be of.
  if (error.code === 'commander.help' && error.exitCode !== 0)
    exitWithMistake(describeUnknown(program.args[1] ?? ''));
  if (error.exitCode !== 0)
    exitWithMistake(
      `${withoutValue(error.message)
        .replace(/^error: /, '')
        .replace(/\s*\n\s*/g, ' ')
        .trim()
        .replace(/([^.?!)])$/, '$1.')} See gateway-mock --help.`,
    );
}
