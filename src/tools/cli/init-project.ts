// The project that `gateway-mock init` writes into: its folder, its test runner, and the form of its test files.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findAbove } from '../../core/scenario/schema-comment.ts';
import { isMapping, type Mapping } from '../../core/util/mapping.ts';
import { messageOf } from '../../core/util/message-of.ts';
import { fail } from './usage-error.ts';

/** The path of the scenario in the project. The templates name it from there, where they are run. */
export const scenarioPath = 'scenarios/first.yaml';

/** A test runner: how a project shows that it uses the runner, and the first test. */
interface Runner {
  /** The package that package.json lists for it, if any. */
  readonly package?: string;
  /** The words by which a script of package.json calls it. In a monorepo, a package often has only the script. */
  readonly script: string;
  /** Files that show that a project uses it, if package.json does not. */
  readonly files: readonly string[];
  /** The file of its first test in `fixtures/init/`. */
  readonly template: string;
  /** The folders for the test: the first of them that exists in the project; if none exists, the first. */
  readonly folders: readonly [string, ...string[]];
  /** The name of the test's file, without the ending: the runner looks for such names. */
  readonly name: string;
  /** The command that runs the test in the project's folder. The path of the file follows it. */
  readonly command: string;
}

const jsTest = { files: [], folders: ['test', 'tests', '__tests__'], name: 'gateway.test' } as const;

/** The test file for Node, which Bun and Deno can also run. */
const nodeTest = { ...jsTest, template: 'node.js', folders: ['test', 'tests'] } as const;

/** The runners, by their names for `--runner`. The first runner that the project shows is used. */
export const runners = {
  vitest: {
    ...jsTest,
    package: 'vitest',
    script: 'vitest',
    template: 'vitest.js',
    command: 'npx vitest run ',
  },
  jest: { ...jsTest, package: 'jest', script: 'jest', template: 'jest.js', command: 'npx jest ' },
  playwright: {
    package: '@playwright/test',
    script: 'playwright',
    files: [],
    template: 'playwright.js',
    folders: ['tests', 'e2e', 'test'],
    name: 'gateway.spec',
    command: 'npx playwright test ',
  },
  node: { ...nodeTest, script: '--test', command: 'node --test ' },
  bun: {
    ...nodeTest,
    script: 'bun test',
    files: ['bun.lock', 'bun.lockb', 'bunfig.toml'],
    command: 'bun test ./', // without ./, Bun takes it for a part of a path
  },
  deno: {
    ...nodeTest,
    script: 'deno test',
    files: ['deno.json', 'deno.jsonc'],
    command: 'deno test -A --no-check ', // it would check the package's types by @types/node, which may not be there
  },
  pytest: {
    script: 'pytest',
    files: ['pytest.ini', 'conftest.py', 'tests/conftest.py', 'test/conftest.py'],
    template: 'pytest.py',
    folders: ['tests', 'test'],
    name: 'test_gateway',
    command: `npx gateway-mock exec --scenario ${scenarioPath} -- pytest `,
  },
} as const satisfies Readonly<Record<string, Runner>>;

export type RunnerName = keyof typeof runners;

const allRunners = Object.entries<Runner>(runners) as [RunnerName, Runner][]; // its keys

export interface Project {
  readonly folder: string;
  readonly runner: RunnerName;
  /** Whether the user chose the runner, or the project shows it. */
  readonly isRunnerKnown: boolean;
  /** The ending of a test file's name. */
  readonly extension: 'ts' | 'js' | 'mjs' | 'py';
  /** Whether Node takes the project's `.js` files for ES modules. */
  readonly isModule: boolean;
}

/** With any of these, Jest runs TypeScript. */
const jestTransforms = ['ts-jest', '@swc/jest', '@babel/preset-typescript'];

/**
 * Finds the project of a folder: the nearest folder, from that one upwards, with a package.json, or with another file that
 * shows its runner. If there is none, the folder itself.
 *
 * @param chosen the runner, if it need not be found
 * @throws UsageError if package.json is not valid JSON
 */
export const findProject = (start: string, chosen?: RunnerName): Project => {
  const names = ['package.json', 'pyproject.toml', ...allRunners.flatMap(([, { files }]) => files)];
  const folder =
    withFoldersAbove(start).find((each) => names.some((name) => existsSync(join(each, name)))) ?? start;
  const manifest = readPackage(folder);
  const part = (name: string): Mapping => ({ ...Object(manifest[name]) });
  const installed = Object.keys({ ...part('dependencies'), ...part('devDependencies') });
  const scripts = Object.values(part('scripts')).map(
    (script) => ` ${String(script).split(/\s+/).join(' ')} `,
  );
  const find = (shows: (runner: Runner) => boolean): RunnerName | undefined =>
    allRunners.find(([, runner]) => shows(runner))?.[0];
  const found =
    chosen ??
    find((runner) => installed.includes(runner.package ?? '')) ??
    find(({ script }) => scripts.some((text) => text.includes(` ${script} `))) ??
    find(({ files }) => files.some((file) => existsSync(join(folder, file)))) ??
    (isOfPytest(folder) ? 'pytest' : undefined);
  const runner = found ?? 'node';
  const isModule = manifest.type === 'module';
  const isTyped =
    existsSync(join(folder, 'tsconfig.json')) &&
    (runner !== 'jest' || jestTransforms.some((name) => installed.includes(name)));
  const ofNode = isModule ? 'js' : 'mjs';
  const extension =
    runner === 'pytest' ? 'py' : runners[runner].template === 'node.js' ? ofNode : isTyped ? 'ts' : 'js';
  return { folder, runner, isRunnerKnown: found !== undefined, isModule, extension };
};

/** Beside a package.json, a pyproject.toml may have other purposes than tests. */
const isOfPytest = (folder: string): boolean => {
  const file = join(folder, 'pyproject.toml');
  if (!existsSync(file)) return false;
  return !existsSync(join(folder, 'package.json')) || readFileSync(file, 'utf8').includes('pytest');
};

const withFoldersAbove = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...withFoldersAbove(dirname(folder))];

/** The package.json of a folder; empty if there is none. */
const readPackage = (folder: string): Mapping => {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return {};
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8').trim()); // there may be a byte order mark
    return isMapping(manifest) ? manifest : {};
  } catch (error) {
    return fail(`the file "${file}" cannot be read: ${messageOf(error)}.`);
  }
};

/** The packages that the first test needs, and that are not installed in a project or above it. */
export const findMissing = ({ folder, runner }: Project): string[] =>
  ['gateway-mock', ...(runner === 'vitest' ? ['msw'] : [])].filter(
    (name) => findAbove(folder, `node_modules/${name}/package.json`) === undefined,
  );
