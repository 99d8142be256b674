// The command line within this process: for what it says and does, where a process of its own is not the point.
import { onTestFinished } from 'vitest';
import type { GatewayServer } from '../../src/server.ts';
import { createProgram, runCommandLine } from '../../src/tools/cli/command-line.ts';
import { type ServeFlags, serve } from '../../src/tools/cli/serve.ts';
import { UsageError } from '../../src/tools/cli/usage-error.ts';
import type { Ending } from './spawn-cli.ts';

/** Runs a command that ends by itself, and answers as its process would. */
export const runCli = async (...args: string[]): Promise<Ending> => {
  let stdout = '';
  const ended = { signal: null, stderr: '' };
  try {
    const code = await runCommandLine(args, (text) => {
      stdout += text;
    });
    return { ...ended, code, stdout };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ...ended, code: error.exitCode, stdout, stderr: error.line };
  }
};

/** A server of `gateway-mock serve` in this process. */
export interface ServedHere {
  readonly server: GatewayServer;
  readonly baseUrl: string;
  /** What it has printed so far. */
  readonly stdout: () => string;
  /** The lines of it. */
  readonly lines: () => string[];
}

/** Serves in this process, on a free port, until the test ends. It takes no signals. */
export const serveHere = async (...args: string[]): Promise<ServedHere> => {
  let printed = '';
  const write = (text: string): void => {
    printed += text;
  };
  const program = createProgram(write, () => {});
  let opened: GatewayServer | undefined;
  program.commands
    .find((command) => command.name() === 'serve')
    ?.action((flags: ServeFlags) =>
      serve(
        flags,
        (line) => write(`${line}\n`),
        (server) => {
          opened = server;
          onTestFinished(server.close);
        },
      ),
    );
  await program.parseAsync(['serve', '--port', '0', ...args], { from: 'user' });
  if (opened === undefined) throw new Error('It does not serve.');
  const { baseUrl } = opened;
  return { server: opened, baseUrl, stdout: () => printed, lines: () => printed.split('\n').slice(0, -1) };
};
