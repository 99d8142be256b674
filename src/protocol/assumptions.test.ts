import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createGateway } from '../index.ts';
import { createAssumptions } from './assume.ts';
import { type AssumptionChoices, assumptions } from './assumptions.ts';

/** The field notes, as data: each id with its values, the default first; `°` marks those that are standing. */
const fieldNotes: Readonly<Record<string, readonly string[]>> = {
  'api-keys°': ['any', 'listed'],
  'missing-api-key': ['401'],
  'unknown-api-key': ['401'],
  'expired-api-key': ['401'],
  'forbidden-api-key': ['403'],
  'missing-virtual-key': ['400', 'ignored'],
  'unknown-virtual-key': ['400', 'ignored'],
  'beta-header°': ['accepted', 'required'],
  'bearer°': ['ignored'],
  'request-id°': ['seeded'],
  'check-order°': ['routing-first'],
  'timestamp-unit°': ['seconds'],
  'error-body': ['combined'],
  'unknown-thread': ['404', 'empty-list'],
  'unknown-job': ['404', 'empty-list'],
  'unknown-prompt': ['404'],
  'unknown-policy': ['404'],
  'policy-id-format': ['400'],
  'policy-status-value': ['400'],
  'limit-too-large': ['400'],
  'limit-too-small': ['400'],
  'limit-format': ['400'],
  'checkpoint-limit-bounds': ['at-least-1', '1-to-100'],
  'order-value': ['400'],
  'unknown-cursor': ['404', '400', 'empty-page'],
  'blank-parameter°': ['absent'],
  'repeated-parameter': ['400'],
  'unknown-parameter°': ['ignored', '400'],
  'body-format': ['400'],
  'body-type': ['415'],
  'body-size': ['413'],
  'variables-required': ['400'],
  'nested-hyperparameters': ['400'],
  'hyperparameter-type': ['400', 'passed-through'],
  'hyperparameter-null°': ['not-sent'],
  'unknown-hyperparameter°': ['kept'],
  'unknown-path': ['404'],
  'method-not-served': ['405'],
  'total-order°': ['creation-sequence'],
  'newest-first°': ['desc'],
  'before-page': ['adjacent'],
  'after-and-before': ['between'],
  'page-ends°': ['ends-of-data'],
  'empty-run-ends': ['empty-string', 'null'],
  'absent-values°': ['null', 'omitted'],
  'run-states°': ['known', 'any'],
  'batch-states°': ['known', 'any'],
  'absent-metrics°': ['validation'],
  'policy-keys°': ['known'],
  'template-syntax°': ['mustache'],
  'missing-variable': ['empty', '400'],
  'render-reserved-keys°': ['left-out'],
  'hyperparameter-precedence°': ['request'],
  'root-messages-rendered°': ['verbatim'],
  'root-messages': ['replace-template', 'template-wins'],
  'prompt-version': ['suffix'],
};

/** Those that are not in the field notes. */
const ownNotes: Readonly<Record<string, readonly string[]>> = {
  'path-encoding': ['400'],
  'session-name': ['400'],
  'session-required': ['400'],
  'session-removed': ['410'],
  'session-lost': ['410'],
  'own-call': ['defined'],
  'http-syntax': ['refused'],
  'body-depth': ['400'],
  'body-keys': ['400'],
  'recursive-partial': ['400'],
  'render-size': ['400'],
  'quota-window°': ['fixed'],
  'quota-exceeded': ['429'],
  'retry-after-cap': ['1s', 'none'],
};

describe('the registry', () => {
  test('has every assumption of the field notes, its values and whether it is standing', () => {
    const registered = Object.entries(assumptions).map(([id, assumption]) => [
      'standing' in assumption ? `${id}°` : id,
      assumption.choices.map(([value]) => value),
    ]);
    expect(
      Object.fromEntries(registered),
      'add an assumption that is not in the field notes to `ownNotes`, with its values, and with ° if it is standing',
    ).toEqual({ ...fieldNotes, ...ownNotes });
  });

  test('describes each assumption and each of its values, and names a section', () => {
    for (const { description, section, choices } of Object.values(assumptions)) {
      expect(description).toMatch(/^[\w`].+\.$/s);
      expect(section).toMatch(/^[A-Z]/);
      for (const [, meaning] of choices) expect(meaning.length).toBeGreaterThan(2);
    }
  });

  test.each(Object.keys(assumptions))('%s is used by the code that depends on it', (id) => {
    const root = fileURLToPath(new URL('..', import.meta.url));
    const users = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter(
        (file) =>
          file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('protocol/assumptions.ts'),
      )
      .filter((file) => readFileSync(`${root}/${file}`, 'utf8').includes(`'${id}'`));
    expect(users).not.toEqual([]);
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
