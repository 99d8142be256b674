// The project that `gateway-mock init` writes into: its folder, its test runner, and the form of its test files.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isMapping, type Mapping } from '../util/mapping.ts';
import { messageOf } from '../util/message-of.ts';
import { fail } from './usage-error.ts';

/** Who runs the tests of a project, by the name that the option `--runner` takes. */
export const runners = ['vitest', 'jest', 'playwright', 'node', 'bun', 'deno', 'pytest'] as const;
export type Runner = (typeof runners)[number];

/** A project of the user's. */
export interface Project {
  readonly folder: string;
  readonly runner: Runner;
  /** The ending of a test file's name. */
  readonly extension: 'ts' | 'js' | 'mjs' | 'py';
  /** Whether Node takes the project's `.js` files for ES modules. */
  readonly isModule: boolean;
}

/** The packages of those runners that package.json lists. The first one that it has is taken. */
const packages: Partial<Record<Runner, string>> = {
  vitest: 'vitest',
  jest: 'jest',
  playwright: '@playwright/test',
};

/** The words of each runner in a script of package.json. */
const words: Readonly<Record<Runner, string>> = {
  vitest: 'vitest',
  jest: 'jest',
  playwright: 'playwright',
  node: '--test',
  bun: 'bun test',
  deno: 'deno test',
  pytest: 'pytest',
};

/** By each of these, Jest runs TypeScript. */
const jestTransforms = ['ts-jest', '@swc/jest', '@babel/preset-typescript'];

/** Files that show the runner of a project, where package.json names none. */
const files: Partial<Record<Runner, readonly string[]>> = {
  pytest: ['pytest.ini', 'conftest.py', 'tests/conftest.py', 'test/conftest.py'],
  bun: ['bun.lock', 'bun.lockb', 'bunfig.toml'],
  deno: ['deno.json', 'deno.jsonc'],
};

/**
 * Finds the project of a folder: the nearest folder, from that one upwards, with a package.json, or with another file that
 * shows its runner. Where there is none, it is the folder itself.
 *
 * @param chosen the runner, if it need not be found
 * @throws UsageError if package.json is not valid JSON
 */
export const findProject = (start: string, chosen?: Runner): Project => {
  const names = ['package.json', 'pyproject.toml', ...Object.values(files).flat()];
  const folder =
    withFoldersAbove(start).find((each) => names.some((name) => existsSync(join(each, name)))) ?? start;
  const manifest = readPackage(folder);
  const installed = Object.keys({ ...part(manifest, 'dependencies'), ...part(manifest, 'devDependencies') });
  const runner = chosen ?? findNamed(manifest, installed) ?? findByFiles(folder) ?? 'node';
  const isModule = manifest.type === 'module';
  return { folder, runner, isModule, extension: toExtension(folder, runner, installed, isModule) };
};

/** The runner that package.json names. In a monorepo, it is often a dependency of the root, and a package has just the script. */
const findNamed = (manifest: Mapping, installed: readonly string[]): Runner | undefined => {
  const scripts = Object.values(part(manifest, 'scripts')).map(
    (script) => ` ${String(script).split(/\s+/).join(' ')} `,
  );
  return (
    runners.find((runner) => installed.includes(packages[runner] ?? '')) ??
    runners.find((runner) => scripts.some((script) => script.includes(` ${words[runner]} `)))
  );
};

const findByFiles = (folder: string): Runner | undefined => {
  const has = (name: string) => existsSync(join(folder, name));
  const found = runners.find((runner) => files[runner]?.some(has));
  if (found !== undefined || !has('pyproject.toml')) return found;
  // Beside a package.json, it may be there for something else than tests.
  const isOfPytest =
    !has('package.json') || readFileSync(join(folder, 'pyproject.toml'), 'utf8').includes('pytest');
  return isOfPytest ? 'pytest' : undefined;
};

const toExtension = (
  folder: string,
  runner: Runner,
  installed: readonly string[],
  isModule: boolean,
): Project['extension'] => {
  if (runner === 'pytest') return 'py';
  if (['node', 'bun', 'deno'].includes(runner)) return isModule ? 'js' : 'mjs';
  const isTyped = runner !== 'jest' || jestTransforms.some((name) => installed.includes(name));
  return isTyped && existsSync(join(folder, 'tsconfig.json')) ? 'ts' : 'js';
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

const part = (manifest: Mapping, name: string): Mapping => {
  const value = manifest[name];
  return isMapping(value) ? value : {};
};

/** The packages that the first test needs, and that are not installed in a project or above it. */
export const findMissing = ({ folder, runner }: Project): string[] => {
  const { resolve } = createRequire(join(folder, 'package.json'));
  return ['gateway-mock', ...(runner === 'vitest' ? ['msw'] : [])].filter((name) => {
    try {
      resolve(`${name}/package.json`);
      return false;
    } catch {
      return true;
    }
  });
};
