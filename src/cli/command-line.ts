// The command line: its commands, and the messages for usage errors. `src/cli.ts` runs it in a process.
import { version } from 'virtual:shipped';
import { Command, CommanderError, Option } from 'commander';
import { findKeys } from '../control/find-keys.ts';
import { loadAhead } from '../server/load-ahead.ts';
import { type PlainServer, startPlainServer } from '../server/start-server.ts';
import { messageOf } from '../util/message-of.ts';
import { didYouMean } from '../util/nearest.ts';
import { createBanner } from './banner.ts';
import { toJsonLine, toTextLine } from './call-log.ts';
import { addCaptureOptions, type CaptureFlags, runCapture } from './capture.ts';
import { describeVariables, withVariables } from './environment.ts';
import { runCommand, toEnvironment } from './exec.ts';
import { type OpenapiFlags, writeOpenapi } from './openapi.ts';
import { listScenarios, type ScenariosFlags, type ValidateFlags, validate } from './scenario-files.ts';
import {
  addServerOptions,
  collect,
  findAdminToken,
  type ServerFlags,
  toServerOptions,
} from './server-options.ts';
import { fail, type Print, UsageError } from './usage-error.ts';
import { addVerifyOptions, type VerifyFlags } from './verify-options.ts';

interface ServeFlags extends ServerFlags {
  readonly watch?: true;
  readonly log: 'text' | 'json';
  readonly json?: true;
  readonly quiet?: true;
}

const isJson = ({ json, log }: ServeFlags): boolean => json === true || log === 'json';

const describeUnknown = (command: string, program: Command): string =>
  `unknown command "${command}".${didYouMean(
    command,
    program.commands.map((each) => each.name()),
  )} See gateway-mock --help.`;

const serve = async (flags: ServeFlags, print: Print): Promise<void> => {
  const failures: Error[] = [];
  const toLine = isJson(flags) ? toJsonLine : toTextLine;
  const { server } = await toServerOptions(flags)
    .then((options) =>
      startPlainServer({
        ...options,
        onStateError: (error) => {
          failures.push(error);
          process.stderr.write(`gateway-mock: ${error.message}\n`);
        },
        watch: flags.watch,
        onReload: (error) => print(describeReload(error, flags)),
        onCall: flags.quiet ? undefined : (call) => print(toLine(call)),
      }),
    )
    .catch((error: unknown) => fail(messageOf(error)));

  stopOnSignals(server, flags.stateDir, failures);
  loadAhead();
  if (isJson(flags)) {
    const { url, baseUrl } = server;
    const { name: scenario, seed } = await server.scenario.current();
    print(JSON.stringify({ event: 'ready', url, baseUrl, scenario, seed, pid: process.pid }));
    return;
  }
  const isColoured = process.stdout.isTTY === true && !process.env.NO_COLOR;
  const banner = await createBanner(
    server.baseUrl,
    server,
    await findKeys(server),
    isColoured,
    flags.upstream,
  );
  print(flags.quiet ? banner.slice(0, banner.indexOf('\n')) : banner);
};

/** Serves while a command runs. Only the command writes to standard output. */
const exec = async (command: readonly string[], flags: ServerFlags): Promise<void> => {
  if (command.length === 0)
    fail('the command to run is missing. Put it last: gateway-mock exec [options] -- COMMAND ARGS…');
  const { server } = await toServerOptions(flags)
    .then(startPlainServer)
    .catch((error: unknown) => fail(messageOf(error)));
  try {
    const environment = await toEnvironment(server, findAdminToken(flags));
    const exitCode = await runCommand(command, { ...process.env, ...environment });
    await server.close();
    process.exit(exitCode);
  } catch (error) {
    if (error instanceof UsageError) await server.close();
    throw error;
  }
};

/** Reloads are reported even with --quiet: the person who edits the file waits for it. */
const describeReload = (error: Error | undefined, flags: ServeFlags): string => {
  const { scenario } = flags;
  if (isJson(flags)) return JSON.stringify({ event: 'reload', scenario, error: error?.message ?? null });
  return error === undefined
    ? `Reloaded ${scenario}.`
    : `${error.message}\nThe last valid scenario stays in use.`;
};

/**
 * The first signal stops the server. A second one, of either kind, ends the process by itself, whatever it is doing.
 *
 * @param failures what could not be stored: if that grows while the server stops, the exit code is 1
 */
const stopOnSignals = (
  server: PlainServer,
  stateDir: string | undefined,
  failures: readonly Error[],
): void => {
  const stop = (): void => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    if (stateDir === undefined) setTimeout(() => process.exit(0), 800).unref();
    const before = failures.length;
    void server.close().then(() => process.exit(failures.length > before ? 1 : 0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
};

/** Runs the conformance checks against a gateway. Returns the exit code. */
const verifyGateway = async (flags: VerifyFlags, print: Print): Promise<number> => {
  const { verify } = await import('./verify.ts');
  const { text, exitCode, mistake } = await verify(flags, process.env);
  print(text);
  return mistake === undefined ? exitCode : fail(mistake);
};

/** Writes a scenario file from a real gateway. */
const captureGateway = async (flags: CaptureFlags, print: Print): Promise<void> => {
  for (const line of await runCapture(flags, process.env)) print(line);
};

/** The commands. @param write prints text @param end sets the exit code, if it is not 0 */
const createProgram = (write: (text: string) => void, end: (exitCode: number) => void): Command => {
  const print: Print = (line) => write(`${line}\n`);
  const program = new Command('gateway-mock')
    .version(version)
    .description('A truthful local mock of an HTTP/JSON gateway in front of language-model providers.')
    .enablePositionalOptions()
    .exitOverride() // this and the next are inherited by all commands
    .configureOutput({ writeOut: write, writeErr: () => {} });

  const serveCommand = addServerOptions(withVariables(program.command('serve', { isDefault: true })), 4010)
    .description('serve a scenario over HTTP (the default command)')
    .option('--watch', 'reload the scenario when its files change')
    .addOption(
      new Option(
        '--log <format>',
        'how to print the ready line and the log: one JSON object per line with json',
      )
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('--json', 'short for --log json')
    .option('--quiet', 'print the address alone: no examples, and no request log')
    .allowExcessArguments() // so that the error can name the unknown command
    .action((flags: ServeFlags, { args: [unknown] }: Command) =>
      unknown === undefined ? serve(flags, print) : fail(describeUnknown(unknown, program)),
    );

  const execCommand = addServerOptions(withVariables(program.command('exec')), 0)
    .description(
      'start a server, run a command, and stop the server; the command gets the base URL in GATEWAY_BASE_URL',
    )
    .usage('[options] -- COMMAND ARGS…')
    .argument('[command...]')
    .passThroughOptions() // options after the command's name belong to the command
    .action(exec);

  program
    .command('scenarios')
    .description('list the scenarios, with their descriptions')
    .option('--scenarios <path>', 'a folder or file with your own scenarios (repeatable)', collect)
    .action((flags: ScenariosFlags) => listScenarios(flags, print));

  program
    .command('validate [files...]')
    .description('check files or folders of scenarios (exit code 1 on mistakes)')
    .option('--shipped', 'check the scenarios that ship with the package')
    .action(async (files: readonly string[], flags: ValidateFlags) =>
      end(await validate(files, flags, print)),
    );

  program
    .command('openapi')
    .description('print an OpenAPI 3.1 document of the gateway')
    .option('--scenario <name>', 'the scenario whose assumptions to use: a name, or the path of a file')
    .option('--scenarios <path>', 'a folder or file with your own scenarios (repeatable)', collect)
    .option('-o, --output <file>', 'write the document to this file instead')
    .action((flags: OpenapiFlags) =>
      writeOpenapi(flags, write).catch((error: unknown) => fail(messageOf(error))),
    );

  const verifyCommand = addVerifyOptions(program.command('verify'))
    .description(
      'check a gateway against the contract with read-only calls. Exit code 0: all checks passed; 1: a check failed; 2: the run was incomplete (out of calls or time, or calls without a reply), or a usage error',
    )
    .action(async (flags: VerifyFlags) => end(await verifyGateway(flags, print)));

  const captureCommand = addCaptureOptions(program.command('capture'))
    .description('write a scenario from the replies of a gateway to read-only calls')
    .action((flags: CaptureFlags) => captureGateway(flags, print));

  return program.addHelpText('after', () =>
    [
      ...[serveCommand, execCommand, verifyCommand, captureCommand].map(
        (command) => `\n${command.helpInformation()}`,
      ),
      `\n${describeVariables(serveCommand)}`,
    ].join(''),
  );
};

/** The value of an unknown option, such as `--apikey=…`, may be a key. */
const withoutValue = (message: string): string => message.replace(/(unknown option '[^=]*)=.*'/s, "$1=…'");

/**
 * Runs a command line. Resolves with the exit code; for `serve`, as soon as the server is ready. `exec` ends the process
 * itself when its command ends.
 *
 * @param args the arguments after the name of the program
 * @param write writes to standard output
 * @throws UsageError
 */
export const runCommandLine = async (
  args: readonly string[],
  write: (text: string) => void,
): Promise<number> => {
  let exitCode = 0;
  const program = createProgram(write, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    // `help` was given an unknown command.
    if (error.code === 'commander.help') return fail(describeUnknown(program.args[1] ?? '', program));
    return fail(
      `${withoutValue(error.message)
        .replace(/^error: /, '')
        .replace(/\s*\n\s*/g, ' ')
        .trim()
        .replace(/([^.?!)])$/, '$1.')} See gateway-mock --help.`,
    );
  }
};
