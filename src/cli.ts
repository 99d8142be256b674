#!/usr/bin/env node
import module from 'node:module';
import { UsageError } from './tools/cli/usage-error.ts';

// Everything else is imported later: an older Node cannot even read it.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  const need = 'gateway-mock: Node 20.19 or newer is needed';
  process.stderr.write(`${need}, but this is Node ${process.versions.node}.\n`);
  process.exit(2);
}
// Node 22 and newer: a later start compiles nothing again. The types are those of Node 20.
(module as { readonly enableCompileCache?: () => void }).enableCompileCache?.();

/** If the reader of the output has ended, such as `head`, the server continues. A full disk is reported once. */
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || process.exitCode === 2) return;
  process.exitCode = 2;
  process.stderr.write(`gateway-mock: failed to write the output: ${message}.\n`);
});

try {
  const { runCommandLine } = await import('./tools/cli/command-line.ts');
  const exitCode = await runCommandLine(process.argv.slice(2), (text) => void process.stdout.write(text));
  process.exitCode ||= exitCode; // writing the output may have failed
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(error.line);
  process.exit(error.exitCode);
}
