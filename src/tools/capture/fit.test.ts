import { expect, test } from 'vitest';
import * as z from 'zod';
import { fitRecord } from './fit.ts';

test('a list with an item that lacks a field is left out as a whole: without the item, the others would move', () => {
  const list = z.array(z.object({ code: z.string() })).exactOptional();
  expect(
    fitRecord({ id: 'a', list: [{ code: 5 }, { code: 'b' }] }, z.object({ id: z.string(), list })),
  ).toEqual({
    record: { id: 'a' },
    leftOut: ['list[].code', 'list'],
    hasExtra: false,
  });
});
