import { prompts as shippedPrompts, scenarios as shippedScenarios } from 'virtual:shipped';
import { z } from 'zod';
import { nearest } from '../protocol/nearest.ts';
import { findMistakes, type Mistake, ScenarioError } from './mistakes.ts';
import { operations, type Scenario, scenarioSchema, type WholeScenario } from './schema.ts';

type Path = readonly PropertyKey[];
type Mapping = Readonly<Record<string, unknown>>;

/** One scenario as it was written, before anything of it is checked. */
export interface ScenarioDocument {
  readonly name: string;
  readonly value: unknown;
  /** The file that it was read from. */
  readonly file?: string;
  /** What is wrong with its text, so that there is no value. */
  readonly mistakes?: readonly Mistake[];
  /** Where a path of the value stands in the file. */
  readonly locate?: (path: Path) => { readonly line: number; readonly column: number };
}

/** What scenarios may refer to by name. */
export interface Library {
  readonly scenarios: Readonly<Record<string, ScenarioDocument>>;
  readonly prompts: Mapping;
}

/** A scenario that was checked, and the name to show for it. */
export interface LoadedScenario {
  readonly name: string;
  readonly whole: WholeScenario;
}

/** What ships with the package. */
export const shippedLibrary: Library = {
  scenarios: Object.fromEntries(
    Object.entries(shippedScenarios).map(([name, value]) => [name, { name, value }]),
  ),
  prompts: shippedPrompts,
};

/** The names of the scenarios that ship with the package. */
export const scenarioNames = (): string[] => Object.keys(shippedLibrary.scenarios);

/** The scenario of this name, as it was written. @throws Error that tells the nearest name */
export const findScenario = (name: string, { scenarios }: Library): ScenarioDocument => {
  if (Object.hasOwn(scenarios, name)) return scenarios[name] as ScenarioDocument; // it is its own
  const names = Object.keys(scenarios);
  throw new Error(
    `Failed to load the scenario "${name}": there is none of that name. Did you mean "${nearest(name, names)}"? There are: ${names.join(', ')}.`,
  );
};

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
  const known = loadedBefore.get(document);
  if (known !== undefined) return known;
  const mistakes: Mistake[] = [...(document.mistakes ?? [])];
  const throwAny = (): void => {
    if (mistakes.length > 0)
      throw new ScenarioError(
        `"${document.name}"`,
        mistakes.map((mistake) => placeIn(document, mistake)),
      );
  };
  throwAny();
  const merged = inlineFixtures(mergeAncestors(document, library, mistakes), library, mistakes);
  mistakes.push(...findMistakes(scenarioSchema, merged));
  throwAny();
  const { extends: _, ...whole } = scenarioSchema.parse(merged);
  mistakes.push(...findFurtherMistakes(whole));
  throwAny();
  const loaded = { name: document.name, whole: deepFreeze(whole) };
  loadedBefore.set(document, loaded);
  return loaded;
};

const placeIn = ({ file, locate }: ScenarioDocument, mistake: Mistake): Mistake =>
  file === undefined ? mistake : { file, ...locate?.(mistake.path), ...mistake };

const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The document over the one that it extends, and so on. */
const mergeAncestors = (document: ScenarioDocument, library: Library, mistakes: Mistake[]): unknown => {
  const chain: ScenarioDocument[] = [document];
  for (
    let next = parentOf(document, library, mistakes);
    next !== undefined;
    next = parentOf(next, library, mistakes)
  ) {
    const names = [...chain, next].map(({ name }) => name);
    if (chain.includes(next)) {
      mistakes.push({ path: ['extends'], message: `it extends itself: ${names.join(' > ')}` });
      break;
    }
    chain.unshift(next);
  }
  return chain.map(({ value }) => value).reduce((parent, child) => merge(parent, child));
};

const parentOf = (
  { value }: ScenarioDocument,
  { scenarios }: Library,
  mistakes: Mistake[],
): ScenarioDocument | undefined => {
  const name = isMapping(value) ? value.extends : undefined;
  if (typeof name !== 'string') return undefined;
  const parent = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined;
  if (parent?.mistakes !== undefined)
    mistakes.push(...parent.mistakes.map((mistake) => ({ file: parent.file ?? name, ...mistake })));
  if (parent !== undefined) return parent;
  mistakes.push({
    path: ['extends'],
    message: `there is no scenario "${name}". Did you mean "${nearest(name, Object.keys(scenarios))}"?`,
  });
  return undefined;
};

/** Mappings merge key by key, null takes a key away, anything else replaces. */
const merge = (parent: unknown, child: unknown): unknown => {
  if (!isMapping(parent) || !isMapping(child)) return child;
  const entries = new Map(Object.entries(parent));
  for (const [key, value] of Object.entries(child)) {
    if (value === null) entries.delete(key);
    else entries.set(key, merge(entries.get(key), value));
  }
  return Object.fromEntries(entries);
};

/** Prompts that are named by a fixture, as if they were written out. */
const inlineFixtures = (value: unknown, { prompts }: Library, mistakes: Mistake[]): unknown => {
  if (!isMapping(value) || !isMapping(value.prompts)) return value;
  const inlined = Object.entries(value.prompts).map(([id, stored]) => {
    if (typeof stored !== 'string') return [id, stored] as const;
    if (!Object.hasOwn(prompts, stored))
      mistakes.push({
        path: ['prompts', id],
        message: `there is no fixture "${stored}". Did you mean "${nearest(stored, Object.keys(prompts))}"?`,
      });
    return [id, prompts[stored]] as const;
  });
  return { ...value, prompts: Object.fromEntries(inlined.filter(([, stored]) => stored !== undefined)) };
};

/** What no schema of a single value can see. */
const findFurtherMistakes = (whole: WholeScenario): Mistake[] => {
  const names = operations.map(({ id }) => id);
  const unknownOperations = Object.entries(whole.keys.limited ?? {}).flatMap(([key, served]) =>
    served.flatMap((id, index) =>
      (names as string[]).includes(id)
        ? []
        : [
            {
              path: ['keys', 'limited', key, index],
              message: `there is no operation "${id}". Did you mean "${nearest(id, names)}"?`,
            },
          ],
    ),
  );
  return [
    ...unknownOperations,
    ...findForeignRecords(whole, 'threads', 'thread_id'),
    ...findForeignRecords(whole, 'jobs', 'fine_tuning_job_id'),
  ];
};

const owned = z.record(z.string(), z.object({ records: z.array(z.looseObject({})) }));

/** A record that stands under one owner and names another. */
const findForeignRecords = (whole: WholeScenario, section: 'threads' | 'jobs', field: string): Mistake[] =>
  Object.entries(owned.parse((whole as Mapping)[section])).flatMap(([owner, { records }]) =>
    records.flatMap((record, index) =>
      record[field] === undefined || record[field] === owner
        ? []
        : [{ path: [section, owner, 'records', index, field], message: `it stands under "${owner}"` }],
    ),
  );

const deepFreeze = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
};
