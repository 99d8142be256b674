// The words of the project: none of the private words that it once had comes back.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const filesIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.split(sep).join('/')}`)
    .filter((file) => pattern.test(file));

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const phrases =
  /\b(laws?|faces?|doors?|moments?)\b| is no [a-z]+ (of|that)|\btold\b|\btells? of\b|\b(four|five|six|seven|eight|nine) (operations|calls|states)\b/i;

test('prose has no private words and no inverted "is no … of", and counts neither operations nor states', () => {
  const files = [...filesIn('src', /\.(?:tsx?|html|css)$/), ...filesIn('docs', /\.md$/)];
  const lines = [...files, 'README.md', 'CONTRIBUTING.md'].flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) => (phrases.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
  expect(lines).toEqual([]);
});

/** Each with the word to use instead: see "Words" of the design. */
const banned: Readonly<Record<string, string>> = {
  row: 'record',
  life: 'record, timeline or state',
  face: 'transport',
  door: 'entry point',
  situation: 'world',
  source: 'base',
  lane: 'base or change',
  gone: 'removed, deleted or closed',
  pinned: 'change',
  law: 'check',
  moment: 'time or timestamp',
  tell: 'list, report or show',
  told: 'listed, reported or shown',
  mix: 'distribution',
  deck: 'distribution',
  dealt: 'distributed',
  habit: 'distribution',
  newborn: 'new',
};

/** Where a banned word has its usual meaning. */
const exceptions: readonly (readonly [file: RegExp, word: string, reason: string])[] = [
  [/^src\/control-room\//, 'row', 'a row of a table on the page'],
  [/^src\/conformance\/run\/report\.ts$/, 'row', 'a row of the printed table'],
  [/^src\/scenario\/yaml\.ts$/, 'source', 'the name of an anchor, in the YAML library'],
  [/^src\/transports\/copyable-body\.ts$/, 'source', "UnderlyingSource, a type of the web's streams"],
];

const singular = (word: string): string => (word in banned ? word : word.replace(/s$/, ''));

/** The words of identifiers and comments. */
const wordsOf = (file: string): Set<string> => {
  const withoutTexts = read(file).replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`\n]*`/g, '');
  const parts = withoutTexts.replace(/([a-z\d])([A-Z])/g, '$1 $2').match(/[A-Za-z]+/g) ?? [];
  return new Set(parts.map((word) => singular(word.toLowerCase())));
};

test('identifiers and comments use the words of the design', () => {
  const found = filesIn('src', /^(?!.*\.test\.ts$).*\.tsx?$/).flatMap((file) => {
    const words = wordsOf(file);
    return Object.entries(banned).flatMap(([word, instead]) => {
      const isAllowed = exceptions.some(([inFile, of]) => of === word && inFile.test(file));
      return words.has(word) && !isAllowed ? [`${file}: "${word}" (use ${instead})`] : [];
    });
  });
  expect(found).toEqual([]);
});
