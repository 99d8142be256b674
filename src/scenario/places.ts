import { isMapping, ownValue } from '../util/mapping.ts';
import type { Library, ScenarioDocument } from './library.ts';
import { describeMistake, type ScenarioMistake } from './scenario-error.ts';

/** Each mistake once: those of the file itself first, from top to bottom. */
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

export const placeIn = ({ file, locate }: ScenarioDocument, mistake: ScenarioMistake): ScenarioMistake =>
  file === undefined ? mistake : { file, ...locate?.(mistake.path), ...mistake };

/** In the file that wrote what is wrong: the scenario's own, one that it extends, or a fixture. */
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

/** The youngest document that writes a path; and what it says of the prompt, where the path leads into one. */
const findWriter = (
  chain: readonly ScenarioDocument[],
  path: ScenarioMistake['path'],
): readonly [ScenarioDocument, stored: unknown] => {
  let writers = chain.map((document) => ({ document, value: document.value }));
  let stored: unknown;
  for (const [depth, key] of path.entries()) {
    // Mappings merge; anything else has replaced what stood below it.
    if (!isMapping(writers[0]?.value)) break;
    const deeper = writers.flatMap(({ document, value }) =>
      isMapping(value) && Object.hasOwn(value, key) ? [{ document, value: value[String(key)] }] : [],
    );
    if (deeper.length === 0) break;
    writers = deeper;
    if (depth === 1 && path[0] === 'prompts') stored = writers[0]?.value;
  }
  return [writers[0]?.document as ScenarioDocument, stored]; // a chain is never empty, and neither is what is left of it
};
