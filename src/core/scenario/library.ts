import { prompts as shippedPrompts, scenarios as shippedScenarios } from 'virtual:shipped';
import type { Mapping } from '../util/mapping.ts';
import { didYouMean } from '../util/nearest.ts';
import type { ValidationError } from '../util/validation-error.ts';
import { isScenarioPath } from './path.ts';
import type { ShippedScenario } from './shipped-names.ts';

type Path = readonly PropertyKey[];

/** A scenario or fixture as it was written, before it is checked. */
export interface ScenarioDocument {
  readonly name: string;
  readonly value: unknown;
  /** The file that it was read from. */
  readonly file?: string;
  /** The errors of its text. A document with errors has no value. */
  readonly errors?: readonly ValidationError[] | undefined;
  /** Returns the position of a path in the file; or of a place in the text at that path. */
  readonly locate?:
    | ((path: Path, at?: number) => { readonly line: number; readonly column: number })
    | undefined;
}

/** The scenarios and fixtures that can be used by name. */
export interface Library {
  readonly scenarios: Readonly<Record<string, ScenarioDocument>>;
  readonly prompts: Readonly<Record<string, ScenarioDocument>>;
}

const toDocuments = (values: Mapping): Record<string, ScenarioDocument> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { name, value }]));

export const shippedLibrary: Library = {
  scenarios: toDocuments(shippedScenarios),
  prompts: toDocuments(shippedPrompts),
};

/** The names of the scenarios that ship with the package. */
export const scenarioNames = (): ShippedScenario[] =>
  Object.keys(shippedLibrary.scenarios) as ShippedScenario[]; // both are generated from the same files

/** Finds a scenario by its name. @throws Error with the nearest name if it does not exist */
export const findScenario = (name: string, { scenarios }: Library): ScenarioDocument => {
  if (Object.hasOwn(scenarios, name)) return scenarios[name] as ScenarioDocument; // checked by hasOwn
  const names = Object.keys(scenarios);
  const why = isScenarioPath(name)
    ? 'files are read by readScenario() of gateway-mock/node, or served by startServer()'
    : `no such scenario.${didYouMean(name, names)} Known scenarios: ${names.join(', ')}`;
  throw new Error(`Failed to load the scenario "${name}": ${why}.`);
};
