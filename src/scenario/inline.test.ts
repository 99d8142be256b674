import { describe, expect, test } from 'vitest';
import { inlinePrompts, inlineResponse, inlineResponses } from './inline.ts';
import type { Library } from './library.ts';
import { describeError, type ValidationError } from './scenario-error.ts';

const library: Library = {
  scenarios: {},
  prompts: {
    greeting: { name: 'greeting', value: { messages: [] } },
    broken: { name: 'broken', value: undefined, errors: [{ path: ['a'], message: 'why' }] },
  },
  responses: {
    maintenance: { name: 'maintenance', value: { a: 1 } },
    broken: { name: 'broken', value: undefined, errors: [{ path: ['a'], message: 'why' }] },
  },
};

const run = (inline: typeof inlinePrompts, value: unknown) => {
  const errors: ValidationError[] = [];
  return [inline(value, library, errors), errors.map(describeError)];
};

test.each([
  ['listRuns: reply 503 fixture=maintenance', 'listRuns: reply 503 body={"a":1}'],
  ['listRuns#1-:   503', 'listRuns#1-:   503'],
  ['not a fault', 'not a fault'],
])('the line "%s" becomes "%s"', (line, inlined) => {
  expect(inlineResponse(line, library)).toBe(inlined);
});

test.each([
  ['listRuns: reply fixture=maintenence', /"maintenence".*Did you mean "maintenance"\?$/],
  ['listRuns: reply fixture=broken', /^the fixture "broken" has errors: a: why$/],
  ['listRun: reply fixture=maintenance', /^Failed to read the fault/],
])('the line "%s" is refused', (line, words) => {
  expect(() => inlineResponse(line, library)).toThrow(words);
});

describe('the faults of a scenario', () => {
  test('get their fixtures, and report the errors', () => {
    const faults = [
      'listRuns: reply fixture=maintenance',
      { listBatches: 'reply fixture=maintenance' },
      'listRuns: reply fixture=none',
    ];
    const [value, errors] = run(inlineResponses, { seed: 1, faults });
    expect(value).toMatchObject({
      seed: 1,
      faults: ['listRuns: reply 200 body={"a":1}', 'listBatches: reply 200 body={"a":1}', expect.any(String)],
    });
    expect(errors).toEqual([expect.stringMatching(/^faults\[2\]: .*"none"/)]);
  });
});

describe('the prompts of a scenario', () => {
  test('get their fixtures, and report the errors', () => {
    const prompts = { a: 'greeting', b: { messages: [] }, c: 'greting', d: 'broken', e: 'constructor' };
    expect(run(inlinePrompts, { seed: 1, prompts })).toEqual([
      { seed: 1, prompts: { a: { messages: [] }, b: { messages: [] } } },
      [
        expect.stringMatching(/^prompts\.c: .*"greting".*fixtures\/prompts.*Did you mean "greeting"\?$/),
        'a: why',
        expect.stringMatching(/^prompts\.e: .*"constructor"/),
      ],
    ]);
  });
});
