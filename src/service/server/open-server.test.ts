import { expect, test } from 'vitest';
import { openServer } from './open-server.ts';
import { findScenarioFiles } from './server-files.ts';

test.each<
  [given: Partial<Parameters<typeof findScenarioFiles>[0]>, found: ReturnType<typeof findScenarioFiles>]
>([
  [{}, { paths: [], scenario: 'default' }],
  [
    { scenario: 'large', scenarios: ['a', 'b.yaml'] },
    { paths: ['a', 'b.yaml'], scenario: 'large' },
  ],
  [{ scenario: 'bugs/bug.yaml' }, { paths: ['bugs/', 'bugs/bug.yaml'], scenario: 'bug' }],
  [
    { scenario: 'bug.json', scenarios: ['a'] },
    { paths: ['a', '.', 'bug.json'], scenario: 'bug' },
  ],
  [{ scenario: { seed: 1 } }, { paths: [], scenario: { seed: 1 } }],
])('finds the scenario of %j', (given, found) => {
  expect(findScenarioFiles({ scenario: 'default', scenarios: [], ...given })).toEqual(found);
});

test('refuses to watch without files', async () => {
  await expect(openServer({ watch: true })).rejects.toThrow(
    'Failed to watch: there are no files. Give a scenario file, folders of scenarios, or a file of calls.',
  );
});
