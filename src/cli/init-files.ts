// What `gateway-mock init` writes: a scenario, and a first test for each runner.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findAbove } from '../scenario/schema-comment.ts';
import type { Project, Runner } from './init-project.ts';
import { fail } from './usage-error.ts';

/** The path of the scenario in the project. Tests name it from there, where they are run. */
export const scenarioPath = 'scenarios/first.yaml';

/** The scenario, but for its first line. */
export const scenarioText = `description: What the first test starts from. Change it as you like.
batches:
  records:
    - { id: batch_first, status: failed } # what is not given is seeded
threads:
  thread_first: { runs: { completed: 2, queued: 1 } }
`;

const title = 'the failed batch of the scenario is listed';
const isListed = "{ data: [{ id: 'batch_first', status: 'failed' }] }";
const call =
  "const reply = await fetch(gateway.baseUrl + '/batches', { headers: gateway.headers }); // your client, here";

const pytestCommand = `npx gateway-mock exec --scenario ${scenarioPath} -- pytest`;

const toVitest = (): string => `import { expect } from 'vitest';
import { readScenario } from 'gateway-mock/node';
import { test } from 'gateway-mock/vitest';

test('${title}', async ({ gateway }) => {
  await gateway.scenario.load(await readScenario('${scenarioPath}'));
  ${call}
  expect(await reply.json()).toMatchObject(${isListed});
});
`;

const toPlaywright = (): string => `import { expect } from '@playwright/test';
import { test } from 'gateway-mock/playwright';

test.use({ gatewayOptions: { scenario: '${scenarioPath}' } }); // for a page, add appBaseUrl

test('${title}', async ({ gateway }) => {
  ${call}
  expect(await reply.json()).toMatchObject(${isListed});
});
`;

/** In TypeScript, the globals of Jest have no types of their own. */
const toJest = ({ extension, isModule }: Project): string => `/** @jest-environment node */
${extension === 'ts' ? "import { expect, test } from '@jest/globals';\n" : ''}${
  extension === 'ts' || isModule
    ? "import { useGateway } from 'gateway-mock/jest';"
    : "const { useGateway } = require('gateway-mock/jest');"
}

const gateway = useGateway({ scenario: '${scenarioPath}' });

test('${title}', async () => {
  ${call}
  expect(await reply.json()).toMatchObject(${isListed});
});
`;

/** The check is not in `afterEach`: Deno ignores what that throws. */
const toNodeTest = (): string => `import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { startServer } from 'gateway-mock/server';

const gateway = await startServer({ scenario: '${scenarioPath}' });
after(() => gateway.close());
beforeEach((context) =>
  context.after(async () => {
    const unmatched = await gateway.requests.list({ unmatched: true }); // requests that matched no operation
    const unused = await gateway.faults.list({ unused: true }); // faults that did nothing
    await gateway.reset();
    assert.deepEqual({ unmatched, unused }, { unmatched: [], unused: [] });
  }),
);

test('${title}', async () => {
  const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };
  const reply = await fetch(gateway.baseUrl + '/batches', { headers }); // your client, here
  const { data } = await reply.json();
  assert.deepEqual(
    data.map((batch) => [batch.id, batch.status]),
    [['batch_first', 'failed']],
  );
});
`;

const toPytest = (): string => `"""A first test. Run it with: ${pytestCommand}"""

import json
import urllib.request


def test_the_failed_batch_of_the_scenario_is_listed(gateway):
    request = urllib.request.Request(f"{gateway.base_url}/batches", headers=gateway.headers)
    with urllib.request.urlopen(request) as reply:  # your client, here
        page = json.load(reply)
    assert [(batch["id"], batch["status"]) for batch in page["data"]] == [("batch_first", "failed")]
`;

/** The fixture of docs/pytest.md, which ships with the package. */
const readFixture = (): string => {
  const page = findAbove(dirname(fileURLToPath(import.meta.url)), 'docs/pytest.md');
  const [, fixture] = /```python\n("""A fixture .*?)```/s.exec(page ? readFileSync(page, 'utf8') : '') ?? [];
  return (
    fixture ??
    fail('docs/pytest.md, which has the fixture for pytest, is missing. Install the package again.')
  );
};

/** A file to write into the project, and what it is; and what the user has to add to a file of their own. */
export interface Fixture {
  readonly path: string;
  readonly text: string;
  readonly toAdd?: { readonly path: string; readonly line: string };
}

/** The file that the first test takes its fixture from: conftest.py, where pytest looks for it, unless the project has one. */
const toFixture = ({ folder, runner }: Project, tests: string): Fixture | undefined => {
  if (runner !== 'pytest') return undefined;
  const path = posix.join(tests, 'conftest.py');
  const text = readFixture();
  if (!existsSync(join(folder, path))) return { path, text };
  const module = existsSync(join(folder, tests, '__init__.py')) ? '.gateway_fixture' : 'gateway_fixture';
  return {
    path: posix.join(tests, 'gateway_fixture.py'),
    text,
    toAdd: { path, line: `from ${module} import gateway  # noqa: F401` },
  };
};

/** The first test of one runner. */
interface FirstTest {
  /** What the runner is called. */
  readonly title: string;
  /** Where it goes: the first of these folders that the project has, or else the first of all. */
  readonly folders: readonly [string, ...string[]];
  /** Its file without the ending: a name that the runner looks for. */
  readonly name: string;
  readonly toText: (project: Project) => string;
  /** What runs it, in the project's folder. */
  readonly toCommand: (file: string, project: Project) => string;
}

/** The test file for Node, which Bun and Deno can also run. */
const nodeTest = { folders: ['test', 'tests'], name: 'gateway.test', toText: toNodeTest } as const;

const firstTests: Readonly<Record<Runner, FirstTest>> = {
  vitest: {
    title: 'Vitest',
    folders: ['test', 'tests', '__tests__'],
    name: 'gateway.test',
    toText: toVitest,
    toCommand: (file) => `npx vitest run ${file}`,
  },
  jest: {
    title: 'Jest',
    folders: ['test', 'tests', '__tests__'],
    name: 'gateway.test',
    toText: toJest,
    // Jest needs this flag to run ES modules. TypeScript it compiles to CommonJS.
    toCommand: (file, { extension, isModule }) =>
      isModule && extension === 'js'
        ? `node --experimental-vm-modules node_modules/jest/bin/jest.js ${file}`
        : `npx jest ${file}`,
  },
  playwright: {
    title: 'Playwright',
    folders: ['tests', 'e2e', 'test'],
    name: 'gateway.spec',
    toText: toPlaywright,
    toCommand: (file) => `npx playwright test ${file}`,
  },
  node: { ...nodeTest, title: 'node:test', toCommand: (file) => `node --test ${file}` },
  // Without ./, Bun takes it for a part of a path.
  bun: { ...nodeTest, title: 'Bun', toCommand: (file) => `bun test ./${file}` },
  // Deno would check the types of the package by @types/node, which the project may not have.
  deno: { ...nodeTest, title: 'Deno', toCommand: (file) => `deno test -A --no-check ${file}` },
  pytest: {
    title: 'pytest',
    folders: ['tests', 'test'],
    name: 'test_gateway',
    toText: toPytest,
    toCommand: (file) => `${pytestCommand} ${file}`,
  },
};

/** The first test of a project: its path in the project, its text, its fixture, and the command that runs it there. */
export const toFirstTest = (project: Project) => {
  const { title, folders, name, toText, toCommand } = firstTests[project.runner];
  const folder =
    findTestDir(project) ?? folders.find((each) => existsSync(join(project.folder, each))) ?? folders[0];
  const path = posix.join(folder, `${name}.${project.extension}`);
  return {
    title,
    path,
    text: toText(project),
    command: toCommand(path, project),
    fixture: toFixture(project, folder),
  };
};

/** The folder that the configuration of Playwright names. It looks for tests there alone. */
const findTestDir = ({ folder, runner }: Project): string | undefined => {
  if (runner !== 'playwright') return undefined;
  const config = ['ts', 'js', 'mts', 'mjs', 'cjs']
    .map((ending) => join(folder, `playwright.config.${ending}`))
    .find((file) => existsSync(file));
  return /\btestDir:\s*['"](.+?)['"]/.exec(config ? readFileSync(config, 'utf8') : '')?.[1];
};
