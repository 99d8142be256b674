// The blocks of code that README and docs print.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './write-built.ts';

export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Those of docs/test-runners.md have tests of their own. */
const printed = ['README.md', 'docs/control.md', 'docs/verify.md'].map(read).join('');

export const blocksOf = (language: string): string[] =>
  [...printed.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text);

const blocks = blocksOf('js');

/** The suites of Vitest. */
export const suites = blocks.filter((text) => text.includes("'vitest'"));

/** All other modules, to be run by Node. */
export const scripts = blocks.filter((text) => !text.includes("'vitest'"));

/** The modules that docs/test-runners.md prints for a runner. */
export const snippetsOf = (runner: string): string[] => {
  const [, part = ''] = read('docs/test-runners.md').split(`\n## ${runner}\n`);
  return [...(part.split('\n## ')[0] ?? '').matchAll(/```js\n(.*?)```/gs)].map(([, text = '']) => text);
};
