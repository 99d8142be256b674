#!/usr/bin/env node
import { runCommandLine } from './tools/cli/command-line.ts';
import { UsageError } from './tools/cli/usage-error.ts';

/** If the reader of the output has ended, such as `head`, the server continues. A full disk is reported once. */
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || process.exitCode === 2) return;
  process.exitCode = 2;
  process.stderr.write(`gateway-mock: failed to write the output: ${message}.\n`);
});

try {
  const exitCode = await runCommandLine(process.argv.slice(2), (text) => void process.stdout.write(text));
  process.exitCode ||= exitCode; // writing the output may have failed
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(error.line);
  process.exit(error.exitCode);
}
