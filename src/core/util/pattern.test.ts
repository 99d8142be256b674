import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../../test/support/settings.ts';
import { compilePattern, matchesPattern } from './pattern.ts';

const toRegExp = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.$]/g, '\\$&').replaceAll('*', '.*')}$`, 's');

test('a pattern matches the texts that a regular expression matches, each time it is asked', () => {
  const texts = (letters: string) =>
    fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((all) => all.join(''));
  fc.assert(
    fc.property(texts('ab*.$\n'), fc.array(texts('ab.$\n'), { maxLength: 5 }), (pattern, given) => {
      const matches = compilePattern(pattern);
      for (const text of given) expect(matches(text)).toBe(toRegExp(pattern).test(text));
    }),
    tries(2000),
  );
});

test('no pattern matches a value that is absent', () => {
  for (const pattern of ['', '*', 'a']) expect(matchesPattern(pattern, undefined)).toBe(false);
});
