import { expect, test } from 'vitest';
import * as z from 'zod';
import { shippedLibrary } from './library.ts';
import { loadDocument } from './load.ts';
import { checkValue, findMistakes } from './mistakes.ts';
import { describeMistake, ScenarioError } from './scenario-error.ts';

test('a lazy schema is unwrapped once, however many mistakes there are', () => {
  let count = 0;
  const many = z.lazy(() => {
    count += 1;
    return z.record(z.string(), z.strictObject({ a: z.int().exactOptional() }));
  });
  const mistakesOf = (size: number) =>
    findMistakes(many, Object.fromEntries(Array.from({ length: size }, (_, at) => [`k${at}`, { b: 1 }])));
  expect(mistakesOf(10)).toHaveLength(10);
  const once = count;
  expect(mistakesOf(100)).toHaveLength(100);
  expect(count).toBe(once);
});

const states = z.enum(['queued', 'completed']);
const schema = z.strictObject({
  ids: z.record(z.string().max(3), z.int()).exactOptional(),
  counts: z.partialRecord(states, z.int()).exactOptional(),
  amount: z.union([z.int(), z.partialRecord(states, z.int())]).exactOptional(),
  form: z
    .union([
      z.strictObject({ left: z.int(), both: z.int().exactOptional() }),
      z.strictObject({ right: z.int() }),
    ])
    .exactOptional(),
  seeded: z
    .union([
      z.partialRecord(states, z.int()),
      z.strictObject({ seeded: z.int(), records: z.array(z.int()).default([]) }),
    ])
    .exactOptional(),
  state: states.exactOptional(),
  level: z.enum(['1', '2']).exactOptional(),
  size: z.number().positive().exactOptional(),
  texts: z.array(z.string().min(2)).max(2).exactOptional(),
  id: z.guid().exactOptional(),
});

const mistakesIn = (value: unknown): string[] => findMistakes(schema, value).map(describeMistake);

test('a value without mistakes is returned with its defaults', () => {
  const withDefault = z.object({ a: z.int().default(5) });
  expect(checkValue(withDefault, {})).toEqual({ data: { a: 5 }, mistakes: [] });
  expect(checkValue(withDefault, 1).data).toBeUndefined();
});

test.each<[value: unknown, mistakes: string[]]>([
  [{}, []],
  [{ ids: { abc: 1 }, counts: { queued: 1 }, amount: { completed: 2 }, form: { right: 1 } }, []],
  [{ ids: { abcd: 1 } }, ['ids.abcd: "abcd" is too long: at most 3']],
  [{ counts: { queud: 1 } }, ['counts.queud: unknown key. Did you mean "queued"?']],
  [{ amount: { queud: 1 } }, ['amount.queud: unknown key. Did you mean "queued"?']],
  [{ amount: 'many' }, ['amount: expected a number or a mapping, but found "many"']],
  [{ amount: { queued: 'x' } }, ['amount.queued: expected a number, but found "x"']],
  [{ form: { left: 1, boht: 2 } }, ['form.boht: unknown key. Did you mean "both"?']],
  [{ form: { left: 1, right: 2 } }, [expect.stringMatching(/^form\.right: /)]],
  [
    { seeded: { seeded: 1, recrds: [] } },
    [expect.stringMatching(/recrds: unknown key\. Did you mean "records"/)],
  ],
  [{ form: { right: 'x' } }, ['form.right: expected a number, but found "x"']],
  [
    { state: 'queud' },
    [expect.stringMatching(/^state: expected "queued" or "completed".*Did you mean "queued"\?$/)],
  ],
  [{ level: 2 }, [expect.stringMatching(/^level: expected "1" or "2", but found 2\. .*quotes$/)]],
  [{ size: 0 }, ['size: 0 is too small: more than 0']],
  [{ size: Number.NaN }, ['size: expected a finite number, but found NaN']],
  [{ size: null }, ['size: expected a number, but found null']],
  [{ texts: ['abc', 'x'] }, ['texts[1]: "x" is too short: at least 2']],
  [{ texts: ['ab', 'ab', 'ab'] }, ['texts: ["ab","ab","ab"] is too long: at most 2']],
  [{ texts: 'ab' }, ['texts: expected a list, but found "ab"']],
  [{ id: 'x'.repeat(100) }, [`id: "${'x'.repeat(79)}… is not a uuid`]],
  [
    { more: 1, stat: 2 },
    [expect.stringMatching(/^more: unknown key\./), 'stat: unknown key. Did you mean "state"?'],
  ],
])('%j has the mistakes %j', (value, mistakes) => {
  expect(mistakesIn(value)).toEqual(mistakes);
});

test('any number of mistakes is reported', () => {
  const wide = {
    name: 'wide',
    value: Object.fromEntries(Array.from({ length: 125_000 }, (_, at) => [at, 1])),
  };
  expect(() => loadDocument(wide, shippedLibrary)).toThrow(ScenarioError);
}, 60_000);
