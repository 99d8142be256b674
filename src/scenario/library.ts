import {
  prompts as shippedPrompts,
  responses as shippedResponses,
  scenarios as shippedScenarios,
} from 'virtual:shipped';
import type { Mapping } from '../util/mapping.ts';
import { didYouMean } from '../util/nearest.ts';
import { isScenarioPath } from './path.ts';
import type { ScenarioMistake } from './scenario-error.ts';
import type { ShippedScenario } from './shipped-names.ts';

type Path = readonly PropertyKey[];

/** One scenario as it was written, before anything of it is checked. */
export interface ScenarioDocument {
  readonly name: string;
  readonly value: unknown;
  /** The file that it was read from. */
  readonly file?: string;
  /** What is wrong with its text, so that there is no value. */
  readonly mistakes?: readonly ScenarioMistake[] | undefined;
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

const toDocuments = (values: Mapping): Record<string, ScenarioDocument> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { name, value }]));

/** What ships with the package. */
export const shippedLibrary: Library = {
  scenarios: toDocuments(shippedScenarios),
  prompts: toDocuments(shippedPrompts),
  responses: toDocuments(shippedResponses),
};

/** The names of the scenarios that ship with the package. */
export const scenarioNames = (): ShippedScenario[] =>
  Object.keys(shippedLibrary.scenarios) as ShippedScenario[]; // both are made of the same files

/** The scenario of this name, as it was written. @throws Error that tells the nearest name */
export const findScenario = (name: string, { scenarios }: Library): ScenarioDocument => {
  if (Object.hasOwn(scenarios, name)) return scenarios[name] as ScenarioDocument; // it is its own
  const names = Object.keys(scenarios);
  const why = isScenarioPath(name)
    ? 'a file is read by readScenario() of gateway-mock/node, or served by startServer()'
    : `there is none of that name.${didYouMean(name, names)} There are: ${names.join(', ')}`;
  throw new Error(`Failed to load the scenario "${name}": ${why}.`);
};
