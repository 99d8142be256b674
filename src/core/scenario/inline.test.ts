import { expect, test } from 'vitest';
import { describeError, type ValidationError } from '../util/validation-error.ts';
import { inlinePrompts } from './inline.ts';
import type { Library } from './library.ts';

const library: Library = {
  scenarios: {},
  prompts: {
    greeting: { name: 'greeting', value: { messages: [] } },
    broken: { name: 'broken', value: undefined, errors: [{ path: ['a'], message: 'why' }] },
  },
};

test('the prompts of a scenario get their fixtures, and errors are reported', () => {
  const prompts = { a: 'greeting', b: { messages: [] }, c: 'greting', d: 'broken', e: 'constructor' };
  const errors: ValidationError[] = [];
  expect(inlinePrompts({ seed: 1, prompts }, library, errors)).toEqual({
    seed: 1,
    prompts: { a: { messages: [] }, b: { messages: [] } },
  });
  expect(errors.map(describeError)).toEqual([
    expect.stringMatching(/^prompts\.c: .*"greting".*fixtures\/prompts.*Did you mean "greeting"\?$/),
    'a: why',
    expect.stringMatching(/^prompts\.e: .*"constructor"/),
  ]);
});
