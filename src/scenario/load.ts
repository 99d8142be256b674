import { checked } from 'virtual:shipped';
import { toNumbers } from '../util/json.ts';
import { isMapping, ownValue } from '../util/mapping.ts';
import { findChain, merge } from './extend.ts';
import { findFurtherMistakes } from './further-mistakes.ts';
import { inlinePrompts, inlineResponses } from './inline.ts';
import { findScenario, type Library, type ScenarioDocument, shippedLibrary } from './library.ts';
import { checkValue } from './mistakes.ts';
import { inReadingOrder, placeInChain } from './places.ts';
import { ScenarioError, type ScenarioMistake } from './scenario-error.ts';
import { type Scenario, scenarioSchema, type WholeScenario } from './schema.ts';

/** A scenario that was checked, and the name to show for it. */
export interface LoadedScenario {
  readonly name: string;
  readonly whole: WholeScenario;
}

const loadedBefore = new WeakMap<ScenarioDocument, LoadedScenario>();

/**
 * Loads a scenario by its name, or checks one that is given as an object.
 *
 * @throws ScenarioError with every mistake; Error where there is none of that name
 */
export const loadScenario = (given: string | Scenario, library: Library = shippedLibrary): LoadedScenario =>
  loadDocument(
    typeof given === 'string' ? findScenario(given, library) : { name: 'inline', value: given },
    library,
  );

/** Checks a document, with all that it extends and refers to. @throws ScenarioError */
export const loadDocument = (document: ScenarioDocument, library: Library): LoadedScenario => {
  const known = loadedBefore.get(document) ?? findChecked(document, library);
  if (known !== undefined) return known;
  const mistakes: ScenarioMistake[] = [];
  const chain = findChain(document, library, mistakes);
  const throwAny = (): void => {
    if (mistakes.length > 0)
      throw new ScenarioError(
        `"${document.name}"`,
        inReadingOrder(
          mistakes.map((mistake) => placeInChain(chain, library, mistake)),
          document.file,
        ),
      );
  };
  throwIfUnreadable(chain, throwAny);
  const merged = chain.reduceRight<unknown>((parent, { value }) => merge(parent, value), undefined);
  const inlined = withNumbers(inlineResponses(inlinePrompts(merged, library, mistakes), library, mistakes));
  const checked = checkValue(scenarioSchema, inlined);
  mistakes.push(...checked.mistakes, ...findFurtherMistakes(inlined));
  throwAny();
  // Without a mistake there is a value.
  const { extends: _extends, $schema: _schema, ...whole } = checked.data as WholeScenario;
  const loaded = { name: document.name, whole: deepFreeze(structuredClone(whole)) };
  loadedBefore.set(document, loaded);
  return loaded;
};

/** Prompts keep the digits of integers beyond 2^53; the other parts of a scenario hold plain numbers. */
const withNumbers = (value: unknown): unknown =>
  isMapping(value)
    ? Object.fromEntries(
        Object.entries(value).map(([part, inner]) => [part, part === 'prompts' ? inner : toNumbers(inner)]),
      )
    : value;

/** A shipped scenario, whole, from the build. With files of the user's, it may refer to one of those. */
const findChecked = (document: ScenarioDocument, library: Library): LoadedScenario | undefined => {
  const text = library === shippedLibrary ? ownValue(checked, document.name) : undefined;
  if (text === undefined || document !== shippedLibrary.scenarios[document.name]) return undefined;
  // It was a whole scenario before it became a text.
  const loaded = { name: document.name, whole: deepFreeze(JSON.parse(text) as WholeScenario) };
  loadedBefore.set(document, loaded);
  return loaded;
};

/** Where a text has no value, what stands in the others would be judged without it. */
const throwIfUnreadable = (chain: readonly ScenarioDocument[], throwAny: () => void): void => {
  if (chain.some(({ mistakes }) => mistakes !== undefined)) throwAny();
};

const deepFreeze = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
};
