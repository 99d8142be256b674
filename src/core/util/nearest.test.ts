import { expect, test } from 'vitest';
import { didYouMean } from './nearest.ts';

test.each([
  ['bgu', ['bug', 'default'], ' Did you mean "bug"?'],
  ['scenaro', ['scenario', 'seed'], ' Did you mean "scenario"?'],
  ['run', ['batches', 'listRuns'], ' Did you mean "listRuns"?'],
  ['nope', ['login_page', 'maintenance'], ''],
  ['x', [], ''],
])('%s among %j is asked about as "%s"', (given, names, question) => {
  expect(didYouMean(given, names)).toBe(question);
});

test('a name may be shown in another way', () => {
  expect(didYouMean('heath', ['/health', '/events'], '/__admin…')).toBe(' Did you mean /__admin/health?');
});
