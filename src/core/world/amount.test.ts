import { expect, test } from 'vitest';
import { amountOf, countSchema, tiesSchema } from './amount.ts';

const most = 250_000;
const amount = amountOf(['open', 'closed']);

test.each([0, 1, most, {}, { open: most - 1, closed: 1 }])('%j is an amount', (given) => {
  expect(amount.parse(given)).toEqual(given);
});

test.each([-1, 0.5, most + 1, '1', null, { lost: 1 }, { open: 1.5 }])('%j is refused', (given) => {
  expect(amount.safeParse(given).success).toBe(false);
});

test.each<[schema: typeof countSchema | typeof tiesSchema, least: number]>([
  [countSchema, 0],
  [tiesSchema, 1],
])('a count has bounds: %#', (schema, least) => {
  for (const given of [least, most]) expect(schema.parse(given)).toBe(given);
  for (const given of [least - 1, most + 1, 1.5]) expect(schema.safeParse(given).success).toBe(false);
});
