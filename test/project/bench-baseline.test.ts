import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareRatios, describeChanges, writeBaseline } from '../bench/baseline.js';
import { makeFolder } from '../support/make-folder.ts';

test('a ratio that moved by more than a tenth is reported, up or down', () => {
  const before = { page: 0.6, render: 0.5, policy: 0.5, start: 2, gone: 1 };
  const now = { page: 0.53, render: 0.545, policy: 0.5, start: 2.3, fetch: 1.1 };
  expect(compareRatios(before, now)).toEqual([
    '  page: 0.530, and 0.600 in the baseline: 12 % less.',
    '  start: 2.300, and 2.000 in the baseline: 15 % more.',
    '  new: fetch: 1.100.',
    '  no longer measured: gone.',
  ]);
});

test('a baseline is compared with once it is written, and its machine is named', () => {
  const file = join(makeFolder(), 'baseline.json');
  expect(describeChanges({ page: 0.5 }, false, file)).toContain('There is no baseline yet');
  writeBaseline({ page: 0.50049 }, true, 'a small one', file);
  expect(describeChanges({ page: 0.51 }, true, file)).toBe(
    'No ratio is more than a tenth from the baseline (a small one).',
  );
  const reported = describeChanges({ page: 0.7 }, false, file);
  expect(reported).toContain('One of the two runs was quick');
  expect(reported).toContain('page: 0.700, and 0.500 in the baseline: 40 % more.');
});
