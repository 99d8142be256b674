import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { readQuery } from './query.ts';

const schema = z.looseObject({});

test.each([
  ['a=1&b.x=2&b.y=3&c.__proto__=4', { a: '1', b: { x: '2', y: '3' }, c: { ['__proto__']: '4' } }],
  ['json={"a":[1]}', { a: [1] }],
])('reads %s', (query, values) => {
  expect(readQuery(query, schema)).toEqual(values);
});

test.each([
  ['a=1&a=2', 'a'],
  ['a.x=1&a.x=2', 'a.x'],
  ['a=1&a.x=2', 'a'],
  ['a.x=1&a=2', 'a'],
])('refuses %s', (query, name) => {
  expect(() => readQuery(query, schema)).toThrow(`The query parameter "${name}" is given twice.`);
});

test('reads thousands of nested names in time linear in the query', () => {
  const names = Array.from({ length: 3000 }, (_, at) => `query.${at}`);
  let copied = 0;
  const copy = Object.fromEntries;
  const spy = vi.spyOn(Object, 'fromEntries').mockImplementation((entries) => {
    const all = [...entries];
    copied += all.length;
    return copy(all);
  });
  const { query } = readQuery(names.map((name) => `${name}=`).join('&'), schema);
  spy.mockRestore();
  expect(Object.keys(Object(query))).toHaveLength(3000);
  expect(copied).toBeLessThan(2 * 3000);
});
