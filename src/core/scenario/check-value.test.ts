import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { setLimit } from '../../../test/support/set-limit.ts';
import { checkValue } from '../util/check-value.ts';
import { describeError } from '../util/validation-error.ts';
import { shippedLibrary } from './library.ts';
import { loadDocument } from './load.ts';
import { ScenarioError } from './scenario-error.ts';

const errorOf = (value: unknown): ScenarioError => {
  try {
    loadDocument({ name: 'wide', value }, shippedLibrary);
  } catch (error) {
    if (error instanceof ScenarioError) return error;
    throw error;
  }
  throw new Error('It has no error.');
};

const states = z.enum(['queued', 'completed']);
const counts = z.strictObject({ queued: z.int(), completed: z.int() }).partial();
const schema = z.strictObject({
  ids: z.record(z.string().max(3), z.int()).exactOptional(),
  counts: counts.exactOptional(),
  amount: z.union([z.int(), counts]).exactOptional(),
  form: z
    .union([
      z.strictObject({ left: z.int(), both: z.int().exactOptional() }),
      z.strictObject({ right: z.int() }),
    ])
    .exactOptional(),
  seeded: z
    .union([counts, z.strictObject({ seeded: z.int(), records: z.array(z.int()).default([]) })])
    .exactOptional(),
  state: states.exactOptional(),
  level: z.enum(['1', '2']).exactOptional(),
  size: z.number().positive().exactOptional(),
  texts: z.array(z.string().min(2)).max(2).exactOptional(),
  id: z.guid().exactOptional(),
});

const errorsOf = (type: z.ZodType, value: unknown): string[] =>
  checkValue(type, value).errors.map(describeError);
const errorsIn = (value: unknown): string[] => errorsOf(schema, value);

test('a value without errors is returned with its defaults', () => {
  const withDefault = z.object({ a: z.int().default(5) });
  expect(checkValue(withDefault, {})).toEqual({ data: { a: 5 }, errors: [] });
  expect(checkValue(withDefault, 1).data).toBeUndefined();
});

test.each<[value: unknown, errors: string[]]>([
  [{}, []],
  [{ ids: { abc: 1 }, counts: { queued: 1 }, amount: { completed: 2 }, form: { right: 1 } }, []],
  [{ ids: { abcd: 1 } }, ['ids.abcd: "abcd" is too long: at most 3']],
  [{ counts: { queud: 1 } }, ['counts.queud: unknown key. Did you mean "queued"?']],
  [{ amount: 'many' }, ['amount: expected a number or an object, but found "many"']],
  [{ amount: { queued: 'x' } }, ['amount.queued: expected a number, but found "x"']],
  [{ form: { left: 1, boht: 2 } }, ['form.boht: unknown key. Did you mean "both"?']],
  [{ form: { left: 1, right: 2 } }, [expect.stringMatching(/^form\.right: /)]],
  [
    { seeded: { seeded: 1, recrds: [] } },
    [expect.stringMatching(/recrds: unknown key\. Did you mean "records"/)],
  ],
  [
    { state: 'queud' },
    [expect.stringMatching(/^state: expected "queued" or "completed".*Did you mean "queued"\?$/)],
  ],
  [{ level: 2 }, [expect.stringMatching(/^level: expected "1" or "2", but found 2\. .*quotes$/)]],
  [{ size: 0 }, ['size: 0 is too small: more than 0']],
  [{ size: Number.NaN }, ['size: expected a number, but found NaN']],
  [{ texts: ['abc', 'x'] }, ['texts[1]: "x" is too short: at least 2']],
  [{ texts: ['ab', 'ab', 'ab'] }, ['texts: an array of 3 is too long: at most 2']],
  [{ id: 'x'.repeat(100) }, [`id: "${'x'.repeat(79)}… is not a uuid`]],
  [
    { more: 1, stat: 2 },
    [expect.stringMatching(/^more: unknown key\./), 'stat: unknown key. Did you mean "state"?'],
  ],
])('%j has the errors %j', (value, errors) => {
  expect(errorsIn(value)).toEqual(errors);
});

describe('a value with very many errors', () => {
  const listOf = <Item>(length: number, item: (at: number) => Item): Item[] =>
    Array.from({ length }, (_, at) => item(at));
  const keysOf = (length: number) => Object.fromEntries(listOf(length, (at) => [`k${at}`, 1]));

  test('has one error if zod throws because there are too many', () => {
    // It does so beyond some 125,000 issues; how many exactly depends on the size of the stack.
    const schema = z.custom(() => {
      throw new RangeError('Maximum call stack size exceeded');
    });
    expect(errorsOf(schema, {})).toEqual(['more than 100,000 values are invalid']);
  });

  test.each<[value: unknown, first: string]>([
    [keysOf(4), 'k0: unknown key. Use one of: description, '],
    [{ batches: { records: listOf(4, () => ({ a: 'b' })) } }, 'batches.records[0].id: missing: expected'],
    [{ batches: { records: listOf(5, () => ({ id: 'b' })) } }, 'batches.records[1].id: "b" is the id of'],
  ])('has the first ones listed, and says that there are more: %j', (value, first) => {
    setLimit('errors', 3);
    const { message, errors } = errorOf(value);
    expect(errors.map(describeError)[0]).toContain(first);
    expect(errors.slice(3)).toEqual([{ path: [], message: 'and more: only the first 3 are listed' }]);
    expect(message.split('\n')).toHaveLength(5);
  });

  test.each<[value: unknown, problem: string]>([
    [
      { batches: { records: listOf(8, () => 1) } },
      'batches: more than 7 records in total, over all sections',
    ],
    [{ prompts: keysOf(8) }, 'prompts: more than 7 records in total, over all sections'],
    [{ faults: listOf(4, () => 1) }, 'faults: 4 are too many: at most 3'],
  ])('has only these counted if there are too many: %j', (value, problem) => {
    setLimit('records', 7);
    setLimit('faults', 3);
    expect(errorOf(value).errors.map(describeError)).toEqual([problem]);
  });
});

test('long keys and values are cut in messages', () => {
  const long = 'x'.repeat(100_000);
  for (const value of [
    { [long]: 1 },
    { seed: long },
    { extends: long },
    { faults: [long] },
    { faults: [`listRuns: ${long}`] },
    { faults: [`listRuns share=${long}: reset`] },
    { keys: { limited: { k: [long] } } },
    { threads: { a: { records: [{ id: 'run_a', thread_id: long }] } } },
    { threads: { [long]: { runs: -1 } } },
  ])
    expect(JSON.stringify(errorOf(value)).length + errorOf(value).message.length).toBeLessThan(5000);
});
