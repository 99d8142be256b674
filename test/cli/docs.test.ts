// What README and docs print: each block of code is run or loaded as it stands, and what is made from the code is current.
// The command lines: printed-commands.slow.test.ts; node:test: node-test.test.ts; Playwright: test/browser.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { toAgents, toLlms } from '../../.config/agents.js';
import { fillPage, toCalls, toTables } from '../../.config/docs-tables.js';
import { effectKinds } from '../../src/core/faults/fault-kinds.ts';
import { readDocument } from '../../src/core/scenario/file.ts';
import { shippedLibrary } from '../../src/core/scenario/library.ts';
import { loadDocument } from '../../src/core/scenario/load.ts';
import { operations } from '../../src/core/scenario/scenario-schema.ts';
import { assumptions, createGateway } from '../../src/index.ts';
import { allCommands } from '../../src/service/control/control.ts';
import { listServerOptions } from '../../src/tools/cli/command-line.ts';
import { findWarnings } from '../../src/tools/conformance/warnings.ts';
import { hasCommand } from '../support/missing-tool.ts';
import { openServer } from '../support/open-gateway.ts';
import {
  blocks,
  blocksOf,
  pages,
  printedCalls,
  read,
  runnerPages,
  scripts,
  suites,
} from '../support/printed-blocks.ts';
import { builtProject, runFolder } from '../support/suite-project.ts';
import { makeBuiltFolder, writeBuilt } from '../support/write-built.ts';

const run = promisify(execFile);
const folder = makeBuiltFolder('gateway-mock-docs');

test('every block of code is of a kind that a test runs or loads, or is no code', () => {
  const kinds = new Set(blocks.map(({ info }) => info));
  const held = {
    // No test runs these: their compilers and interpreters would be large.
    csharp: ['docs/other-languages.md'],
    java: ['docs/other-languages.md'],
    php: ['docs/other-languages.md'],
    ruby: ['docs/other-languages.md'],
    'js msw': ['docs/jest.md', 'docs/jest.md'], // Jest with MSW and Babel
    go: ['docs/other-languages.md'], // test/browser/examples.slow.test.ts
    // below; test/conformance/verify.test.ts
    json: [...operations.map(() => 'docs/calls.md'), 'docs/verify.md'],
    'js browser': ['docs/connect.md'], // test/browser/browser-entry.test.ts
    'js calls': ['docs/own-calls.md'], // below, and test/cli/printed-commands.slow.test.ts
    ts: ['docs/jest.md'], // test/package/jest.test.ts
    // test/cli/metrics.test.ts, test/cli/printed-commands.slow.test.ts, below
    yaml: [
      'docs/ci.md',
      'docs/ci.md',
      'docs/ci.md',
      'docs/operations.md',
      'docs/own-calls.md', // test/transports/own-calls-file.test.ts has the like
      ...Array<string>(7).fill('docs/prompts.md'), // below
      'docs/scenarios.md',
      'docs/verify.md',
    ],
    http: Array<string>(5).fill('docs/prompts.md'), // below
  };
  // Without a language: the form of a fault, a map of folders, a log line.
  expect([...kinds].sort()).toEqual([...Object.keys(held), '', 'js', 'python', 'sh'].sort());
  for (const [info, where] of Object.entries(held))
    expect(blocksOf(info).map(({ page }) => page)).toEqual(where);
});

/** It is `scenarios/bug-4711.yaml` of a user's project. */
const printedScenario = blocksOf('yaml').find(({ page }) => page === 'docs/scenarios.md')?.text ?? '';

const vitestPage = blocksOf('js')
  .filter(({ page }) => page === 'docs/vitest.md')
  .map(({ text }) => text);

describe('the blocks of JavaScript', () => {
  test('that are suites of Vitest pass as printed', async () => {
    const printed = [...suites, ...vitestPage];
    expect(printed.length).toBeGreaterThan(7);
    const folder = builtProject.makeFolder('gateway-mock-docs-suites');
    mkdirSync(join(folder, 'scenarios'));
    writeFileSync(join(folder, 'scenarios/bug-4711.yaml'), printedScenario);
    builtProject.write(folder, 'calls.mjs', printedCalls);
    printed.forEach((text, index) => void builtProject.write(folder, `printed-${index}.test.js`, text));
    const result = await runFolder(builtProject, folder);
    const passed = printed.join('').match(/^ *test(?:\.concurrent)?\('/gm)?.length;
    expect([result.of('printed-').failures, result.of('printed-').passed]).toEqual([{}, passed]);
  });

  test('that are scripts run as printed, one after the other in one process', async () => {
    const server = await openServer();
    const files = scripts.map((text, index) =>
      writeBuilt(folder, `script-${index}.mjs`, text.replace('http://127.0.0.1:4010', server.url)),
    );
    const all = files.map((file) => `await import(${JSON.stringify(pathToFileURL(file).href)});`).join('\n');
    const { stderr } = await run(process.execPath, [writeBuilt(folder, 'scripts.mjs', all)], { cwd: folder });
    expect(stderr).toBe('');
  });
});

const hasPython = hasCommand('python3', 'the tests of the printed Python');

const scriptsInPython = blocksOf('python').filter(({ page }) => !runnerPages.includes(page));
test.skipIf(!hasPython).each(scriptsInPython)('the Python of $page runs as printed', async ({ text }) => {
  const server = await openServer();
  const file = join(folder, 'printed.py');
  writeFileSync(file, text);
  const env = {
    ...process.env,
    GATEWAY_BASE_URL: server.baseUrl,
    GATEWAY_ADMIN_URL: `${server.url}/__admin`,
    GATEWAY_API_KEY: 'any',
    GATEWAY_VIRTUAL_KEY: 'any',
  };
  const { stderr } = await run('python3', [file], { env });
  expect(stderr).toBe('');
});

test('the scenario of docs/scenarios.md loads as printed, without warnings', () => {
  const document = readDocument('printed', 'docs/scenarios.md', printedScenario);
  const { scenario } = loadDocument(document, shippedLibrary);
  expect(scenario).toHaveProperty('threads.thread_4711');
  expect(findWarnings(document, shippedLibrary)).toEqual([]);
});

describe('docs/prompts.md', () => {
  const prompts = blocksOf('yaml').filter(({ page }) => page === 'docs/prompts.md');

  test.each(prompts)('the prompts of line $line have no warnings', ({ text }) => {
    expect(findWarnings(readDocument('printed', 'docs/prompts.md', text), shippedLibrary)).toEqual([]);
  });

  test.each(blocksOf('http'))('the call of line $line has the printed reply', async ({ text, line }) => {
    const [, path = '', body = '', status, reply = ''] =
      /^POST (.*?)\n(.*?)\n\n(\d+)\n(.*)$/s.exec(text) ?? [];
    const written = prompts.findLast((block) => block.line < line)?.text ?? '';
    const gateway = createGateway({ scenario: parse(written) });
    const response = await gateway.fetch(`https://api.gateway.test/v1${path}`, {
      method: 'POST',
      headers: { 'x-gateway-api-key': 'any', 'content-type': 'application/json' },
      body,
    });
    expect([String(response.status), await response.json()]).toEqual([status, JSON.parse(reply)]);
  });
});

describe('what is made from the code', () => {
  test('is current: the tables', async () => {
    const gateway = createGateway();
    const scenarios = await gateway.scenario.list();
    const tables = toTables({
      assumptions,
      scenarios,
      operations,
      calls: await toCalls(operations, assumptions, gateway.fetch),
      commands: allCommands,
      ...listServerOptions(),
    });
    for (const page of pages)
      expect(read(page), `run \`npm run docs\` for ${page}`).toBe(fillPage(read(page), tables));
    const places = pages.flatMap((page) =>
      [...read(page).matchAll(/^<!-- ([\w-]+) -->$/gm)].map(([, name]) => name),
    );
    expect(new Set(places)).toEqual(new Set(Object.keys(tables)));
  });

  test('is current: llms.txt and AGENTS.md', () => {
    expect(read('llms.txt'), 'run `npm run docs`').toBe(toLlms());
    expect(read('AGENTS.md'), 'run `npm run docs`').toBe(toAgents());
  });
});

test.each(blocksOf('yaml').filter(({ page }) => page === 'docs/ci.md'))(
  'the job in line $line of $page is YAML, and its command lines exist',
  ({ text }) => {
    const file = parse(text);
    const jobs: { readonly steps?: { run?: string }[]; readonly script?: string[] }[] = Object.values(
      file.jobs ?? { test: file.test },
    );
    for (const { steps = [], script } of jobs) {
      const commands = script ?? steps.flatMap(({ run }) => run ?? []);
      expect(commands[0]).toBe('npm ci');
      expect(commands.at(-1)).toMatch(/^(?:npm test|npx playwright test|npx gateway-mock exec -- pytest)\b/);
    }
  },
);

test('docs/faults.md has every kind of fault, and nothing else', () => {
  const [, tables = ''] = /## What happens(.*)\n## Which fault wins/s.exec(read('docs/faults.md')) ?? [];
  const kinds = [...tables.matchAll(/^\| (`.+?) +\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z-]+)[^`]*`/g)].map(([, kind = '']) => kind),
  );
  expect([...new Set(kinds)].sort()).toEqual([...effectKinds].sort());
});
