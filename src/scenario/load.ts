import { checked } from 'virtual:shipped';
import { isDeeperThan, toNumbers } from '../util/json.ts';
import { limits } from '../util/limits.ts';
import { isMapping, ownValue } from '../util/mapping.ts';
import { findChain, inReadingOrder, merge, placeInChain } from './extend.ts';
import { findFurtherMistakes, findTooMany } from './further-mistakes.ts';
import { inlinePrompts, inlineResponses } from './inline.ts';
import { findScenario, type Library, type ScenarioDocument, shippedLibrary } from './library.ts';
import { maxNesting, tooDeep } from './limits.ts';
import { checkValue } from './mistakes.ts';
import { ScenarioError, type ScenarioMistake } from './scenario-error.ts';
import { scenarioSchema, type WholeScenario } from './schema.ts';
import type { Scenario } from './types.ts';

/** A checked scenario, with its name. */
export interface LoadedScenario {
  readonly name: string;
  readonly whole: WholeScenario;
}

const loadedBefore = new WeakMap<ScenarioDocument, LoadedScenario>();

/**
 * Loads a scenario by its name, or checks a scenario object.
 *
 * @throws ScenarioError with the first 100 mistakes; Error if no scenario has this name
 */
export const loadScenario = (given: string | Scenario, library: Library = shippedLibrary): LoadedScenario =>
  loadDocument(
    typeof given === 'string' ? findScenario(given, library) : { name: 'inline', value: given },
    library,
  );

/** Checks a document, with the documents that it extends and the fixtures that it uses. @throws ScenarioError */
export const loadDocument = (document: ScenarioDocument, library: Library): LoadedScenario => {
  const known = loadedBefore.get(document) ?? findChecked(document, library);
  if (known !== undefined) return known;
  const mistakes: ScenarioMistake[] = [];
  const chain = findChain(document, library, mistakes);
  const whole = check(chain, library, mistakes);
  if (whole === undefined) {
    const first = mistakes.slice(0, limits.errors + 1);
    const placed = first.map((mistake) => placeInChain(chain, library, mistake));
    throw new ScenarioError(`"${document.name}"`, inReadingOrder(placed, document.file));
  }
  const loaded = { name: document.name, whole: deepFreeze(structuredClone(whole)) };
  loadedBefore.set(document, loaded);
  return loaded;
};

/** Undefined if there are validation errors, which it adds to the list. */
const check = (
  chain: readonly ScenarioDocument[],
  library: Library,
  mistakes: ScenarioMistake[],
): WholeScenario | undefined => {
  if (chain.some((document) => document.mistakes !== undefined)) return undefined; // it has no value
  if (chain.some(({ value }) => isDeeperThan(Object(value), maxNesting))) {
    mistakes.push({ path: [], message: tooDeep }); // the rest recurses
    return undefined;
  }
  const merged = chain.reduceRight<unknown>((parent, { value }) => merge(parent, value), undefined);
  const tooMany = findTooMany(merged);
  mistakes.push(...tooMany);
  if (tooMany.length > 0) return undefined;
  const inlined = withNumbers(inlineResponses(inlinePrompts(merged, library, mistakes), library, mistakes));
  const checked = checkValue(scenarioSchema, inlined);
  mistakes.push(...checked.mistakes);
  for (const mistake of findFurtherMistakes(inlined))
    if (mistakes.length <= limits.errors) mistakes.push(mistake);
  if (mistakes.length > 0 || checked.data === undefined) return undefined;
  const { extends: _extends, $schema: _schema, ...whole } = checked.data;
  return whole;
};

/** Prompts keep integers beyond 2^53 as bigints; in the other parts of a scenario they become numbers. */
const withNumbers = (value: unknown): unknown =>
  isMapping(value)
    ? Object.fromEntries(
        Object.entries(value).map(([part, inner]) => [part, part === 'prompts' ? inner : toNumbers(inner)]),
      )
    : value;

/** A shipped scenario that was checked at build time. Not used with a user's files, which may replace what it extends. */
const findChecked = (document: ScenarioDocument, library: Library): LoadedScenario | undefined => {
  const text = library === shippedLibrary ? ownValue(checked, document.name) : undefined;
  if (text === undefined || document !== shippedLibrary.scenarios[document.name]) return undefined;
  // The build wrote a checked scenario.
  const loaded = { name: document.name, whole: deepFreeze(JSON.parse(text) as WholeScenario) };
  loadedBefore.set(document, loaded);
  return loaded;
};

const deepFreeze = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
};
