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

test.use({ gatewayOptions: { scenario: '${scenarioPath}' } }); // for a page: appBaseUrl, too

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

const toNodeTest = (): string => `import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startServer } from 'gateway-mock/server';

const gateway = await startServer({ scenario: '${scenarioPath}' });
after(() => gateway.close());

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

/** The fixture is that of docs/pytest.md, which ships with the package. */
const toPytest = (): string => {
  const page = findAbove(dirname(fileURLToPath(import.meta.url)), 'docs/pytest.md');
  const [, fixture] = /```python\n("""A fixture .*?)```/s.exec(page ? readFileSync(page, 'utf8') : '') ?? [];
  if (fixture === undefined)
    return fail('docs/pytest.md, which has the fixture for pytest, is missing. Install the package again.');
  return `${fixture}

def test_the_failed_batch_of_the_scenario_is_listed(gateway):
    request = urllib.request.Request(f"{gateway.base_url}/batches", headers=gateway.headers)
    with urllib.request.urlopen(request) as reply:  # your client, here
        page = json.load(reply)
    assert [(batch["id"], batch["status"]) for batch in page["data"]] == [("batch_first", "failed")]
`;
};

/** The first test of one runner. */
interface FirstTest {
  /** Where it goes: the first of these folders that the project has, or else the first of all. */
  readonly folders: readonly [string, ...string[]];
  /** Its file without the ending: a name that the runner looks for. */
  readonly name: string;
  readonly toText: (project: Project) => string;
  /** What runs it, in the project's folder. */
  readonly toCommand: (file: string, project: Project) => string;
}

const firstTests: Readonly<Record<Runner, FirstTest>> = {
  vitest: {
    folders: ['test', 'tests', '__tests__'],
    name: 'gateway.test',
    toText: toVitest,
    toCommand: (file) => `npx vitest run ${file}`,
  },
  jest: {
    folders: ['test', 'tests', '__tests__'],
    name: 'gateway.test',
    toText: toJest,
    // Jest needs this flag to run ES modules. TypeScript it compiles to CommonJS.
    toCommand: (file, { extension, isModule }) =>
      isModule && extension === 'js'
        ? `node --experimental-vm-modules node_modules/jest/bin/jest.js ${file}`
        : `npx jest ${file}`,
  },
  '@playwright/test': {
    folders: ['tests', 'e2e', 'test'],
    name: 'gateway.spec',
    toText: toPlaywright,
    toCommand: (file) => `npx playwright test ${file}`,
  },
  'node:test': {
    folders: ['test', 'tests'],
    name: 'gateway.test',
    toText: toNodeTest,
    toCommand: (file) => `node --test ${file}`,
  },
  pytest: {
    folders: ['tests', 'test'],
    name: 'test_gateway',
    toText: toPytest,
    toCommand: (file) => `npx gateway-mock exec --scenario ${scenarioPath} -- pytest ${file}`,
  },
};

/** The first test of a project: its path in the project, its text, and the command that runs it there. */
export const toFirstTest = (project: Project) => {
  const { folders, name, toText, toCommand } = firstTests[project.runner];
  const folder =
    findTestDir(project) ?? folders.find((each) => existsSync(join(project.folder, each))) ?? folders[0];
  const path = posix.join(folder, `${name}.${project.extension}`);
  return { path, text: toText(project), command: toCommand(path, project) };
};

/** The folder that the configuration of Playwright names. It looks for tests there alone. */
const findTestDir = ({ folder, runner }: Project): string | undefined => {
  if (runner !== '@playwright/test') return undefined;
  const config = ['ts', 'js', 'mts', 'mjs', 'cjs']
    .map((ending) => join(folder, `playwright.config.${ending}`))
    .find((file) => existsSync(file));
  return /\btestDir:\s*['"](.+?)['"]/.exec(config ? readFileSync(config, 'utf8') : '')?.[1];
};
