import { expect, test } from 'vitest';
import { fromFileName, toFileName } from './files.ts';

const names = [
  'a',
  'Mine',
  'MINE',
  'con',
  'CON',
  'con.a',
  'lpt1',
  'console',
  'a.',
  'a..',
  'nul.',
  '_con',
  '-',
  '=1',
];

test('each session has a file name of its own, by which it is found again', () => {
  const files = names.map(toFileName);
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length);
  expect(files.map(fromFileName)).toEqual(names);
});

test('no file name is one that Windows reads in another way', () => {
  for (const name of names) expect(toFileName(name)).not.toMatch(/^(?:con|lpt1|nul)(?:\.|$)|[.: ]$/i);
});
