import fs from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../../test/support/make-folder.ts';
import { fromFileName, toFileName, writeValue } from './files.ts';

const names = ['a', 'Mine', 'MINE', 'mine', 'a.', '-', '_a'];

test('each session has a file name of its own, by which it is found again', () => {
  const files = names.map(toFileName);
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length);
  expect(files.map(fromFileName)).toEqual(names);
});

test('a file is flushed to the disk before it gets its name, so that a power cut leaves no empty file', () => {
  const file = join(makeFolder(), 'mine.json');
  const flushed: boolean[] = [];
  const spy = vi.spyOn(fs, 'fsyncSync').mockImplementation(() => void flushed.push(fs.existsSync(file)));
  onTestFinished(() => spy.mockRestore());
  writeValue(file, { name: 'mine' }, '1.0.0');
  expect({ flushed, isThere: fs.existsSync(file) }).toEqual({ flushed: [false], isThere: true });
});
