// What README and docs print: each block of code is run or loaded as it stands, and what is made from the code is current.
// The command lines: printed-commands.slow.test.ts; node:test: test-runners.test.ts; Playwright: test/browser.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { toAgents, toLlms } from '../../.config/agents.js';
import { fillPage, toTables } from '../../.config/docs-tables.js';
import { effectKinds } from '../../src/core/faults/fault-kinds.ts';
import { readDocument } from '../../src/core/scenario/file.ts';
import { shippedLibrary } from '../../src/core/scenario/library.ts';
import { loadDocument } from '../../src/core/scenario/load.ts';
import { operations } from '../../src/core/scenario/scenario-schema.ts';
import { assumptions, createGateway } from '../../src/index.ts';
import type { GatewayServer } from '../../src/server.ts';
import { showCall } from '../../src/service/admin/show-call.ts';
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
  snippetsOf,
  suites,
  withLine,
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
    go: ['docs/go.md'], // test/browser/examples.test.ts
    json: ['docs/verify.md'], // a part of a report, whose form test/conformance/verify.test.ts has
    'js browser': ['docs/connect.md'], // test/browser/browser-entry.test.ts
    'js calls': ['docs/own-calls.md'], // below, and test/cli/printed-commands.slow.test.ts
    ts: ['docs/jest.md'], // test/package/jest.test.ts
    // test/cli/metrics.test.ts, test/cli/printed-commands.slow.test.ts, below; test/package/frameworks.test.ts
    yaml: [
      'docs/ci.md',
      'docs/ci.md',
      'docs/ci.md',
      'docs/frameworks.md',
      'docs/metrics.md',
      ...Array<string>(7).fill('docs/prompts.md'), // below
      'docs/recipes.md',
      'docs/scenarios.md',
    ],
    http: Array<string>(7).fill('docs/prompts.md'), // below
  };
  // Without a language: the form of a fault, a map of folders, a log line.
  expect([...kinds].sort()).toEqual([...Object.keys(held), '', 'js', 'python', 'sh'].sort());
  for (const [info, where] of Object.entries(held))
    expect(blocksOf(info).map(({ page }) => page)).toEqual(where);
});

/** It is `scenarios/bug-4711.yaml` of a user's project. */
const printedScenario = blocksOf('yaml').find(({ page }) => page === 'docs/scenarios.md')?.text ?? '';

describe('the blocks of JavaScript', () => {
  test('that are suites of Vitest, or of Jest with the globals of Vitest, pass as printed', async () => {
    const printed = [...suites, ...snippetsOf('Vitest')];
    expect(printed.length).toBeGreaterThan(7);
    const folder = builtProject.makeFolder('gateway-mock-docs-suites');
    mkdirSync(join(folder, 'scenarios'));
    writeFileSync(join(folder, 'scenarios/bug-4711.yaml'), printedScenario);
    builtProject.write(folder, 'calls.mjs', printedCalls);
    printed.forEach((text, index) => void builtProject.write(folder, `printed-${index}.test.js`, text));
    const [jest = '', ...others] = snippetsOf('Jest');
    expect(others).toEqual([]);
    const writeJest = async (name: string, text: string): Promise<GatewayServer> => {
      const server = await openServer({ maxSessions: 2 });
      const url = `'${server.baseUrl}'`;
      builtProject.write(folder, name, text.replace('process.env.GATEWAY_BASE_URL', url));
      return server;
    };
    const server = await writeJest('jest.test.js', jest);
    const body = `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"other"}' }`;
    const crowd = `  await fetch(root + '/__admin/sessions/create', ${body});`;
    await writeJest('crowded.test.js', withLine(jest, crowd, '  expect(page.data)'));
    const env = { ...process.env, JEST_WORKER_ID: '3' };
    const args = ['--globals', '--no-isolate', '--no-file-parallelism']; // the build is loaded once
    const result = await runFolder(builtProject, folder, args, env);
    const passed = printed.join('').match(/^ *test(?:\.concurrent)?\('/gm)?.length;
    for (const [name, count] of [
      ['printed-', passed],
      ['jest.', 1],
    ] as const)
      expect([name, result.of(name).failures, result.of(name).passed]).toEqual([name, {}, count]);
    expect(await server.sessions.list()).toContain('worker-3');
    // It fails where its session is removed meanwhile.
    expect(result.of('crowded.').failures['there are batches']).toEqual([
      expect.stringMatching(/expected \[ null, .* to deeply equal \[ '[0-9a-f]{12}', \[\] \]/),
    ]);
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
    const scenarios = await createGateway().scenario.list();
    const contracts = operations.map(({ contract }) => contract);
    const tables = toTables({
      assumptions,
      scenarios,
      contracts,
      commands: allCommands,
      showCall,
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
    expect(read('docs/AGENTS.md'), 'run `npm run docs`').toBe(toAgents());
  });
});

test.each(blocksOf('yaml').filter(({ page }) => page === 'docs/ci.md'))(
  'the job in line $line of $page is YAML, and its command lines exist',
  ({ text }) => {
    const job = parse(text);
    const { steps, script } = job.jobs?.test ?? job.test;
    const commands: string[] = script ?? steps.flatMap((step: { run?: string }) => step.run ?? []);
    expect(commands[0]).toBe('npm ci');
    expect(commands[1]).toMatch(/^(?:npx gateway-mock exec -- )?npm test$/);
  },
);

test('docs/faults.md has every kind of fault, and nothing else', () => {
  const [, tables = ''] = /## What happens(.*)\n## Which fault wins/s.exec(read('docs/faults.md')) ?? [];
  const kinds = [...tables.matchAll(/^\| (`.+?) +\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z-]+)[^`]*`/g)].map(([, kind = '']) => kind),
  );
  expect([...new Set(kinds)].sort()).toEqual([...effectKinds].sort());
});
