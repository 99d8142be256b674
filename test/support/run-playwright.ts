// Suites of Playwright, run by its own runner, in the browser of this run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { text as readText } from 'node:stream/consumers';

const playwright = createRequire(import.meta.url).resolve('@playwright/test/cli');

/** What is read here of the report of Playwright: a file or a `describe`. */
interface Suite {
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly results: readonly { readonly errors: readonly { readonly message: string }[] }[];
    }[];
  }[];
  readonly suites?: readonly Suite[];
}

/** Runs the suites of a configuration, whose reporter is `json`. Returns what each test failed with, by its title. */
export const runPlaywright = async (
  folder: string,
  config: string,
): Promise<Readonly<Record<string, readonly string[]>>> => {
  const child = spawn(process.execPath, [playwright, 'test', '--config', config], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = await Promise.all([readText(child.stdout), once(child, 'close')]);
  const { suites }: Pick<Required<Suite>, 'suites'> = JSON.parse(text);
  return Object.fromEntries(suites.flatMap(failuresOf));
};

const failuresOf = ({ specs, suites = [] }: Suite): [string, string[]][] => [
  ...specs.map(({ title, tests }): [string, string[]] => [
    title,
    tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors.map(({ message }) => message))),
  ]),
  ...suites.flatMap(failuresOf),
];
