// `npm start` in a clone: it builds into `dist/`, and is the command line from then on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts }: { scripts: { start: string } } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/** As npm starts it, but for the shell, of which each system has another. */
const start = (...args: string[]) => {
  const [node, script = ''] = scripts.start.split(' ');
  expect(scripts.start).toBe(`${node} ${script}`); // no word of a shell
  const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

test('serves until a signal, and then ends with exit code 0', async () => {
  const child = start('--port', '0', '--json', '--seed', '7');
  const errors = readText(child.stderr);
  const [line] = await once(child.stdout, 'data');
  const { event, baseUrl, pid, seed } = JSON.parse(String(line));
  expect({ event, pid, seed }).toEqual({ event: 'ready', pid: child.pid, seed: 7 });
  expect((await fetch(`${baseUrl}/batches`)).status).toBe(401); // it answers: no key was sent
  child.kill('SIGTERM');
  await once(child, 'close');
  expect([child.exitCode, await errors]).toEqual([0, '']);
});

test('has the exit code of the command line', async () => {
  const child = start('--scenario', 'defualt');
  const [errors] = await Promise.all([readText(child.stderr), once(child, 'close')]);
  expect([child.exitCode, errors]).toEqual([2, expect.stringContaining('Did you mean "default"?')]);
});

test('builds only if something was changed', async () => {
  const built = async () => {
    await once(start('--help'), 'close');
    return statSync(join(root, 'dist/cli.js')).mtimeMs;
  };
  const first = await built();
  expect(await built()).toBe(first);
  utimesSync(join(root, 'src/cli.ts'), new Date(), new Date());
  expect(await built()).toBeGreaterThan(first);
});
