// A run that hangs ends, and lists the tests that were running.

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { builtProject } from '../support/suite-project.ts';
import { makeBuiltFolder, root } from '../support/write-built.ts';

const write = (folder: string, name: string, text: string): void => writeFileSync(join(folder, name), text);

/** Writes a configuration with the reporter, whose limit is an expression, and returns the arguments for a run with it. */
const withReporter = (folder: string, limit: string): string[] => {
  const reporter = pathToFileURL(join(root, '.config/running-tests.js')).href;
  write(
    folder,
    'vitest.config.mjs',
    `import { existsSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    const { RunningTests } = await import(${JSON.stringify(reporter)});
    export default {
      test: {
        globals: true,
        reporters: ['default', new RunningTests(${limit})],
        setupFiles: [${JSON.stringify(join(root, 'test/support/note-running.ts'))}],
      },
    };`,
  );
  return [builtProject.vitest, 'run', '--root', folder, '--config', join(folder, 'vitest.config.mjs')];
};

test('a run that takes too long ends with the names of the tests that are running', async () => {
  const folder = makeBuiltFolder('gateway-mock-stuck');
  mkdirSync(join(folder, 'signs'));
  // Nothing else in its worker gets a turn any more. It wakes up only if nobody ends it.
  write(
    folder,
    'stuck.test.js',
    `import { writeFileSync } from 'node:fs';
    test('passes', () => {});
    describe('a room', () => {
      test('never gives way', () => {
        writeFileSync(${JSON.stringify(join(folder, 'signs/stuck'))}, '');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300_000);
      });
    });`,
  );
  const args = withReporter(
    folder,
    `async () => { while (!existsSync(${JSON.stringify(join(folder, 'signs/stuck'))})) await setTimeout(20); }`,
  );
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });
  expect(code).toBe(1);
  expect(stderr).toContain('The run takes too long, and is ended. These were running:\n');
  expect(stderr).toMatch(/^ {2}\S+stuck\.test\.js > a room > never gives way$/m);
});
