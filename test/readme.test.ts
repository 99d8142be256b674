import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { fillControl, fillReadme } from '../.config/readme-tables.js';
import { effectKinds } from '../src/faults/effect.ts';
import { assumptions, createGateway } from '../src/index.ts';
import { readDocument } from '../src/scenario/file.ts';
import { shippedLibrary } from '../src/scenario/library.ts';
import { loadDocument } from '../src/scenario/load.ts';
import { operations } from '../src/scenario/schema.ts';
import { startServer } from '../src/server.ts';
import { serveCli } from './spawn-cli.ts';
import { makeBuiltFolder, root, writeBuilt } from './write-built.ts';

const run = promisify(execFile);
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const control = read('docs/control.md');

/** Those of docs/test-runners.md have a test of their own. */
const blocksOf = (language: string): string[] =>
  [
    ...(read('README.md') + control + read('docs/verify.md')).matchAll(
      new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'),
    ),
  ].map(([, text = '']) => text);

const folder = makeBuiltFolder('gateway-mock-readme');
const write = (name: string, text: string): string => writeBuilt(folder, name, text);

const blocks = blocksOf('js');
const suites = blocks.filter((text) => text.includes("'vitest'"));
const scripts = blocks.filter((text) => !text.includes("'vitest'"));

test('README and docs have blocks of each kind', () => {
  expect([suites.length, scripts.length, blocksOf('yaml').length]).toEqual([2, 10, 1]);
});

test.each(suites.map((text, index) => [index, text] as const))(
  'test suite %i passes as printed',
  async (index, text) => {
    const file = write(`suite-${index}.test.js`, text);
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const { stdout } = await run(
      process.execPath,
      [
        vitest,
        'run',
        '--root',
        folder,
        '--config',
        write('vitest.config.mjs', 'export default { test: { testTimeout: 60_000 } };'),
        file,
      ],
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
      const file = write(`script-${index}.mjs`, text.replace('http://127.0.0.1:4010', server.url));
      const { stderr } = await run(process.execPath, [file]);
      expect(stderr).toBe('');
    } finally {
      await server.close();
    }
  },
);

/** The command lines of README.md and docs/control.md, each without its comment. */
const commands = [...(read('README.md') + control).matchAll(/```sh\n(.*?)```/gs)]
  .flatMap(([, text = '']) => text.trim().split('\n'))
  .map((line) => line.replace(/\s+# .*$/, ''));

test.each(commands.filter((line) => line.startsWith('curl ')))('%s', async (line) => {
  const server = await startServer();
  onTestFinished(server.close);
  const command = line.replace('http://127.0.0.1:4010', server.url);
  if (!line.includes('/events')) {
    expect(JSON.parse((await run('sh', ['-c', command])).stdout)).not.toHaveProperty('error');
    return;
  }
  // A stream has no end of its own.
  const stream = spawn('sh', ['-c', `exec ${command}`], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void stream.kill());
  const [told] = await once(stream.stdout, 'data');
  expect(String(told)).toContain(': gateway-mock');
});

test.each(commands.filter((line) => !line.startsWith('curl ')))('%s', async (line) => {
  const [, args = ''] = /^npm start(?: -- (.*))?$/.exec(line) ?? [];
  // The two at the top are what CI does on a new machine.
  if (line.startsWith('npm ci && ')) expect(['npm ci && npm start', 'npm ci && npm test']).toContain(line);
  else await (await serveCli(...args.split(' ').filter((arg) => arg !== ''))).stop();
  expect(line).toMatch(/^npm (?:ci && npm (?:start|test)|start\b)/);
});

test.each(blocksOf('yaml'))('the scenario loads as printed', (text) => {
  const { whole } = loadDocument(readDocument('printed', 'README.md', text), shippedLibrary);
  expect(whole).toHaveProperty('threads.thread_4711');
});

test('the tables of README.md and the operations of docs/control.md are those of the code', async () => {
  const readme = read('README.md');
  const scenarios = await createGateway().scenario.list();
  const contracts = operations.map(({ contract }) => contract);
  expect(readme, 'run `npm run docs`').toBe(fillReadme(readme, { assumptions, scenarios, contracts }));
  expect(control, 'run `npm run docs`').toBe(fillControl(control, contracts));
});

test('docs/control.md tells of every kind of fault, and of nothing else', () => {
  const [, tables = ''] = /\*\*What happens\.\*\*(.*)\n## Quotas/s.exec(control) ?? [];
  const rows = [...tables.matchAll(/^\| (`.+?) +\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z-]+)[^`]*`/g)].map(([, kind = '']) => kind),
  );
  expect([...new Set(rows)].sort()).toEqual([...effectKinds].sort());
});
