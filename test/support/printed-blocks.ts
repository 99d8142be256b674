// The blocks of code that README and docs print.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The pages that users read. AGENTS.md is made of them. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

/** A block of code. */
export interface Block {
  readonly page: string;
  /** The line it begins in, from 1. */
  readonly line: number;
  /** What stands behind the three marks: a language, or `js browser`. */
  readonly info: string;
  readonly text: string;
}

export const blocks: readonly Block[] = pages.flatMap((page) => {
  const text = read(page);
  return [...text.matchAll(/^```([\w ]*)\n(.*?)^```$/gms)].map(({ 1: info = '', 2: code = '', index }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    info,
    text: code,
  }));
});

export const blocksOf = (info: string): readonly Block[] => blocks.filter((block) => block.info === info);

/** It is `calls.mjs` of a user's project. */
export const printedCalls = blocksOf('js calls')[0]?.text ?? '';

/** The pages of test runners whose blocks have tests of their own. */
export const runnerPages = ['vitest', 'jest', 'node-test', 'playwright', 'pytest'].map(
  (name) => `docs/${name}.md`,
);

/** Whether it is a file of an app, which begins with its name. */
const isFile = ({ text }: Block): boolean => /^\/\/ \S+\.\w+\n/.test(text);
const modules = blocksOf('js').filter((block) => !runnerPages.includes(block.page) && !isFile(block));

const isSuite = ({ text }: Block): boolean => text.includes("'vitest'");

/** The suites of Vitest. */
export const suites = modules.filter(isSuite).map(({ text }) => text);

/** All other modules, to be run by Node. */
export const scripts = modules.filter((block) => !isSuite(block)).map(({ text }) => text);

/** The lines of a shell's blocks, without their comments; those that go on are joined. */
export const linesOf = ({ text }: Block): readonly string[] =>
  text
    .replace(/ *\\\n */g, ' ')
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, ''));

/** The file of an app that docs/connect.md prints under its name. */
export const printedFile = (name: string): string => {
  const [block] = blocks.filter(
    ({ page, text }) => page === 'docs/connect.md' && text.startsWith(`// ${name}\n`),
  );
  if (block === undefined) throw new Error(`docs/connect.md has no file ${name}.`);
  return block.text;
};
