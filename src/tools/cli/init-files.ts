// The files that `gateway-mock init` writes: a scenario and a first test, from `fixtures/init/`.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findAbove } from '../../core/scenario/schema-comment.ts';
import { type Project, runners } from './init-project.ts';
import { fail } from './usage-error.ts';

/** The scenario without its first line. */
export const readScenarioText = (): string => readShipped('fixtures/init/first.yaml');

/** The first test of a project: its path in the project, its text, its fixture, and the command that runs it there. */
export const toFirstTest = (project: Project) => {
  const { runner, folder, extension, isModule } = project;
  const { template, folders, name, command } = runners[runner];
  const tests = findTestDir(project) ?? folders.find((each) => existsSync(join(folder, each))) ?? folders[0];
  const path = findIncluded(project, tests) ?? posix.join(tests, `${name}.${extension}`);
  // Jest needs this flag to run ES modules. It compiles TypeScript to CommonJS.
  const isModuleOfJest = runner === 'jest' && isModule && extension === 'js';
  const jest = 'node --experimental-vm-modules node_modules/jest/bin/jest.js ';
  return {
    path,
    text: adapt(readShipped(`fixtures/init/${template}`), project),
    command: (isModuleOfJest ? jest : command) + path,
    fixture: runner === 'pytest' ? toFixture(folder, tests) : undefined,
  };
};

/** In TypeScript, the globals of Jest have no types. In JavaScript, Jest runs CommonJS. */
const adapt = (text: string, { runner, extension, isModule }: Project): string => {
  if (runner !== 'jest') return text;
  if (extension === 'ts')
    return text.replace('import', "import { expect, test } from '@jest/globals';\nimport");
  return isModule ? text : text.replace(/import (.*) from (.*);/, 'const $1 = require($2);');
};

/**
 * The file with the fixture of the first test, and the line that the user must add to an existing file: pytest looks for fixtures
 * in conftest.py.
 */
const toFixture = (folder: string, tests: string) => {
  const path = posix.join(tests, 'conftest.py');
  const text = readShipped('fixtures/init/conftest.py');
  if (!existsSync(join(folder, path))) return { path, text };
  const module = existsSync(join(folder, tests, '__init__.py')) ? '.gateway_fixture' : 'gateway_fixture';
  const line = `from ${module} import gateway  # noqa: F401`;
  return { path: posix.join(tests, 'gateway_fixture.py'), text, toAdd: { path, line } };
};

/** Reads a file that ships with the package. */
const readShipped = (path: string): string => {
  const file = findAbove(dirname(fileURLToPath(import.meta.url)), path);
  return file === undefined
    ? fail(`${path} is missing. Install the package again.`)
    : readFileSync(file, 'utf8');
};

/** The text of the first configuration file that exists in a project; empty if none exists. */
const readConfig = (folder: string, ...tools: readonly string[]): string => {
  const endings = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'];
  const names = tools.flatMap((tool) => endings.map((ending) => `${tool}.config.${ending}`));
  const file = names.map((name) => join(folder, name)).find((each) => existsSync(each));
  return file === undefined ? '' : readFileSync(file, 'utf8');
};

/** The folder that the configuration of Playwright names: the only folder in which it looks for tests. */
const findTestDir = ({ folder, runner }: Project): string | undefined =>
  runner === 'playwright'
    ? /\btestDir:\s*['"](.+?)['"]/.exec(readConfig(folder, 'playwright'))?.[1]
    : undefined;

/** The path of a test that the first pattern of Vitest's `include` matches; undefined if the configuration has none. */
const findIncluded = ({ folder, runner, extension }: Project, tests: string): string | undefined => {
  if (runner !== 'vitest') return undefined;
  const config = readConfig(folder, 'vitest', 'vite')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\b(?:coverage|typecheck|benchmark)\s*:\s*\{[^}]*\}/g, ''); // these sections have their own `include`
  const pattern = /\binclude:\s*\[\s*(['"`])(.+?)\1/.exec(config)?.[2];
  if (pattern === undefined) return undefined;
  const choose = (options: readonly string[], wanted: string): string =>
    options.includes(wanted) ? wanted : (options[0] ?? '');
  const path = pattern
    .replace(/^\.\//, '')
    .replace(/\*\*?$/, `gateway.test.${extension}`)
    .replace(/\*\*\//g, '')
    .replace(/\{([^}]*)\}/g, (_, options: string) => choose(options.split(','), extension))
    .replace(/\?\([^)]*\)/g, '') // an optional part
    .replace(/\[([^\]]*)\]/g, (_, letters: string) => choose([...letters], extension.charAt(0)))
    .replace(/\*/g, 'gateway');
  return path.includes('/') ? path : posix.join(tests, path);
};
