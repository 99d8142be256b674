#!/usr/bin/env node
import { runCommandLine } from './cli/command-line.ts';
import { Mistake } from './cli/mistake.ts';

/** What reads the output may be gone, like `head`: that is no reason to stop serving. A full disk is told of, once. */
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || process.exitCode === 2) return;
  process.exitCode = 2;
  process.stderr.write(`gateway-mock: the output cannot be written: ${message}.\n`);
});

try {
  const exitCode = await runCommandLine(process.argv.slice(2), (text) => void process.stdout.write(text));
  process.exitCode ||= exitCode; // the output may have failed meanwhile
} catch (error) {
  if (!(error instanceof Mistake)) throw error;
  process.stderr.write(error.line);
  process.exit(error.exitCode);
}
