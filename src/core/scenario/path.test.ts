import { expect, test } from 'vitest';
import { folderOf, isScenarioFile, isScenarioPath, nameOf } from './path.ts';

test.each([
  ['bugs/bug-17.yaml', true],
  ['./bug', true],
  ['bug-17.yaml', true],
  ['BUG.JSON', true],
  ['bug-17', false],
  ['a.yaml.bak', false],
])('%s is the path of a scenario: %s', (text, isPath) => {
  expect(isScenarioPath(text)).toBe(isPath);
});

test.each([
  ['bug.yaml', true],
  ['bug.json', true],
  ['scenario.schema.json', false],
  ['bug.txt', false],
])('%s in a folder is a scenario: %s', (file, isScenario) => {
  expect(isScenarioFile(file)).toBe(isScenario);
});

test.each([
  ['bugs/bug-17.yaml', 'bug-17', 'bugs/'],
  ['/tmp/a.b/c.json', 'c', '/tmp/a.b/'],
  ['C:\\bugs\\bug.yml', 'bug', 'C:\\bugs\\'],
  ['bug.v2.yaml', 'bug.v2', '.'], // in the working folder
  ['bug', 'bug', '.'],
])('%s is known as %s, and stands in %s', (file, name, folder) => {
  expect([nameOf(file), folderOf(file)]).toEqual([name, folder]);
});
