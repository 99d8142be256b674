// `gateway-mock scenarios` and `gateway-mock validate`.

import { type Library, shippedLibrary } from '../scenario/library.ts';
import { loadDocument, loadScenario } from '../scenario/load.ts';
import { describeMistake, ScenarioError } from '../scenario/scenario-error.ts';
import { messageOf } from '../util/message-of.ts';
import { fail, type Print } from './usage-error.ts';

const openLibrary = async (paths: readonly string[]): Promise<Library> =>
  paths.length === 0 ? shippedLibrary : (await import('../scenario/folder.ts')).readLibrary(paths);

/** The options of `scenarios`, as Commander parses them. */
export interface ScenariosFlags {
  readonly scenarios?: string[];
}

/** Prints the scenarios with their descriptions. */
export const listScenarios = async ({ scenarios = [] }: ScenariosFlags, print: Print): Promise<void> => {
  const library = await openLibrary(scenarios).catch((error: unknown) => fail(messageOf(error)));
  const names = Object.keys(library.scenarios);
  const width = Math.max(...names.map(({ length }) => length));
  for (const name of names) print(`${name.padEnd(width)}  ${describe(name, library)}`);
};

const describe = (name: string, library: Library): string => {
  try {
    return loadScenario(name, library).whole.description ?? '';
  } catch {
    return '(invalid: see gateway-mock validate)';
  }
};

/** The options of `validate`. */
export interface ValidateFlags {
  readonly shipped?: boolean;
}

const validateUsage =
  'Usage: gateway-mock validate FILES… (files or folders of scenarios), or gateway-mock validate --shipped';

/** The scenarios of the given files, or all shipped ones, with the library that they may refer to. */
const openDocuments = async (files: readonly string[], { shipped = false }: ValidateFlags) => {
  if (!shipped && files.length === 0) throw new Error(`the files are missing. ${validateUsage}`);
  if (shipped && files.length > 0) throw new Error(`give either files or --shipped. ${validateUsage}`);
  if (shipped) return { documents: Object.values(shippedLibrary.scenarios), library: shippedLibrary };
  const { filesOf, readDocuments } = await import('../scenario/folder.ts');
  const empty = files.filter((path) => filesOf(path).length === 0);
  if (empty.length > 0) throw new Error(`no scenario files found in ${empty.join(', ')}. ${validateUsage}`);
  return readDocuments(files);
};

/** Checks all scenarios of the given files and prints a line for each mistake. Resolves with the exit code. */
export const validate = async (
  files: readonly string[],
  flags: ValidateFlags,
  print: Print,
): Promise<number> => {
  const { documents, library } = await openDocuments(files, flags).catch((error: unknown) =>
    fail(messageOf(error)),
  );
  const reports = documents.flatMap((document) => {
    try {
      loadDocument(document, library);
      return [];
    } catch (error) {
      return error instanceof ScenarioError ? error.mistakes.map(describeMistake) : [messageOf(error)];
    }
  });
  const mistakes = [...new Set(reports)]; // a mistake in one file is found again by each file that extends it
  for (const mistake of mistakes) print(mistake);
  print(`${documents.length} checked, ${mistakes.length} ${mistakes.length === 1 ? 'mistake' : 'mistakes'}`);
  return mistakes.length === 0 ? 0 : 1;
};
