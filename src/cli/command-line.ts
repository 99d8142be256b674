// The command line: what each command does, and what is said of a mistake. `src/cli.ts` gives it a process.
import { version } from 'virtual:shipped';
import { Command, CommanderError } from 'commander';
import { findKeys } from '../control/find-keys.ts';
import { type PlainServer, startPlainServer } from '../server/start-server.ts';
import { messageOf } from '../util/message-of.ts';
import { didYouMean } from '../util/nearest.ts';
import { createBanner } from './banner.ts';
import { toJsonLine, toTextLine } from './call-log.ts';
import { addCaptureOptions, type CaptureFlags, runCapture } from './capture.ts';
import { CommandError, runCommand, toEnvironment } from './exec.ts';
import { fail, type Print } from './mistake.ts';
import { type OpenapiFlags, writeOpenapi } from './openapi.ts';
import { listScenarios, type ScenariosFlags, type ValidateFlags, validate } from './scenario-files.ts';
import { addServerOptions, collect, type ServerFlags, toServerOptions } from './server-options.ts';
import { TargetError } from './target-options.ts';
import { addVerifyOptions, type VerifyFlags } from './verify-options.ts';

interface ServeFlags extends ServerFlags {
  readonly watch?: true;
  readonly json?: true;
  readonly quiet?: true;
}

const describeUnknown = (command: string, program: Command): string =>
  `there is no command "${command}".${didYouMean(
    command,
    program.commands.map((each) => each.name()),
  )} See gateway-mock --help.`;

const serve = async (flags: ServeFlags, print: Print): Promise<void> => {
  const { server } = await startPlainServer({
    ...toServerOptions(flags),
    watch: flags.watch,
    onReload: (error) => print(describeReload(error, flags)),
    onCall: flags.quiet ? undefined : (call) => print(flags.json ? toJsonLine(call) : toTextLine(call)),
  }).catch((error: unknown) => fail(messageOf(error)));

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
    fail('there is no command to run. Put it last: gateway-mock exec [options] -- COMMAND ARGS…');
  const { server } = await startPlainServer(toServerOptions(flags)).catch((error: unknown) =>
    fail(messageOf(error)),
  );
  try {
    const environment = await toEnvironment(server, flags.adminToken);
    const exitCode = await runCommand(command, { ...process.env, ...environment });
    await server.close();
    process.exit(exitCode);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await server.close();
    fail(error.message, error.exitCode);
  }
};

/** A broken file is reported even where the log is off: whoever is editing it is waiting for that. */
const describeReload = (error: Error | undefined, { json, scenario }: ServeFlags): string => {
  if (json) return JSON.stringify({ event: 'reload', scenario, error: error?.message ?? null });
  return error === undefined ? `Reloaded ${scenario}.` : `${error.message}\nThe last good one goes on.`;
};

const stopOnSignals = (server: PlainServer): void => {
  const stop = (): void => {
    setTimeout(() => process.exit(0), 800).unref();
    void server.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
};

/** Holds a gateway to the laws; the exit code tells whether it keeps them. */
const verifyGateway = async (flags: VerifyFlags, print: Print): Promise<number> => {
  const { verify } = await import('./verify.ts');
  try {
    const { text, exitCode, mistake } = await verify(flags, process.env);
    print(text);
    return mistake === undefined ? exitCode : fail(mistake);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    return fail(error.message);
  }
};

/** Makes a scenario file of a real gateway. */
const captureGateway = async (flags: CaptureFlags, print: Print): Promise<void> => {
  try {
    for (const line of await runCapture(flags, process.env)) print(line);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    fail(error.message);
  }
};

/** The commands, of which each prints by `write`, and tells by `end` where its exit code is not 0. */
const createProgram = (write: (text: string) => void, end: (exitCode: number) => void): Command => {
  const print: Print = (line) => write(`${line}\n`);
  const program = new Command('gateway-mock')
    .version(version)
    .description('A truthful local mock of an HTTP/JSON gateway in front of language-model providers.')
    .enablePositionalOptions()
    .exitOverride() // this and the next are inherited by all commands
    .configureOutput({ writeOut: write, writeErr: () => {} });

  const serveCommand = addServerOptions(program.command('serve', { isDefault: true }), 4010)
    .description('serve a scenario over HTTP: what is done where no command is named')
    .option('--watch', 'load the scenario anew when its files change')
    .option('--json', 'print a ready line, then log lines, all in JSON')
    .option('--quiet', 'print no log of the calls')
    .allowExcessArguments() // so that the command that there is not can be named
    .action((flags: ServeFlags, { args: [unknown] }: Command) =>
      unknown === undefined ? serve(flags, print) : fail(describeUnknown(unknown, program)),
    );

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
    .description('print the gateway as an OpenAPI 3.1 document')
    .option('--scenario <name>', 'the scenario whose assumptions it follows: a name, or the path of a file')
    .option('--scenarios <path>', 'a folder or file of scenarios of your own (repeatable)', collect)
    .option('-o, --output <file>', 'write it to this file instead')
    .action((flags: OpenapiFlags) =>
      writeOpenapi(flags, write).catch((error: unknown) => fail(messageOf(error))),
    );

  const verifyCommand = addVerifyOptions(program.command('verify'))
    .description(
      'hold a gateway to the laws of the contract, by calls that only read. Exit code 0: no law is broken; 1: one is; 2: not all could be asked, because the calls or the time were used up, calls were not answered, or something was wrong with the use',
    )
    .action(async (flags: VerifyFlags) => end(await verifyGateway(flags, print)));

  const captureCommand = addCaptureOptions(program.command('capture'))
    .description('make a scenario of what a gateway answers, by calls that only read')
    .action((flags: CaptureFlags) => captureGateway(flags, print));

  return program.addHelpText('after', () =>
    [serveCommand, execCommand, verifyCommand, captureCommand]
      .map((command) => `\n${command.helpInformation()}`)
      .join(''),
  );
};

/** An option that there is not, such as `--apikey=…`, may have a key for its value. */
const withoutValue = (message: string): string => message.replace(/(unknown option '[^=]*)=.*'/s, "$1=…'");

/**
 * Does what a command line says, and resolves with the exit code, or, for `serve`, once it serves.
 * `exec` ends the process itself, with its command.
 *
 * @param args what stands behind the name of the program
 * @param write takes what goes to standard output
 * @throws Mistake
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
    // It has shown its help, for want of the command that `help` was to be of.
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
