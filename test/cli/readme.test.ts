import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { fillControl, fillReadme } from '../../.config/readme-tables.js';
import { allCommands } from '../../src/control/control.ts';
import { effectKinds } from '../../src/faults/effect.ts';
import { assumptions, createGateway } from '../../src/index.ts';
import { readDocument } from '../../src/scenario/file.ts';
import { shippedLibrary } from '../../src/scenario/library.ts';
import { loadDocument } from '../../src/scenario/load.ts';
import { operations } from '../../src/scenario/schema.ts';
import { hasCommand, hasShell } from '../support/missing-tool.ts';
import { openServer } from '../support/open-gateway.ts';
import { blocksOf, read, scripts, suites } from '../support/printed-blocks.ts';
import { serveCli } from '../support/spawn-cli.ts';
import { builtProject, runFolder } from '../support/suite-project.ts';
import { makeBuiltFolder, writeBuilt } from '../support/write-built.ts';

const run = promisify(execFile);
const control = read('docs/control.md');

const folder = makeBuiltFolder('gateway-mock-readme');
const write = (name: string, text: string): string => writeBuilt(folder, name, text);

test('README and docs have blocks of each kind', () => {
  expect([suites.length, scripts.length, blocksOf('yaml').length]).toEqual([2, 10, 1]);
});

test('the test suites pass as printed', async () => {
  const folder = builtProject.makeFolder('gateway-mock-readme-suites');
  suites.forEach((text, index) => void builtProject.write(folder, `printed-${index}.test.js`, text));
  expect(await runFolder(builtProject, folder)).toMatchObject({ failures: {}, passed: suites.length });
});

test.each(scripts.map((text, index) => [index, text] as const))(
  'script %i runs as printed',
  async (index, text) => {
    const server = await openServer();
    const file = write(`script-${index}.mjs`, text.replace('http://127.0.0.1:4010', server.url));
    const { stderr } = await run(process.execPath, [file]);
    expect(stderr).toBe('');
  },
);

/** The command lines of README.md and docs/control.md, each without its comment. */
const commands = [...(read('README.md') + control).matchAll(/```sh\n(.*?)```/gs)]
  .flatMap(([, text = '']) => text.trim().split('\n'))
  .map((line) => line.replace(/\s+# .*$/, ''));

const hasCurl =
  hasShell('the tests of the printed calls by curl') &&
  hasCommand('curl', 'the tests of the printed calls by curl');

test.skipIf(!hasCurl).each(commands.filter((line) => line.startsWith('curl ')))('%s', async (line) => {
  const server = await openServer();
  const command = line.replace('http://127.0.0.1:4010', server.url);
  if (!line.includes('/events')) {
    const { stdout } = await run('sh', ['-c', command]);
    if (line.includes('/metrics')) expect(stdout).toContain('gateway_mock_sessions 1\n');
    else expect(JSON.parse(stdout)).not.toHaveProperty('error');
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
  expect(control, 'run `npm run docs`').toBe(fillControl(control, contracts, allCommands));
});

test('docs/control.md tells of every kind of fault, and of nothing else', () => {
  const [, tables = ''] = /\*\*What happens\.\*\*(.*)\n## Quotas/s.exec(control) ?? [];
  const rows = [...tables.matchAll(/^\| (`.+?) +\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z-]+)[^`]*`/g)].map(([, kind = '']) => kind),
  );
  expect([...new Set(rows)].sort()).toEqual([...effectKinds].sort());
});
