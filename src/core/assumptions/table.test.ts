import { describe, expect, test } from 'vitest';
import { createGateway } from '../../index.ts';
import { createAssumptions } from './marking.ts';
import { type AssumptionChoices, assumptions } from './table.ts';

describe('the registry', () => {
  test('describes each assumption and each of its values, and names a section', () => {
    for (const { description, section, choices } of Object.values(assumptions)) {
      expect(description).toMatch(/^[\w`].+\.$/s);
      expect(section).toMatch(/^[A-Z]/);
      for (const [, meaning] of choices) expect(meaning.length).toBeGreaterThan(2);
    }
  });

  // Each change of these changes what existing clients and tests get.
  test('has these defaults, each with the other values, where there is a choice', () => {
    const chosen = Object.entries(assumptions).flatMap(([id, { choices }]) =>
      choices.length > 1 ? [[id, choices.map(([value]) => value).join(', ')]] : [],
    );
    expect(Object.fromEntries(chosen)).toEqual({
      'api-keys': 'any, listed',
      'missing-virtual-key': '400, ignored, stand-in',
      'unknown-virtual-key': '400, ignored',
      'beta-header': 'accepted, required',
      bearer: 'ignored, api-key',
      cors: 'open, refused',
      'extra-fields': 'refused, kept',
      'unknown-thread': '404, empty-list',
      'unknown-job': '404, empty-list',
      'limit-too-small': '400, empty-page',
      'checkpoint-limit-bounds': 'at-least-1, 1-to-100',
      'unknown-cursor': '404, 400, empty-page',
      'unknown-parameter': 'ignored, 400',
      'hyperparameter-type': '400, passed-through',
      'hyperparameter-null': 'not-sent, kept',
      'quota-headers': 'sent, none',
      'quota-scope': 'all, lists',
      'retry-after-cap': '1s, none',
      'empty-run-ends': 'empty-string, null',
      'absent-values': 'null, omitted',
      'run-states': 'known, any',
      'batch-states': 'known, any',
      'template-lines': 'kept, removed',
      'structured-values': 'json, 500',
      'missing-variable': 'empty, 400',
      'root-messages': 'replace-template, template-wins',
    });
  });

  test('marks replies with all but these', () => {
    const standing = Object.entries(assumptions).flatMap(([id, one]) => ('standing' in one ? [id] : []));
    expect(standing.join(' ')).toBe(
      [
        'api-keys bearer cors beta-header request-id check-order quota-window quota-headers quota-scope blank-parameter',
        'unknown-parameter hyperparameter-null unknown-hyperparameter total-order newest-first extra-fields absent-values',
        'timestamp-unit page-ends absent-metrics run-states batch-states policy-keys template-syntax template-text root-messages-rendered',
        'hyperparameter-precedence render-reserved-keys',
      ].join(' '),
    );
  });
});

describe('choices', () => {
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
    expect(() => createGateway({ assume: choices as AssumptionChoices })).toThrow(words);
    expect(() => createGateway({ scenario: { assumptions: choices as AssumptionChoices } })).toThrow(words);
  });

  test('accept any key, too, where a scenario lists its keys', () => {
    const { choose, choiceOf } = createAssumptions({}, { valid: ['mine'] });
    expect(choiceOf('api-keys')).toBe('listed');
    choose('api-keys', 'any');
    expect(choiceOf('api-keys')).toBe('any');
  });

  test('are refused by the control in its own words', async () => {
    const { set } = createGateway().assumptions;
    await expect(set('unknown-cursr' as 'unknown-cursor', 'x')).rejects.toThrow(
      'Failed to set the assumption "unknown-cursr": no such assumption. Did you mean "unknown-cursor"?',
    );
    await expect(set('unknown-cursor', 'x')).rejects.toThrow('"unknown-cursor" to "x": no such value. Use ');
  });
});
