import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readDocument } from '../src/scenario/file.ts';
import { loadDocument, shippedLibrary } from '../src/scenario/load.ts';
import { startServer } from '../src/server.ts';
import { buildFolder } from './build-once.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

const blocksOf = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text);

/** Below the project, so that the packages that a block imports are found; `gateway-mock` itself is the build. */
const folder = join(root, 'node_modules/.cache/gateway-mock-readme');
const write = (name: string, text: string): string => {
  mkdirSync(folder, { recursive: true });
  const door = (_: string, name = 'index'): string => `'${join(root, buildFolder, `${name}.js`)}'`;
  const file = join(folder, name);
  writeFileSync(file, text.replace(/'gateway-mock(?:\/(\w+))?'/g, door));
  return file;
};

const blocks = blocksOf('js');
const suites = blocks.filter((text) => text.includes("'vitest'"));
const scripts = blocks.filter((text) => !text.includes("'vitest'"));

test('the README has blocks of each kind', () => {
  expect([suites.length, scripts.length, blocksOf('yaml').length]).toEqual([1, 3, 1]);
});

test.each(suites.map((text, index) => [index, text] as const))(
  'test suite %i passes as printed',
  async (index, text) => {
    const file = write(`suite-${index}.test.js`, text);
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const { stdout } = await run(
      process.execPath,
      [vitest, 'run', '--root', folder, '--config', write('vitest.config.mjs', 'export default {};'), file],
      { cwd: folder },
    );
    expect(stdout).toContain('1 passed');
  },
);

test.each(scripts.map((text, index) => [index, text] as const))(
  'script %i runs as printed',
  async (index, text) => {
    const server = await startServer();
    try {
      const file = write(`script-${index}.mjs`, text.replace('http://127.0.0.1:4010/v1', server.baseUrl));
      const { stderr } = await run(process.execPath, [file]);
      expect(stderr).toBe('');
    } finally {
      await server.close();
    }
  },
);

test.each(blocksOf('yaml'))('the scenario loads as printed', (text) => {
  const { whole } = loadDocument(readDocument('printed', 'README.md', text), shippedLibrary);
  expect(whole).toHaveProperty('threads.thread_4711');
});
