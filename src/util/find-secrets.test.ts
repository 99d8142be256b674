import { describe, expect, test } from 'vitest';
import { createFinder } from './find-secrets.ts';

/** How much work a search is. */
const workOf = (secrets: readonly string[], text: string): number => {
  const { find, visited } = createFinder(secrets);
  find(text);
  return visited();
};

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `secret-${String(at).padStart(6, '0')}-0123456789`);

describe('the work of a search', () => {
  test.each<[what: string, secrets: readonly string[], unit: string]>([
    ['texts without secrets', numbered(400), 'nothing of it '],
    ['texts of secrets', numbered(400), 'secret-000007-0123456789'],
    ['texts that nearly match', ['aaaaaaaab', 'aaaaaaaaaaaaaaab', `${'a'.repeat(800)}b`], 'aaaaaaaac'],
    ['one character repeated', [`${'a'.repeat(14)}b`, 'aaaaaaaaab', 'aaaaaaaaaaaab'], 'a'],
    ['nested secrets', Array.from({ length: 400 }, (_, at) => 'a'.repeat(8 + at)), 'aaaaaaaaz'],
    ['equal heads', Array.from({ length: 400 }, (_, at) => `0123456789abcdef${at}`), '0123456789abcdef!'],
  ])('grows with the text: %s', (_what, secrets, unit) => {
    const [once, twice] = [unit.repeat(1000), unit.repeat(2000)];
    expect(workOf(secrets, twice)).toBeLessThan(2.1 * workOf(secrets, once));
    expect(workOf(secrets, once)).toBeLessThan(20 * once.length);
  });

  test('does not grow with the number of secrets', () => {
    const text = `a text of secrets, secret-9 ${'x'.repeat(5000)}`;
    expect(workOf(numbered(4000), text)).toBeLessThan(1.1 * workOf(numbered(4), text));
  });
});

test('the longest secret at a place is found, with its place', () => {
  const { find } = createFinder(['12345678', '12345678-90', 'short']);
  expect(find('a 12345678-90 b 12345678-9 short')).toEqual([
    { start: 2, end: 13, secret: '12345678-90' },
    { start: 16, end: 24, secret: '12345678' },
  ]);
});
