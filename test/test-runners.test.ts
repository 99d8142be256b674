// The snippets of docs/test-runners.md, run as printed, as far as their runner is at hand.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startServer } from '../src/server.ts';
import { makeBuiltFolder, root, writeBuilt } from './write-built.ts';

const run = promisify(execFile);
const folder = makeBuiltFolder('gateway-mock-test-runners');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

const docs = readFileSync(join(root, 'docs/test-runners.md'), 'utf8');
const snippetsOf = (runner: string): string[] => {
  const [, part = ''] = docs.split(`\n## ${runner}\n`);
  return [...(part.split('\n## ')[0] ?? '').matchAll(/```js\n(.*?)```/gs)].map(([, text = '']) => text);
};

const runVitest = (file: string, config: string, env: NodeJS.ProcessEnv = process.env) =>
  run(process.execPath, [vitest, 'run', '--root', folder, '--config', config, file], { cwd: folder, env });

describe('the snippets', () => {
  test('are found', () => {
    const counts = ['Vitest', 'node:test', 'Jest', 'Playwright'].map((runner) => snippetsOf(runner).length);
    expect(counts).toEqual([3, 1, 1, 2]);
  });

  test.each(snippetsOf('Vitest').map((text, index) => [index, text] as const))(
    'of Vitest pass: %i',
    async (index, text) => {
      const config = writeBuilt(
        folder,
        'vitest.config.mjs',
        'export default { test: { testTimeout: 60_000 } };',
      );
      const { stdout } = await runVitest(writeBuilt(folder, `vitest-${index}.test.js`, text), config);
      expect(stdout).toContain('1 passed');
    },
  );

  test.each(snippetsOf('node:test'))('of node:test pass', async (text) => {
    const file = writeBuilt(folder, 'node-test.mjs', text);
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter', 'tap', file]);
    expect(stdout).toMatch(/^# pass 1$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  });

  // Jest is not at hand; its snippet uses nothing but globals, which Vitest has by the same names.
  test.each(snippetsOf('Jest'))('of Jest pass with the same globals of Vitest', async (text) => {
    const server = await startServer();
    try {
      const config = writeBuilt(
        folder,
        'globals.config.mjs',
        'export default { test: { globals: true, testTimeout: 60_000 } };',
      );
      const env = { ...process.env, GATEWAY_BASE_URL: server.baseUrl, JEST_WORKER_ID: '3' };
      const { stdout } = await runVitest(writeBuilt(folder, 'jest.test.js', text), config, env);
      expect(stdout).toContain('1 passed');
      expect(await server.sessions.list()).toContain('worker-3');
    } finally {
      await server.close();
    }
  });
});
