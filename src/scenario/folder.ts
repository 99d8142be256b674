import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../util/message-of.ts';
import { readDocument, toFileText } from './file.ts';
import { isFile, isFolder, statOf } from './is-folder.ts';
import { type Library, type ScenarioDocument, shippedLibrary } from './library.ts';
import { loadDocument } from './load.ts';
import { folderOf, isScenarioFile, nameOf } from './path.ts';
import type { Scenario } from './schema.ts';
import { schemaComment } from './schema-comment.ts';

/**
 * The scenarios of the package, together with those of files and folders. A folder may have prompts in
 * `fixtures/prompts/` and bodies of replies in `fixtures/responses/`, which its scenarios use by name.
 *
 * @throws Error if a path cannot be read
 */
export const readLibrary = (paths: readonly string[]): Library => {
  const documents = paths.flatMap((path) =>
    isFolder(path) ? listFiles(path).map(readLater) : [readFile(path)],
  );
  const readFixtures = (kind: string): Record<string, ScenarioDocument> =>
    byName(paths.filter(isFolder).flatMap((path) => listFiles(join(path, 'fixtures', kind)).map(readLater)));
  return {
    scenarios: { ...shippedLibrary.scenarios, ...byName(documents) },
    prompts: { ...shippedLibrary.prompts, ...readFixtures('prompts') },
    responses: { ...shippedLibrary.responses, ...readFixtures('responses') },
  };
};

/** The scenarios of files and folders, with a library that includes the other files and the fixtures of their folders. */
export const readDocuments = (
  paths: readonly string[],
): { readonly documents: readonly ScenarioDocument[]; readonly library: Library } => {
  const besides = paths.filter((path) => !isFolder(path)).map(folderOf);
  const library = readLibrary([...besides, ...paths]);
  const documents = Object.values(readLibrary(paths).scenarios).flatMap(({ name, file }) =>
    file === undefined ? [] : (library.scenarios[name] ?? []),
  );
  return { documents, library };
};

/** See `readScenario` of `gateway-mock/node`. */
export const readScenario = (file: string): Scenario => {
  const library = readLibrary([folderOf(file), file]);
  return structuredClone(
    loadDocument(library.scenarios[nameOf(file)] as ScenarioDocument, library).whole,
  ) as Scenario; // it was just read into the library
};

/** See `writeScenario` of `gateway-mock/node`. */
export const writeScenario = (file: string, scenario: Scenario): Promise<void> =>
  replaceFile(
    file,
    (file.toLowerCase().endsWith('.json') ? '' : schemaComment(file)) + toFileText(file, scenario),
  );

/** Writes a file completely or not at all. @throws Error if it cannot be written */
export const replaceFile = async (file: string, text: string): Promise<void> => {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(draft, text);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    const reason = messageOf(error).replace(draft, file);
    throw new Error(`Failed to write the file "${file}": ${reason}`, { cause: error });
  }
};

/** Whether a path has scenarios: a folder with at least one, or any file. */
export const hasScenarios = (path: string): boolean => !isFolder(path) || listFiles(path).length > 0;

/** The scenario files of a folder, in order; none if there is no such folder. */
export const listFiles = (folder: string): string[] =>
  isFolder(folder)
    ? readdirSync(folder)
        .filter(isScenarioFile)
        .sort()
        .map((file) => join(folder, file))
        .filter(isFile) // not a link that leads nowhere, as editors make them to lock a file
    : [];

/** A document whose file is read when it is first needed, since a folder may have many large files. */
const readLater = (file: string): ScenarioDocument => {
  let document: ScenarioDocument | undefined;
  const read = (): ScenarioDocument => {
    document ??= readFile(file);
    return document;
  };
  return {
    name: nameOf(file),
    file,
    get value() {
      return read().value;
    },
    get mistakes() {
      return read().mistakes;
    },
    get locate() {
      return read().locate;
    },
  };
};

const readFile = (file: string): ScenarioDocument => {
  try {
    // Reading a named pipe or a device may never end.
    if (statOf(file)?.isFile() === false) throw new Error('it is not a regular file.');
    const bytes = readFileSync(file);
    if (!isUtf8(bytes)) throw new Error('it is not valid UTF-8. Save it in that encoding.');
    return readDocument(nameOf(file), file, bytes.toString('utf8'));
  } catch (error) {
    throw new Error(`Failed to read the scenario file "${file}": ${messageOf(error)}`);
  }
};

const byName = (documents: readonly ScenarioDocument[]): Record<string, ScenarioDocument> =>
  Object.fromEntries(documents.map((document) => [document.name, document]));
