// `gateway-mock/vitest`, as users meet it: whole suites, in whichever project has it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type FolderResult, type Project, runFolder, type SuiteResult } from './suite-project.ts';
import { root } from './write-built.ts';

const folderOfSuites = join(root, 'test/suites');

/** Those that need no environment of a browser. */
const suites = readdirSync(folderOfSuites)
  .map((file) => file.replace('.suite.ts', ''))
  .filter((name) => name !== 'dom');

/** How often a suite is in the run: these show what files do to each other. */
const copies: Readonly<Record<string, number>> = { worlds: 2, 'left-over': 2 };

/** Whether a message has all words, in this order. */
const hasWords = (message: string, words: readonly string[]): boolean => {
  let from = 0;
  return words.every((word) => {
    const at = message.indexOf(word, from);
    from = at + word.length;
    return at >= 0;
  });
};

/**
 * Each test ends as its title says. One that fails says so by `fails: ` and words of its message, of which ` … ` stands for
 * any others; ` + ` separates the words of one message from those of the next.
 */
const expectTitlesHold = ({ titles, failures }: SuiteResult): void => {
  for (const title of titles) {
    const [, expected] = /\bfails?: (.*)$/.exec(title) ?? [];
    const wanted = expected?.split(' + ') ?? [];
    const messages = failures[title] ?? [];
    const isHeld =
      messages.length === wanted.length &&
      messages.every((message, index) => hasWords(message, wanted[index]?.split(' … ') ?? []));
    if (!isHeld) expect.fail(`${title}\n${messages.join('\n') || 'It passed.'}`);
  }
};

/**
 * What the fixture promises, as the suites of test/suites state it.
 *
 * @param args options of Vitest; with `--no-isolate`, all files share one process
 */
export const describeFixture = (getProject: () => Project, args: readonly string[] = []): void => {
  /** What came of all suites, in one run. */
  let result: FolderResult;
  beforeAll(async () => {
    const folder = getProject().makeFolder('gateway-mock-vitest');
    for (const name of suites) {
      const text = readFileSync(join(folderOfSuites, `${name}.suite.ts`), 'utf8');
      for (let copy = copies[name] ?? 1; copy > 0; copy -= 1)
        getProject().write(folder, `${name}-${copy}.test.ts`, text);
    }
    result = await runFolder(getProject(), folder, args);
  });

  test.each(suites)('each test of %s.suite.ts ends as its title says', (name) => {
    expectTitlesHold(result.of(`${name}-`));
    expect(result.of(`${name}-`).titles).not.toEqual([]);
  });

  test('files follow each other in one process with --no-isolate', () => {
    const follows = result.titles.includes('it is file 2 of its process');
    expect(follows).toBe(args.includes('--no-isolate'));
  });

  test('the fixture prints nothing of the call by which it finds other MSW servers', () => {
    expect(result.printed).not.toContain('probe.gateway.test');
  });
};
