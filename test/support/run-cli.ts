// The command line within this process: for what it says and does, where a process of its own is not the point.
import { runCommandLine } from '../../src/cli/command-line.ts';
import { UsageError } from '../../src/cli/usage-error.ts';
import type { Ending } from './spawn-cli.ts';

/** Runs a command that ends by itself, and answers as its process would. Not for `serve`, which goes on. */
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
