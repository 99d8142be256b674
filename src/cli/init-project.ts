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

/** The runners by their packages. The first one that package.json has is taken. */
const packageRunners: readonly (readonly [name: string, runner: Runner])[] = [
  ['vitest', 'vitest'],
  ['jest', 'jest'],
  ['@playwright/test', 'playwright'],
];

/** The runners by the words of a script in package.json. */
const scriptRunners: readonly (readonly [words: string, runner: Runner])[] = [
  ['vitest', 'vitest'],
  ['jest', 'jest'],
  ['playwright', 'playwright'],
  ['--test', 'node'],
  ['bun test', 'bun'],
  ['deno test', 'deno'],
  ['pytest', 'pytest'],
];

/** By each of these, Jest runs TypeScript. */
const jestTransforms = ['ts-jest', '@swc/jest', '@babel/preset-typescript'];

/** Files that show the runner of a project, where package.json names none. The first one found counts. */
const runnerFiles: readonly (readonly [file: string, runner: Runner])[] = [
  ['pytest.ini', 'pytest'],
  ['conftest.py', 'pytest'],
  ['tests/conftest.py', 'pytest'],
  ['test/conftest.py', 'pytest'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['bunfig.toml', 'bun'],
  ['deno.json', 'deno'],
  ['deno.jsonc', 'deno'],
];

/**
 * Finds the project of a folder: the nearest folder, from that one upwards, with a package.json, or with another file that
 * shows its runner. Where there is none, it is the folder itself.
 *
 * @param chosen the runner, if it need not be found
 * @throws UsageError if package.json is not valid JSON
 */
export const findProject = (start: string, chosen?: Runner): Project => {
  const names = ['package.json', 'pyproject.toml', ...runnerFiles.map(([file]) => file)];
  const folder =
    withFoldersAbove(start).find((each) => names.some((name) => existsSync(join(each, name)))) ?? start;
  const manifest = readPackage(folder);
  const packages = Object.keys({ ...part(manifest, 'dependencies'), ...part(manifest, 'devDependencies') });
  const runner = chosen ?? findNamed(manifest, packages) ?? findByFiles(folder) ?? 'node';
  const isModule = manifest.type === 'module';
  return { folder, runner, isModule, extension: toExtension(folder, runner, packages, isModule) };
};

/** The runner that package.json names. In a monorepo, it is often a dependency of the root, and a package has just the script. */
const findNamed = (manifest: Mapping, packages: readonly string[]): Runner | undefined => {
  const scripts = Object.values(part(manifest, 'scripts')).map(
    (script) => ` ${String(script).split(/\s+/).join(' ')} `,
  );
  const found =
    packageRunners.find(([name]) => packages.includes(name)) ??
    scriptRunners.find(([words]) => scripts.some((script) => script.includes(` ${words} `)));
  return found?.[1];
};

const findByFiles = (folder: string): Runner | undefined => {
  const found = runnerFiles.find(([file]) => existsSync(join(folder, file)))?.[1];
  if (found !== undefined || !existsSync(join(folder, 'pyproject.toml'))) return found;
  // Beside a package.json, it may be there for something else than tests.
  const isAlone = !existsSync(join(folder, 'package.json'));
  return isAlone || readFileSync(join(folder, 'pyproject.toml'), 'utf8').includes('pytest')
    ? 'pytest'
    : undefined;
};

const toExtension = (
  folder: string,
  runner: Runner,
  packages: readonly string[],
  isModule: boolean,
): Project['extension'] => {
  if (runner === 'pytest') return 'py';
  if (['node', 'bun', 'deno'].includes(runner)) return isModule ? 'js' : 'mjs';
  const isTyped = runner !== 'jest' || jestTransforms.some((name) => packages.includes(name));
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
