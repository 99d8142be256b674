// Suites as users write them, each run in a process of Vitest's own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeBuiltFolder, root, writeBuilt } from './write-built.ts';

/** A project of a user's: the Node that runs it, its Vitest, and how a file gets into it. */
export interface Project {
  readonly node: string;
  readonly vitest: string;
  /** A new folder, in which the packages of the project are found. */
  readonly makeFolder: (name: string) => string;
  /** Writes a module, and returns its path. */
  readonly write: (folder: string, name: string, text: string) => string;
}

/** This one, with what was built of it. */
export const builtProject: Project = {
  node: process.execPath,
  vitest: join(root, 'node_modules/vitest/vitest.mjs'),
  makeFolder: makeBuiltFolder,
  write: writeBuilt,
};

interface FileResult {
  readonly name: string;
  readonly assertionResults: readonly {
    readonly title: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

/** What came of some suites. */
export interface SuiteResult {
  /** The names of all tests. */
  readonly titles: readonly string[];
  /** What the tests failed with, by their names. */
  readonly failures: Readonly<Record<string, readonly string[]>>;
  readonly passed: number;
}

/** What came of all files of a folder. */
export interface FolderResult extends SuiteResult {
  /** What came of the files whose names begin so. */
  readonly of: (name: string) => SuiteResult;
  /** What was printed besides the report. */
  readonly printed: string;
}

/** Runs the files of a folder, of which each name ends in `.test.ts` or `.test.js`, in one process of Vitest. */
export const runFolder = async (
  { node, vitest, write }: Project,
  folder: string,
  args: readonly string[] = [],
  env = process.env,
): Promise<FolderResult> => {
  const config = write(folder, 'vitest.config.mjs', 'export default { test: { testTimeout: 200_000 } };');
  const report = join(folder, 'report.json');
  const options = ['--root', folder, '--config', config, '--reporter', 'json', '--outputFile', report];
  const child = spawn(node, [vitest, 'run', ...options, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  await once(child, 'close');
  process.off('exit', kill);
  const { testResults }: { testResults: FileResult[] } = JSON.parse(readFileSync(report, 'utf8'));
  return {
    ...summarize(testResults),
    of: (name) => {
      const files = testResults.filter((file) => basename(file.name).startsWith(name));
      if (files.length === 0) throw new Error(`No file ran that is called ${name}. Printed: ${printed}`);
      return summarize(files);
    },
    printed,
  };
};

const summarize = (files: readonly FileResult[]): SuiteResult => {
  const results = files.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.filter(({ status }) => status === 'failed');
  return {
    titles: results.map(({ title }) => title),
    failures: Object.fromEntries(failed.map(({ title, failureMessages }) => [title, failureMessages])),
    passed: results.filter(({ status }) => status === 'passed').length,
  };
};
