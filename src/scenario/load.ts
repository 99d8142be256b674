import {
  checked,
  prompts as shippedPrompts,
  responses as shippedResponses,
  scenarios as shippedScenarios,
} from 'virtual:shipped';
import { parseRule, withFixture } from '../faults/rule.ts';
import { faultLine } from '../faults/schema.ts';
import { messageOf } from '../protocol/message-of.ts';
import { didYouMean } from '../protocol/nearest.ts';
import { findReservedKeys, reservedKeyRule } from '../protocol/reserved-keys.ts';
import { checkValue } from './mistakes.ts';
import { isScenarioPath } from './path.ts';
import { inReadingOrder, isMapping, type Mapping, ownOf, placeIn, placeInChain } from './places.ts';
import { describeMistake, type Mistake, ScenarioError } from './scenario-error.ts';
import { kinds, operations, type Scenario, scenarioSchema, type WholeScenario } from './schema.ts';

type Path = readonly PropertyKey[];

/** One scenario as it was written, before anything of it is checked. */
export interface ScenarioDocument {
  readonly name: string;
  readonly value: unknown;
  /** The file that it was read from. */
  readonly file?: string;
  /** What is wrong with its text, so that there is no value. */
  readonly mistakes?: readonly Mistake[] | undefined;
  /** Where a path of the value stands in the file. */
  readonly locate?: ((path: Path) => { readonly line: number; readonly column: number }) | undefined;
}

/** What scenarios may refer to by name. */
export interface Library {
  readonly scenarios: Readonly<Record<string, ScenarioDocument>>;
  readonly prompts: Readonly<Record<string, ScenarioDocument>>;
  /** The bodies that faults answer with. */
  readonly responses: Readonly<Record<string, ScenarioDocument>>;
}

/** A scenario that was checked, and the name to show for it. */
export interface LoadedScenario {
  readonly name: string;
  readonly whole: WholeScenario;
}

const toDocuments = (values: Mapping): Record<string, ScenarioDocument> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { name, value }]));

/** What ships with the package. */
export const shippedLibrary: Library = {
  scenarios: toDocuments(shippedScenarios),
  prompts: toDocuments(shippedPrompts),
  responses: toDocuments(shippedResponses),
};

/** The names of the scenarios that ship with the package. */
export const scenarioNames = (): string[] => Object.keys(shippedLibrary.scenarios);

/** The scenario of this name, as it was written. @throws Error that tells the nearest name */
const findScenario = (name: string, { scenarios }: Library): ScenarioDocument => {
  if (Object.hasOwn(scenarios, name)) return scenarios[name] as ScenarioDocument; // it is its own
  const names = Object.keys(scenarios);
  const why = isScenarioPath(name)
    ? 'a file is read by readScenario() of gateway-mock/node, or served by startServer()'
    : `there is none of that name.${didYouMean(name, names)} There are: ${names.join(', ')}`;
  throw new Error(`Failed to load the scenario "${name}": ${why}.`);
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
  const known = loadedBefore.get(document) ?? findChecked(document, library);
  if (known !== undefined) return known;
  const mistakes: Mistake[] = [];
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
  const inlined = inlineResponses(inlinePrompts(merged, library, mistakes), library, mistakes);
  const checked = checkValue(scenarioSchema, inlined);
  mistakes.push(...checked.mistakes, ...findFurtherMistakes(inlined));
  throwAny();
  // Without a mistake there is a value.
  const { extends: _extends, $schema: _schema, ...whole } = checked.data as WholeScenario;
  const loaded = { name: document.name, whole: deepFreeze(structuredClone(whole)) };
  loadedBefore.set(document, loaded);
  return loaded;
};

/** A shipped scenario, whole, from the build. With files of the user's, it may refer to one of those. */
const findChecked = (document: ScenarioDocument, library: Library): LoadedScenario | undefined => {
  const text = library === shippedLibrary ? ownOf(checked, document.name) : undefined;
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

/** The document, the one that it extends, and so on. */
const findChain = (document: ScenarioDocument, library: Library, mistakes: Mistake[]): ScenarioDocument[] => {
  const chain: ScenarioDocument[] = [];
  for (
    let next: ScenarioDocument | undefined = document;
    next !== undefined;
    next = findParent(next, library, mistakes)
  ) {
    const current = next;
    if (chain.includes(current)) {
      const names = [...chain, current].map(({ name }) => name);
      mistakes.push({ path: ['extends'], message: `it extends itself: ${names.join(' > ')}` });
      break;
    }
    chain.push(current);
    mistakes.push(...(current.mistakes ?? []).map((mistake) => placeIn(current, mistake)));
  }
  return chain;
};

const findParent = (
  document: ScenarioDocument,
  { scenarios }: Library,
  mistakes: Mistake[],
): ScenarioDocument | undefined => {
  const name = isMapping(document.value) ? document.value.extends : undefined;
  if (typeof name !== 'string') return undefined;
  const parent = ownOf(scenarios, name);
  if (parent === undefined)
    mistakes.push(
      placeIn(document, {
        path: ['extends'],
        message: `there is no scenario "${name}".${didYouMeanOrAll(name, scenarios)}`,
      }),
    );
  return parent;
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
const inlinePrompts = (value: unknown, { prompts }: Library, mistakes: Mistake[]): unknown => {
  if (!isMapping(value) || !isMapping(value.prompts)) return value;
  const inlined = Object.entries(value.prompts).flatMap(([id, stored]) => {
    if (typeof stored !== 'string') return [[id, stored] as const];
    const fixture = ownOf(prompts, stored);
    if (fixture === undefined)
      mistakes.push({
        path: ['prompts', id],
        message: `there is no fixture "${stored}".${didYouMeanOrAll(stored, prompts)} Those of your own are files of fixtures/prompts/ beside the scenario's, named without their ending`,
      });
    else mistakes.push(...(fixture.mistakes ?? []).map((mistake) => placeIn(fixture, mistake)));
    return fixture === undefined || fixture.mistakes ? [] : [[id, fixture.value] as const];
  });
  return { ...value, prompts: Object.fromEntries(inlined) };
};

/** Faults that answer with a fixture, as if its body were written out. */
const inlineResponses = (value: unknown, library: Library, mistakes: Mistake[]): unknown => {
  if (!isMapping(value) || !Array.isArray(value.faults)) return value;
  const faults = value.faults.map((given: unknown, index) => {
    const line = faultLine(given);
    if (typeof line !== 'string' || !line.includes('fixture=')) return given;
    try {
      return inlineResponse(line, library);
    } catch (error) {
      mistakes.push({
        path: ['faults', index],
        message: messageOf(error),
      });
      return '*#1: reset'; // it is told of already
    }
  });
  return { ...value, faults };
};

/**
 * The line of a fault with the body of the fixture that it names, if any.
 *
 * @throws Error where the line is no fault, or there is no such fixture
 */
export const inlineResponse = (line: string, { responses }: Library): string => {
  if (typeof line !== 'string' || !line.includes('fixture=')) return line; // what is no line is told of where it is read
  const find = (name: string): unknown => {
    const fixture = ownOf(responses, name);
    if (fixture === undefined || fixture.mistakes)
      throw new Error(
        fixture
          ? `the fixture "${name}" has mistakes: ${fixture.mistakes?.map(describeMistake).join('; ')}`
          : `there is no fixture "${name}".${didYouMeanOrAll(name, responses)} Those of your own are files of fixtures/responses/ beside the scenario's, named without their ending`,
      );
    return fixture.value;
  };
  return withFixture(parseRule(line), find).line;
};

/** Asks whether the nearest was meant; where none is near, tells them all. */
const didYouMeanOrAll = (name: string, documents: Readonly<Record<string, unknown>>): string => {
  const names = Object.keys(documents);
  return didYouMean(name, names) || ` There are: ${names.join(', ')}.`;
};

/** What no schema of a single value can see; of what has another type than it should, the schema tells. */
const findFurtherMistakes = (value: unknown): Mistake[] => [
  ...findReservedKeys(value).map((path) => ({ path, message: reservedKeyRule })),
  ...findUnknownOperations(value),
  ...kinds.flatMap(({ owner, section }) =>
    owner === undefined ? [] : findForeignRecords(value, section.name, owner.field),
  ),
];

const findUnknownOperations = (value: unknown): Mistake[] => {
  const names: string[] = operations.map(({ id }) => id);
  return Object.entries(mappingIn(mappingIn(value, 'keys'), 'limited')).flatMap(([key, served]) =>
    (Array.isArray(served) ? served : []).flatMap((id: unknown, index) =>
      typeof id !== 'string' || names.includes(id)
        ? []
        : {
            path: ['keys', 'limited', key, index],
            message: `there is no operation "${id}".${didYouMean(id, names)} There are: ${names.join(', ')}`,
          },
    ),
  );
};

/** A record that stands under one owner and names another, or that stands under two. */
const findForeignRecords = (value: unknown, section: string, field: string): Mistake[] => {
  const ownerOf = new Map<unknown, string>();
  return Object.entries(mappingIn(value, section)).flatMap(([owner, part]) =>
    recordsIn(part).flatMap(({ id, [field]: named }, index) => {
      const path = [section, owner, 'records', index];
      const other = ownerOf.get(id) ?? owner;
      if (id !== undefined) ownerOf.set(id, other);
      if (other !== owner)
        return [{ path: [...path, 'id'], message: `"${id}" stands under "${other}" already` }];
      return typeof named === 'string' && named !== owner
        ? [{ path: [...path, field], message: `it names "${named}", but the record stands under "${owner}"` }]
        : [];
    }),
  );
};

const recordsIn = (part: unknown): Mapping[] => {
  const records: unknown = isMapping(part) ? part.records : undefined;
  // What is no mapping is told of by the schema; here it keeps the place of the others.
  return Array.isArray(records) ? records.map((record: unknown) => (isMapping(record) ? record : {})) : [];
};

const mappingIn = (value: unknown, key: string): Mapping => {
  const inner = isMapping(value) ? value[key] : undefined;
  return isMapping(inner) ? inner : {};
};

const deepFreeze = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
};
