// Files that are written, and in which order they are read. What stands in them: test/scenarios/files.test.ts.
import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/support/make-folder.ts';
import { readDocuments, readLibrary, readScenario, replaceFile } from './folder.ts';

test('the scenarios of a folder are in the order of their names, the same on all systems', () => {
  // In UTF-8, by which some systems sort, the second of these comes first.
  const names = ['A', 'b', '\u{1F600}', '\uFF5E'];
  const folder = makeFolder(
    Object.fromEntries(names.toReversed().map((name) => [`${name}.yaml`, 'seed: 1\n'])),
  );
  expect(Object.keys(readLibrary([folder]).scenarios).slice(-names.length)).toEqual(names);
});

test('files of one name in two folders are two documents', () => {
  const files = [1, 2].map((seed) => join(makeFolder({ 'bug.yaml': `seed: ${seed}\n` }), 'bug.yaml'));
  expect(readDocuments(files).documents.map(({ file }) => file)).toEqual(files);
});

test('a file is replaced by another one, so that nobody reads half of it', async () => {
  const folder = makeFolder({ 'bug.yaml': 'before' });
  const [file, old] = [join(folder, 'bug.yaml'), join(folder, 'old.yaml')];
  linkSync(file, old); // the same file by another name: whoever has it open sees it so
  await replaceFile(file, 'after');
  expect([readFileSync(file, 'utf8'), readFileSync(old, 'utf8')]).toEqual(['after', 'before']);
  expect(readdirSync(folder).sort()).toEqual(['bug.yaml', 'old.yaml']);
});

test('a file that cannot be replaced is left as it was, with nothing beside it', async () => {
  const folder = makeFolder({ 'bug.yaml/inner.txt': 'before' });
  await expect(replaceFile(join(folder, 'bug.yaml'), 'after')).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['bug.yaml']);
  await expect(replaceFile(join(folder, 'none', 'bug.yaml'), 'after')).rejects.toThrow('ENOENT');
});

test.skipIf(process.platform === 'win32')(
  'a device or a named pipe is refused, since it may never end',
  () => {
    expect(() => readScenario('/dev/null')).toThrow('  - /dev/null: it is not a regular file');
  },
);

test('all paths that do not exist are named at once, as files or folders', () => {
  const folder = makeFolder({ 'bug.yaml': 'seed: 1' });
  expect(() => readLibrary([folder, './none.yaml', './nowhere'])).toThrow(
    new Error(
      'Failed to read the scenarios: there is no file "./none.yaml", and there is no folder "./nowhere".',
    ),
  );
});

test('a folder in place of a file is refused, also one with the name of a scenario that ships', () => {
  const folder = join(makeFolder({ 'default/bug.yaml': 'seed: 1' }), 'default');
  expect(() => readScenario(folder)).toThrow(`Failed to read the scenario "${folder}": it is a folder.`);
});

test('a file in another encoding is refused, so that no character is replaced silently', () => {
  const folder = makeFolder();
  const file = join(folder, 'bug.yaml');
  writeFileSync(file, Buffer.from('description: "caf\u00e9"\n', 'latin1'));
  expect(() => readScenario(file)).toThrow(`  - ${file}: it is not valid UTF-8: save it in that encoding`);
});
