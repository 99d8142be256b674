// The snippets of docs/test-runners.md, run as printed, as far as their runner is at hand.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { makeBuiltFolder, root, writeBuilt } from '../support/write-built.ts';

const run = promisify(execFile);
const folder = makeBuiltFolder('gateway-mock-test-runners');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const globals = 'export default { test: { globals: true, testTimeout: 60_000 } };';

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
      const config = writeBuilt(folder, 'globals.config.mjs', globals);
      const env = { ...process.env, GATEWAY_BASE_URL: server.baseUrl, JEST_WORKER_ID: '3' };
      const { stdout } = await runVitest(writeBuilt(folder, 'jest.test.js', text), config, env);
      expect(stdout).toContain('1 passed');
      expect(await server.sessions.list()).toContain('worker-3');
    } finally {
      await server.close();
    }
  });
});

/** The same text with one more line ahead of some other one. */
const withLine = (text: string, line: string, ahead: string): string => {
  expect(text).toContain(ahead);
  return text.replace(ahead, () => `${line}\n${ahead}`);
};

/** How a process fails, with all that it prints. */
const failureOf = (running: Promise<unknown>): Promise<string> =>
  running.then(
    () => 'It did not fail.',
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => stdout + stderr,
  );

describe('a test whose world is lost meanwhile fails, though nothing else in it does', () => {
  test.each(snippetsOf('node:test'))('with node:test', async (text) => {
    const crowded = text.replace('startServer()', 'startServer({ maxSessions: 2 })');
    const lost = withLine(crowded, "  await server.sessions.create('other');", '  assert.ok(page');
    const file = writeBuilt(folder, 'node-test-lost.mjs', lost);
    const printed = await failureOf(run(process.execPath, ['--test', '--test-reporter', 'tap', file]));
    expect(printed).toContain('The session "test-1" was removed for lack of room');
    expect(printed).toMatch(/^# fail 1$/m);
  });

  test.each([
    ['removed', "'other'", /expected \[ null, .* to deeply equal \[ '[0-9a-f]{12}', \[\] \]/],
    ['made anew', 'name', /expected \[ '[0-9a-f]{12}', \[\] \] to deeply equal \[ '[0-9a-f]{12}', \[\] \]/],
  ])('with Jest, where its session is %s by somebody else', async (_how, made, words) => {
    const server = await startServer({ maxSessions: 2 });
    try {
      const config = writeBuilt(folder, 'globals.config.mjs', globals);
      const env = { ...process.env, GATEWAY_BASE_URL: server.baseUrl, JEST_WORKER_ID: '3' };
      const [text = ''] = snippetsOf('Jest');
      const line = `  await fetch(root + '/__admin/sessions/' + ${made}, { method: 'PUT' });`;
      const file = writeBuilt(folder, 'jest-lost.test.js', withLine(text, line, '  expect(page.data)'));
      const printed = await failureOf(runVitest(file, config, env));
      expect(printed).toContain('1 failed');
      expect(printed).toMatch(words);
    } finally {
      await server.close();
    }
  });

  // Playwright's runner is not at hand: its fixture is run by itself, with as little around it as it needs.
  test('with Playwright', async () => {
    const server = await startServer({ maxSessions: 2 });
    try {
      const stub = join(folder, 'node_modules/@playwright/test');
      mkdirSync(stub, { recursive: true });
      writeFileSync(join(stub, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
      writeFileSync(
        join(stub, 'index.js'),
        `import assert from 'node:assert/strict';
         export const test = { extend: (fixtures) => fixtures };
         export const expect = (value) => ({ toEqual: (wanted) => assert.deepEqual(value, wanted) });`,
      );
      const [, fixtures = ''] = snippetsOf('Playwright');
      const file = writeBuilt(folder, 'fixtures.mjs', fixtures.replace('http://127.0.0.1:4010', server.url));
      const { test: extended } = await import(file);
      const page = { route: async () => {} };
      const runTest = (body: () => Promise<unknown>): Promise<void> =>
        extended.gateway({ page }, body, { testId: 'mine', retry: 0 });
      await runTest(async () => {});
      await expect(runTest(() => server.sessions.create('other'))).rejects.toThrow(
        'removed for lack of room',
      );
      await expect(runTest(() => server.sessions.create('mine-0'))).rejects.toThrow('is lost');
      await runTest(async () => {});
    } finally {
      await server.close();
    }
  });
});
