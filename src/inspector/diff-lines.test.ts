import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';

const shown = (before: string, after: string): string =>
  diffLines([...before], [...after])
    .map(({ kind, text }) => ({ same: text, removed: `-${text}`, new: `+${text}` })[kind])
    .join(' ');

test.each([
  ['', '', ''],
  ['ab', 'ab', 'a b'],
  ['abc', 'adc', 'a -b +d c'],
  ['', 'a', '+a'],
  ['a', '', '-a'],
  ['abcd', 'bcxd', '-a b c +x d'],
  ['aa', 'a', 'a -a'],
])('%j becomes %j by %j', (before, after, lines) => {
  expect(shown(before, after)).toBe(lines);
});

test('the lines of both texts can be read off, whatever they are', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = diffLines(before, after);
      const without = (kind: string) => diff.filter((line) => line.kind !== kind).map(({ text }) => text);
      expect([without('new'), without('removed')]).toEqual([before, after]);
    }),
  );
});

test('long texts that have nothing in common are not compared line by line', () => {
  const [before, after] = [0, 1].map((side) => Array.from({ length: 3000 }, (_, at) => `${side} ${at}`));
  const diff = diffLines(before ?? [], after ?? []);
  expect(diff.map(({ kind }) => kind)).toEqual([...Array(3000).fill('removed'), ...Array(3000).fill('new')]);
});
