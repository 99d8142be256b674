import { isMapping, ownValue } from '../util/mapping.ts';
import type { Library, ScenarioDocument } from './library.ts';
import { describeMistake, type ScenarioMistake } from './scenario-error.ts';

/** Sorts mistakes by file and position, those of the scenario's own file first, and removes duplicates. */
export const inReadingOrder = (
  mistakes: readonly ScenarioMistake[],
  own: string | undefined,
): ScenarioMistake[] =>
  [...new Map(mistakes.map((mistake) => [describeMistake(mistake), mistake])).values()].toSorted(
    (a, b) =>
      Number(a.file !== own) - Number(b.file !== own) ||
      (a.file ?? '').localeCompare(b.file ?? '') ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );

/** Adds the file and position of a mistake in a document. */
export const placeIn = ({ file, locate }: ScenarioDocument, mistake: ScenarioMistake): ScenarioMistake =>
  file === undefined ? mistake : { file, ...locate?.(mistake.path), ...mistake };

/** Adds the file and position of a mistake: in the scenario's own file, in one that it extends, or in a fixture. */
export const placeInChain = (
  chain: readonly ScenarioDocument[],
  library: Library,
  mistake: ScenarioMistake,
): ScenarioMistake => {
  if (mistake.file !== undefined) return mistake;
  const [writer, stored] = findWriter(chain, mistake.path);
  const fixture = typeof stored === 'string' ? ownValue(library.prompts, stored) : undefined;
  return fixture === undefined
    ? placeIn(writer, mistake)
    : placeIn(fixture, { ...mistake, path: mistake.path.slice(2) });
};

/** The document that sets the value at a path; and the value of the prompt, if the path leads into one. */
const findWriter = (
  chain: readonly ScenarioDocument[],
  path: ScenarioMistake['path'],
): readonly [ScenarioDocument, stored: unknown] => {
  let writers = chain.map((document) => ({ document, value: document.value }));
  let stored: unknown;
  for (const [depth, key] of path.entries()) {
    // Only mappings merge: any other value has replaced the parent's.
    if (!isMapping(writers[0]?.value)) break;
    const deeper = writers.flatMap(({ document, value }) =>
      isMapping(value) && Object.hasOwn(value, key) ? [{ document, value: value[String(key)] }] : [],
    );
    if (deeper.length === 0) break;
    writers = deeper;
    if (depth === 1 && path[0] === 'prompts') stored = writers[0]?.value;
  }
  return [writers[0]?.document as ScenarioDocument, stored]; // a chain is never empty
};
