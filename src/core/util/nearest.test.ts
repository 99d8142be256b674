import { expect, test } from 'vitest';
import { didYouMean, suggest } from './nearest.ts';

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

test('twenty names are listed, and of more the number of the others', () => {
  const names = Array.from({ length: 21 }, (_, at) => `${at}`);
  expect(suggest('nope', names.slice(1))).toMatch(/ 1, .*, 20$/);
  expect(suggest('nope', names)).toMatch(/ 0, .*, 19, and 1 more$/);
});
