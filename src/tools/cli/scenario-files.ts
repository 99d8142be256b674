// `gateway-mock scenarios` and `gateway-mock validate`.

import { idsOf } from '../../core/operations/operation.ts';
import { type Library, shippedLibrary } from '../../core/scenario/library.ts';
import { loadScenario } from '../../core/scenario/load.ts';
import { ScenarioError } from '../../core/scenario/scenario-error.ts';
import { countOf } from '../../core/util/count-of.ts';
import { messageOf } from '../../core/util/message-of.ts';
import { describeError } from '../../core/util/validation-error.ts';
import type { GatewayParts } from '../../service/gateway/gateway-parts.ts';
import { toPromptLine } from './prompt-line.ts';
import { fail, type Print } from './usage-error.ts';

export const listScenarios = async (paths: readonly string[], print: Print): Promise<void> => {
  const library = await openLibrary(paths).catch((error: unknown) => fail(messageOf(error)));
  const names = Object.keys(library.scenarios);
  const width = Math.max(...names.map(({ length }) => length));
  for (const name of names) print(`${name.padEnd(width)}  ${describe(name, library)}`);
};

const openLibrary = async (paths: readonly string[]): Promise<Library> =>
  paths.length === 0 ? shippedLibrary : (await import('../../core/scenario/folder.ts')).readLibrary(paths);

const describe = (name: string, library: Library): string => {
  try {
    return loadScenario(name, library).scenario.description ?? '';
  } catch {
    return '(invalid: see gateway-mock validate)';
  }
};

/**
 * Checks all scenarios of these files. Prints a line for each error, warning and valid prompt, and resolves with the exit code.
 *
 * @param served the operations that their faults may name, and the kinds of records
 */
export const validate = async (
  files: readonly string[],
  { operations, kinds }: GatewayParts,
  print: Print,
) => {
  const { documents, library } = await openDocuments(files).catch((error: unknown) => fail(messageOf(error)));
  const { describePrompts, findWarnings } = await import('../conformance/warnings.ts');
  // Sets, since each file that extends a file finds its errors again.
  const [errors, warnings, prompts] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const document of documents)
    try {
      for (const [id, info] of describePrompts(document, library, idsOf(operations)))
        prompts.add(`${document.file ?? document.name}: prompt ${toPromptLine(id, info)}`);
      for (const { message, ...place } of findWarnings(document, library, idsOf(operations), kinds))
        warnings.add(describeError({ ...place, message: `warning: ${message}` }));
    } catch (error) {
      const found = error instanceof ScenarioError ? error.errors.map(describeError) : [messageOf(error)];
      for (const line of found) errors.add(line);
    }
  for (const line of [...prompts, ...errors, ...warnings]) print(line);
  const further = warnings.size > 0 ? `, ${countOf(warnings.size, 'warning')}` : '';
  print(`${documents.length} checked, ${countOf(errors.size, 'error')}${further}`);
  return errors.size === 0 ? 0 : 1;
};

/** The scenarios of these files, with the library to which they may refer. */
const openDocuments = async (files: readonly string[]) => {
  const usage = 'Usage: gateway-mock validate FILES… (files or folders of scenarios)';
  if (files.length === 0) throw new Error(`the files are missing. ${usage}`);
  const { filesOf, readDocuments } = await import('../../core/scenario/folder.ts');
  const empty = files.filter((path) => filesOf(path).length === 0);
  if (empty.length > 0) throw new Error(`no scenario files found in ${empty.join(', ')}. ${usage}`);
  return readDocuments(files);
};
