import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../util/message-of.ts';
import { once } from '../util/once.ts';
import { isJson, readDocument, toFileText } from './file.ts';
import { type Library, type ScenarioDocument, shippedLibrary } from './library.ts';
import { loadDocument } from './load.ts';
import { folderOf, isScenarioFile, nameOf } from './path.ts';
import type { Scenario } from './scenario-types.ts';
import { schemaComment } from './schema-comment.ts';

/**
 * The scenarios of the package, together with those of files and folders. A folder may have prompts in
 * `fixtures/prompts/`, which its scenarios use by name.
 *
 * @throws Error that names all paths that do not exist
 */
export const readLibrary = (paths: readonly string[]): Library => {
  const missing = paths.filter((path) => statOf(path) === undefined);
  const named = missing.map((path) => `there is no ${fileOrFolder(path)} "${path}"`).join(', and ');
  if (missing.length > 0) throw new Error(`Failed to read the scenarios: ${named}.`);
  return openLibrary(paths);
};

/** What a missing path would be, judged by its name. */
const fileOrFolder = (path: string): string => (isScenarioFile(path) ? 'file' : 'folder');

const openLibrary = (paths: readonly string[]): Library => {
  const open = (files: readonly string[]) =>
    Object.fromEntries(files.map((file) => [nameOf(file), readLater(file)]));
  const promptsOf = (path: string) => listFiles(join(path, 'fixtures/prompts'));
  return {
    scenarios: { ...shippedLibrary.scenarios, ...open(paths.flatMap(filesOf)) },
    prompts: { ...shippedLibrary.prompts, ...open(paths.flatMap(promptsOf)) },
  };
};

/** The scenarios of files and folders, with a library that includes the other files in their folders. */
export const readDocuments = (
  paths: readonly string[],
): { readonly documents: readonly ScenarioDocument[]; readonly library: Library } => {
  const library = openLibrary([...paths.filter((path) => !isFolder(path)).map(folderOf), ...paths]);
  const documents = paths.flatMap(filesOf).map((file) => {
    const document = library.scenarios[nameOf(file)];
    return document?.file === file ? document : readLater(file); // there may be another file of this name
  });
  return { documents, library };
};

/** See `readScenario` of `gateway-mock/node`. */
export const readScenario = (file: string): Scenario => {
  if (isFolder(file))
    throw new Error(`Failed to read the scenario "${file}": it is a folder. Give the path of a file in it.`);
  const library = readLibrary([folderOf(file), file]);
  return structuredClone(
    loadDocument(library.scenarios[nameOf(file)] as ScenarioDocument, library).scenario,
  ) as Scenario; // it was just read into the library
};

/** See `writeScenario` of `gateway-mock/node`. */
export const writeScenario = (file: string, scenario: Scenario): Promise<void> =>
  replaceFile(file, (isJson(file) ? '' : schemaComment(file)) + toFileText(file, scenario));

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

/** The scenario files of a path: those of a folder, or the file itself. */
export const filesOf = (path: string): string[] => (isFolder(path) ? listFiles(path) : [path]);

/** The scenario files of a folder, in order; none if there is no such folder. */
export const listFiles = (folder: string): string[] =>
  isFolder(folder)
    ? readdirSync(folder)
        .filter(isScenarioFile)
        .sort()
        .map((file) => join(folder, file))
        .filter((file) => statOf(file)?.isFile()) // skips links that lead nowhere: editors lock files with such links
    : [];

/** Explains a scenario that is the path of a folder, or the bare name of a file nearby; undefined otherwise. */
export const explainScenario = (scenario: string): string | undefined => {
  if (isFolder(scenario))
    return `it is a folder. Serve its scenarios by --scenarios ${scenario}, and choose a scenario by --scenario NAME`;
  const file = ['.', 'scenarios'].flatMap(listFiles).find((path) => nameOf(path) === scenario);
  return file && `no such scenario. To load a file, give its path: --scenario ${file}`;
};

const isFolder = (path: string): boolean => statOf(path)?.isDirectory() ?? false;

/** Undefined if the path does not exist, or is a link that leads nowhere or in a circle. */
export const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
};

/** A document whose file is read when it is first needed, since a folder may have many large files. */
const readLater = (file: string): ScenarioDocument => {
  const read = once(() => readFile(file));
  return {
    name: nameOf(file),
    file,
    get value() {
      return read().value;
    },
    get errors() {
      return read().errors;
    },
    get locate() {
      return read().locate;
    },
  };
};

const readFile = (file: string): ScenarioDocument => {
  const [name, stat] = [nameOf(file), statOf(file)];
  const refuse = (message: string) => ({ name, file, value: undefined, errors: [{ path: [], message }] });
  if (stat === undefined) return refuse(`there is no such ${fileOrFolder(file)}`);
  // Reading a named pipe or a device may never end.
  if (!stat.isFile()) return refuse('it is not a regular file');
  try {
    const bytes = readFileSync(file);
    return isUtf8(bytes)
      ? readDocument(name, file, bytes.toString('utf8'))
      : refuse('it is not valid UTF-8: save it in that encoding');
  } catch (error) {
    return refuse(`it cannot be read: ${messageOf(error)}`);
  }
};
