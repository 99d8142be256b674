// The project that `gateway-mock init` writes into: its folder, its test runner, and the form of its test files.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isMapping, type Mapping } from '../util/mapping.ts';
import { messageOf } from '../util/message-of.ts';
import { fail } from './usage-error.ts';

/** Who runs the tests of a project. */
export type Runner = 'vitest' | 'jest' | '@playwright/test' | 'node:test' | 'pytest';

/** A project of the user's. */
export interface Project {
  readonly folder: string;
  readonly runner: Runner;
  /** The ending of a test file's name. */
  readonly extension: 'ts' | 'js' | 'mjs' | 'py';
  /** Whether Node takes the project's `.js` files for ES modules. */
  readonly isModule: boolean;
}

/** The runners that a package.json may name, each with its word in a script. The first one found is taken. */
const namedRunners = [
  ['vitest', 'vitest'],
  ['jest', 'jest'],
  ['@playwright/test', 'playwright'],
] as const;

/** By each of these, Jest runs TypeScript. */
const jestTransforms = ['ts-jest', '@swc/jest', '@babel/preset-typescript'];

/**
 * Finds the project of a folder: the nearest folder, from that one upwards, with a package.json, or with the configuration of
 * pytest. Where there is none, it is the folder itself.
 *
 * @throws UsageError if package.json is not valid JSON
 */
export const findProject = (start: string): Project => {
  const folders = withFoldersAbove(start);
  const has = (folder: string, ...names: string[]): boolean =>
    names.some((name) => existsSync(join(folder, name)));
  const folder = folders.find((each) => has(each, 'package.json', 'pyproject.toml', 'pytest.ini')) ?? start;
  if (has(folder, 'package.json'))
    return describePackage(folder, readPackage(folder), has(folder, 'tsconfig.json'));
  if (has(folder, 'pyproject.toml', 'pytest.ini'))
    return { folder, runner: 'pytest', extension: 'py', isModule: false };
  return { folder, runner: 'node:test', extension: 'mjs', isModule: false };
};

const withFoldersAbove = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...withFoldersAbove(dirname(folder))];

const readPackage = (folder: string): Mapping => {
  const file = join(folder, 'package.json');
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isMapping(manifest) ? manifest : {};
  } catch (error) {
    return fail(`the file "${file}" cannot be read: ${messageOf(error)}.`);
  }
};

const describePackage = (folder: string, manifest: Mapping, hasTsconfig: boolean): Project => {
  const part = (name: string): Mapping => (isMapping(manifest[name]) ? manifest[name] : {});
  const packages = Object.keys({ ...part('dependencies'), ...part('devDependencies') });
  // In a monorepo, the runner is often a dependency of the root, and a package has just the script.
  const words = Object.values(part('scripts')).flatMap((script) => String(script).split(/\s+/));
  const [runner] =
    namedRunners.find(([name]) => packages.includes(name)) ??
    namedRunners.find(([, word]) => words.includes(word)) ??
    (['node:test'] as const);
  const isModule = manifest.type === 'module';
  if (runner === 'node:test') return { folder, runner, extension: isModule ? 'js' : 'mjs', isModule };
  const isTyped =
    hasTsconfig && (runner !== 'jest' || jestTransforms.some((name) => packages.includes(name)));
  return { folder, runner, extension: isTyped ? 'ts' : 'js', isModule };
};

/** The packages that the first test imports, and that are not installed in a project. */
export const findMissing = ({ folder, runner }: Project): string[] => {
  if (runner === 'pytest') return [];
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
