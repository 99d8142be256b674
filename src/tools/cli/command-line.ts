// The command line: its commands, and the messages for usage errors. `src/cli.ts` runs it in a process.
import { gateway } from 'virtual:openapi';
import { version } from 'virtual:shipped';
import { Command, CommanderError, Option } from 'commander';
import { messageOf } from '../../core/util/message-of.ts';
import { didYouMean } from '../../core/util/nearest.ts';
import { toGatewayParts } from '../../service/gateway/gateway-parts.ts';
import { addCalls } from '../../service/openapi/add-calls.ts';
import { loadCalls } from '../../service/server/load-calls.ts';
import { addCaptureOptions, type CaptureFlags, runCapture } from './capture.ts';
import { withVariables } from './environment.ts';
import { addExamples, configureHelp } from './help.ts';
import type { InitFlags } from './init.ts';
import { runners } from './init-project.ts';
import { listScenarios, validate } from './scenario-files.ts';
import { exec, type ServeFlags, serve } from './serve.ts';
import { addServerOptions, collect, toFilled } from './server-flags.ts';
import { fail, type Print } from './usage-error.ts';
import { addVerifyOptions, type VerifyFlags } from './verify-options.ts';

/**
 * Runs a command line. Resolves with the exit code; for `serve`, as soon as the server is ready. `exec` itself ends the process
 * when its command ends.
 *
 * @param args the arguments after the name of the program
 * @param write writes to standard output
 * @throws UsageError
 */
export const runCommandLine = async (args: readonly string[], write: (text: string) => void) => {
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
    // `help` with an unknown command.
    if (error.code === 'commander.help') return fail(describeUnknown(program.args[1] ?? '', program));
    const message = error.message
      .replace(/(unknown option '[^=]*)=.*'/s, "$1=…'") // the value, as of `--apikey=…`, may be a key
      .replace(/^error: /, '')
      .replace(/\s*\n\s*/g, ' ')
      .trim()
      .replace(/([^.?!)])$/, '$1.');
    return fail(`${message} See gateway-mock --help.`);
  }
};

/** The commands. @param write prints text @param end sets the exit code, if it is not 0 */
export const createProgram = (write: (text: string) => void, end: (exitCode: number) => void): Command => {
  const print: Print = (line) => write(`${line}\n`);
  const program = configureHelp(new Command('gateway-mock'))
    .version(version)
    .description(
      'A local mock of an HTTP/JSON gateway in front of language-model providers. It renders prompts, lists runs, batches and checkpoints, and gets rate-limit policies.',
    )
    .enablePositionalOptions()
    .exitOverride() // all commands inherit these two settings
    .configureOutput({ writeOut: write, writeErr: () => {} });

  const log =
    'how to print the ready line and the [log](operations.md#the-log): one JSON object per line with json';
  addServerOptions(withVariables(program.command('serve', { isDefault: true })), 4010)
    .description('serve a scenario over HTTP, until Ctrl-C')
    .addOption(new Option('--log <format>', log).choices(['text', 'json']).default('text'))
    .option('--json', 'short for --log json')
    .option('--quiet', 'print only the address: no examples, no request log')
    .allowExcessArguments() // so that the error can name the unknown command
    .action((flags: ServeFlags, { args: [unknown] }: Command) =>
      unknown === undefined ? serve(flags, print) : fail(describeUnknown(unknown, program)),
    );

  addServerOptions(withVariables(program.command('exec')), 0)
    .summary('serve while a command runs')
    .description(
      'Start a server, run a command, and stop the server. The command gets the base URL in GATEWAY_BASE_URL. Each option has the environment variable that it has for serve.',
    )
    .usage('[options] -- COMMAND ARGS…')
    .argument('[command...]')
    .passThroughOptions() // options after the command's name belong to the command
    .action(exec);

  const runner = 'the test runner; without it, the one that is found';
  program
    .command('init')
    .description('write a scenario and a first test into a project')
    .option('--dir <path>', 'a folder of the project', toFilled('the path'), '.')
    .addOption(new Option('--runner <name>', runner).choices(Object.keys(runners)))
    .action(async (flags: InitFlags) => (await import('./init.ts')).init(flags, print));

  program
    .command('scenarios')
    .description('list the scenarios')
    .option('--scenarios <path>', 'a folder or file with your own scenarios (repeatable)', collect)
    .action(({ scenarios = [] }: { scenarios?: string[] }) => listScenarios(scenarios, print));

  program
    .command('validate [files...]')
    .summary('check scenario files')
    .description('Check files or folders of scenarios. Exit code 1 on errors, 0 if there are only warnings.')
    .addOption(callsOption('that their faults may name'))
    .action(async (files: readonly string[], { calls }: { calls?: string }) => {
      end(await validate(files, await readCalls(calls), print));
    });

  program
    .command('openapi')
    .description('print an OpenAPI 3.1 document of the gateway')
    .addOption(callsOption('to add'))
    .action(async ({ calls }: { calls?: string }) =>
      write(addCalls(gateway, (await readCalls(calls)).calls)),
    );

  addVerifyOptions(program.command('verify'))
    .summary('check a real gateway against the contract')
    .description(
      'Check a gateway against the contract with read-only calls. Exit code 0: all checks passed; 1: a check failed; 2: the run was incomplete (out of calls or time, or calls without a reply), or a usage error',
    )
    .action(async (flags: VerifyFlags) => {
      const { verify } = await import('./verify.ts');
      const { text, exitCode, error } = await verify(flags, process.env);
      print(text);
      end(error === undefined ? exitCode : fail(error));
    });
  addCaptureOptions(program.command('capture'))
    .summary('write a scenario from a real account')
    .description('Write a scenario from the replies of a gateway to read-only calls.')
    .action(async (flags: CaptureFlags) => (await runCapture(flags, process.env)).forEach(print));
  addExamples(program);
  return program;
};

const describeUnknown = (command: string, program: Command): string => {
  const names = program.commands.map((each) => each.name());
  return `unknown command "${command}".${didYouMean(command, names)} See gateway-mock --help.`;
};

const callsOption = (use: string): Option =>
  new Option('--calls <list>', `ready-made calls and files with [calls of your own](own-calls.md) ${use}`);

const readCalls = async (path: string | undefined) => {
  try {
    const calls = path === undefined ? [] : await loadCalls(path);
    return { calls, ...toGatewayParts(calls, () => fail('no call is answered here.')) }; // as a server checks them
  } catch (error) {
    return fail(messageOf(error));
  }
};

/** The options of the commands that serve, for the docs. */
export const listServerOptions = () => {
  const ignore = (): void => {};
  const { commands } = createProgram(ignore, ignore);
  const optionsOf = (name: string) => commands.find((command) => command.name() === name)?.options ?? [];
  return { serve: optionsOf('serve'), exec: optionsOf('exec') };
};
