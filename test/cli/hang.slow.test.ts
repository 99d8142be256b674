// A run that hangs ends, and says by which test: proved by runs of suites that hang in each way.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { builtProject, runFolder } from '../support/suite-project.ts';
import { makeBuiltFolder, root } from '../support/write-built.ts';

const write = (folder: string, name: string, text: string): void => writeFileSync(join(folder, name), text);

test('a test or hook that never ends fails by its name', async () => {
  const folder = makeBuiltFolder('gateway-mock-hang');
  const suites = {
    'test.test.js': `test('waits for what never comes', () => new Promise(() => {}));`,
    'child.test.js': `import { spawn } from 'node:child_process';
      import { once } from 'node:events';
      test('waits for a child that never ends', async ({ onTestFinished }) => {
        const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
        onTestFinished(() => void child.kill());
        await once(child, 'close');
      });`,
    'hook.test.js': `beforeEach(() => new Promise(() => {}));
      test('has a hook that never ends', () => {});`,
  };
  for (const [name, text] of Object.entries(suites)) write(folder, name, text);
  const limits = ['--globals', '--testTimeout', '100', '--hookTimeout', '100'];
  const { code, failures } = await runFolder(builtProject, folder, limits);
  expect(code).toBe(1);
  expect(Object.keys(failures).sort()).toEqual([
    'has a hook that never ends',
    'waits for a child that never ends',
    'waits for what never comes',
  ]);
});

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

test('a run that is interrupted while tests begin ends without an error', async () => {
  const folder = makeBuiltFolder('gateway-mock-interrupted');
  const sign = join(folder, 'has-begun');
  write(
    folder,
    'busy.test.js',
    `import { writeFileSync } from 'node:fs';
    import { inject } from 'vitest';
    test('writes to the folder as long as it is there, as many workers would', () => {
      for (let pid = 0; ; pid += 1) {
        writeFileSync(inject('runningFolder') + '/' + pid, '');
        if (pid === 5_000) writeFileSync(${JSON.stringify(sign)}, '');
      }
    });`,
  );
  const child = spawn(process.execPath, withReporter(folder, '() => new Promise(() => {})'), { cwd: folder });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const ended = once(child, 'close');
  await expect.poll(() => existsSync(sign)).toBe(true);
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(printed).not.toContain('Error');
});
