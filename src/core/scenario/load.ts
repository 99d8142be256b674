import { checked } from 'virtual:shipped';
import { checkValue } from '../util/check-value.ts';
import { restoreFields, takeFields, withKeepHint } from '../util/extra-fields.ts';
import { isDeeperThan, toNumbers } from '../util/json.ts';
import { limits } from '../util/limits.ts';
import { isMapping, mapValues, ownValue } from '../util/mapping.ts';
import type { ValidationError } from '../util/validation-error.ts';
import { findChain, inReadingOrder, merge, placeInChain } from './extend.ts';
import { findExtraFields, findFurtherErrors, findTooMany, findUnknownOperations } from './further-errors.ts';
import { inlinePrompts } from './inline.ts';
import { findScenario, type Library, type ScenarioDocument, shippedLibrary } from './library.ts';
import { maxNesting, tooDeep } from './nesting.ts';
import { ScenarioError } from './scenario-error.ts';
import { type CompleteScenario, scenarioSchema } from './scenario-schema.ts';
import type { Scenario } from './scenario-types.ts';

export interface LoadedScenario {
  readonly name: string;
  readonly scenario: CompleteScenario;
  /** The scenario ships with the package: users get no warnings about it. */
  readonly isShipped?: true;
}

/** The scenarios that each library has loaded: with another library, a document may extend another parent. */
const loadedByLibrary = new WeakMap<Library, WeakMap<ScenarioDocument, LoadedScenario>>();

/**
 * Loads a scenario by its name, or checks a scenario object.
 *
 * @param operations the ids that its faults may name. Default: any name, since a gateway with own calls may load it later
 * @throws ScenarioError with the first 100 errors; Error if no scenario has this name
 */
export const loadScenario = (
  scenario: string | Scenario,
  library: Library = shippedLibrary,
  operations?: readonly string[],
): LoadedScenario =>
  loadDocument(
    typeof scenario === 'string' ? findScenario(scenario, library) : { name: 'inline', value: scenario },
    library,
    operations,
  );

/** Checks a document, with the documents that it extends and the fixtures that it uses. @throws ScenarioError */
export const loadDocument = (
  document: ScenarioDocument,
  library: Library,
  operations?: readonly string[],
): LoadedScenario => {
  const cache = loadedByLibrary.get(library) ?? new WeakMap<ScenarioDocument, LoadedScenario>();
  loadedByLibrary.set(library, cache);
  const cached = cache.get(document) ?? findChecked(document, library);
  // Another gateway may have loaded it, with other own calls.
  if (cached !== undefined && findUnknownOperations(cached.scenario, operations).next().done) {
    cache.set(document, cached);
    return cached;
  }
  const errors: ValidationError[] = [];
  const chain = findChain(document, library, errors);
  const scenario = check(chain, library, operations, errors);
  if (scenario === undefined) {
    const first = errors.slice(0, limits.errors + 1);
    const placed = first.map((error) => placeInChain(chain, library, error));
    throw new ScenarioError(`"${document.name}"`, inReadingOrder(placed, document.file));
  }
  const loaded = {
    name: document.name,
    scenario: structuredClone(scenario), // the user may change the object later
    ...(isShippedIn(library, chain) && { isShipped: true as const }),
  };
  cache.set(document, loaded);
  return loaded;
};

/** Whether a library with a user's files replaces nothing of what a shipped scenario consists of. */
const isShippedIn = ({ prompts }: Library, chain: readonly ScenarioDocument[]): boolean =>
  chain.every((document) => document === shippedLibrary.scenarios[document.name]) &&
  Object.entries(shippedLibrary.prompts).every(([name, prompt]) => prompts[name] === prompt);

/** Returns the complete scenario; undefined if there are validation errors, which it adds to `errors`. */
const check = (
  chain: readonly ScenarioDocument[],
  library: Library,
  operations: readonly string[] | undefined,
  errors: ValidationError[],
): CompleteScenario | undefined => {
  if (chain.some((document) => document.errors !== undefined)) return undefined; // its text could not be parsed
  if (chain.some(({ value }) => isDeeperThan(Object(value), maxNesting))) {
    errors.push({ path: [], message: tooDeep }); // the checks below are recursive
    return undefined;
  }
  const merged = chain.reduceRight<unknown>((parent, { value }) => merge(parent, value), undefined);
  const tooMany = findTooMany(merged);
  errors.push(...tooMany);
  if (tooMany.length > 0) return undefined;
  const inlined = withNumbers(inlinePrompts(merged, library, errors));
  const keepsExtra = Object(Object(inlined).assumptions)['extra-fields'] === 'kept';
  const extraPaths = keepsExtra ? Array.from(findExtraFields(inlined), ({ path }) => path) : [];
  const { rest, extra } = takeFields(inlined, extraPaths);
  const { data, errors: schemaErrors } = checkValue(scenarioSchema, rest);
  restoreFields(data, extra);
  for (const error of schemaErrors)
    errors.push(
      isInRecord(error.path.slice(0, -1)) ? { ...error, message: withKeepHint(error.message) } : error,
    );
  for (const error of findFurtherErrors(inlined, operations))
    if (errors.length <= limits.errors) errors.push(error);
  if (errors.length > 0 || data === undefined) return undefined;
  const { extends: _extends, $schema: _schema, ...scenario } = data;
  return scenario;
};

/** Whether a path leads to a record, or to a part of it. */
const isInRecord = ([section, ...rest]: readonly PropertyKey[]): boolean => {
  const at = rest.indexOf('records');
  return section !== 'prompts' && at >= 0 && at <= 1 && rest.length >= at + 2;
};

/** Prompts keep integers beyond 2^53 as bigints; in the other parts of a scenario they become numbers. */
const withNumbers = (value: unknown): unknown =>
  isMapping(value)
    ? mapValues(value, (inner, part) => (part === 'prompts' ? inner : toNumbers(inner)))
    : value;

/**
 * A shipped scenario, which was checked at build time; undefined for other scenarios. In a library with a user's files, it is
 * checked again: they may replace a scenario that it extends.
 */
const findChecked = (document: ScenarioDocument, library: Library): LoadedScenario | undefined => {
  const text = library === shippedLibrary ? ownValue(checked, document.name) : undefined;
  if (text === undefined || document !== shippedLibrary.scenarios[document.name]) return undefined;
  // The build wrote a checked scenario.
  const scenario = JSON.parse(text) as CompleteScenario;
  return { name: document.name, scenario, isShipped: true };
};
