// The words of the project: none of the private words that it once had comes back.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const filesIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.split(sep).join('/')}`)
    .filter((file) => pattern.test(file));

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const phrases = /\b(laws?|faces?|doors?|moments?)\b| is no [a-z]+ (of|that)|\btold\b|\btells? of\b/;

/** A number that is false after the next operation, or the next state of a lifecycle. */
const counts = /\b(four|five|six|seven|eight|nine) (operations|calls|states)\b/i;

describe('prose', () => {
  const files = [
    ...filesIn('src', /\.(?:tsx?|html|css)$/),
    ...filesIn('docs', /\.md$/),
    'README.md',
    'CONTRIBUTING.md',
  ];

  const linesWith = (words: RegExp): string[] =>
    files.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) => (words.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    );

  test('has no private words and no inverted "is no … of"', () => {
    expect(linesWith(phrases)).toEqual([]);
  });

  test('counts neither operations nor states', () => {
    expect(linesWith(counts)).toEqual([]);
  });
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
  const text = read(file);
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const words = new Set<string>();
  const add = (part: string): void => {
    for (const word of part.replace(/([a-z\d])([A-Z])/g, '$1 $2').match(/[A-Za-z]+/g) ?? [])
      words.add(singular(word.toLowerCase()));
  };
  const addComments = (ranges: readonly ts.CommentRange[] = []): void => {
    for (const { pos, end } of ranges) add(text.slice(pos, end));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) add(node.text);
    addComments(ts.getLeadingCommentRanges(text, node.getFullStart()));
    addComments(ts.getTrailingCommentRanges(text, node.getEnd()));
    for (const child of node.getChildren(tree)) visit(child);
  };
  visit(tree);
  return words;
};

describe('identifiers and comments', () => {
  const wordsIn = new Map(filesIn('src', /^(?!.*\.test\.ts$).*\.tsx?$/).map((file) => [file, wordsOf(file)]));

  test('use the words of the design', () => {
    const found = [...wordsIn].flatMap(([file, words]) => {
      return Object.entries(banned).flatMap(([word, instead]) => {
        const isAllowed = exceptions.some(([inFile, of]) => of === word && inFile.test(file));
        return words.has(word) && !isAllowed ? [`${file}: "${word}" (use ${instead})`] : [];
      });
    });
    expect(found).toEqual([]);
  });

  test.each(exceptions)('still need the exception %s for "%s": %s', (inFile, word) => {
    expect([...wordsIn].some(([file, words]) => inFile.test(file) && words.has(word))).toBe(true);
  });
});
