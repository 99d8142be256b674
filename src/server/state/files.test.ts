import { expect, test } from 'vitest';
import { fromFileName, toFileName } from './files.ts';

const names = ['a', 'Mine', 'MINE', 'mine', 'a.', '-', '_a'];

test('each session has a file name of its own, by which it is found again', () => {
  const files = names.map(toFileName);
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length);
  expect(files.map(fromFileName)).toEqual(names);
});
