import { describe, expect, test } from 'vitest';
import { createGateway } from '../index.ts';
import { createAssumptions } from './assume.ts';
import { type AssumptionChoices, assumptions } from './assumptions.ts';

describe('the registry', () => {
  test('describes each assumption and each of its values, and names a section', () => {
    for (const { description, section, choices } of Object.values(assumptions)) {
      expect(description).toMatch(/^[\w`].+\.$/s);
      expect(section).toMatch(/^[A-Z]/);
      for (const [, meaning] of choices) expect(meaning.length).toBeGreaterThan(2);
    }
  });
});

describe('choices', () => {
  test('start from the defaults, and change only those that are given', () => {
    const chosenFor = (choices: AssumptionChoices) =>
      createAssumptions(choices)
        .list()
        .find(({ id }) => id === 'unknown-cursor')?.value;
    expect(chosenFor({})).toBe('404');
    expect(chosenFor({ 'unknown-cursor': 'empty-page' })).toBe('empty-page');
  });

  test('mark the replies that depend on them, unless they are standing', () => {
    const { assume, marks } = createAssumptions({}).forAnswer();
    assume('total-order');
    assume('before-page');
    assume('before-page');
    expect(marks).toEqual(['before-page']);
  });

  test.each([
    [{ 'unknown-cursors': '404' }, 'Did you mean "unknown-cursor"?'],
    [{ 'unknown-cursor': '500' }, 'expected "400" or "404" or "empty-page", but found "500"'],
    [{ constructor: 'x' }, 'unknown key'],
  ])('%j is refused with a hint', (choices, words) => {
    expect(() => createGateway({ assumptions: choices as AssumptionChoices })).toThrow(words);
    expect(() => createGateway({ scenario: { assumptions: choices as AssumptionChoices } })).toThrow(words);
  });
});
