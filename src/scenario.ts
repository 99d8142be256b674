import { prompts as promptFixtures, scenarios } from 'virtual:shipped';
import type { z } from 'zod';
import * as operationsByName from './operations/index.ts';
import { nearest } from './protocol/nearest.ts';
import type { Fixtures } from './world/kind.ts';
import { createScenarioSchema, type worldScenario } from './world/scenario.ts';

/** The operations served, in the order of their names. */
export const operations = Object.values(operationsByName);

/** Every kind of record that they bring. */
export const kinds = operations.flatMap((operation) => [...operation.kinds]);

export const fixtures: Fixtures = { prompts: promptFixtures };

const schema = createScenarioSchema(kinds.map(({ section }) => section));

type Section = (typeof kinds)[number]['section'];

/** A starting point of a world: what a file in `scenarios/` holds, or an object of the same shape. Every part is optional. */
export type Scenario = z.input<z.ZodObject<typeof worldScenario>> & {
  -readonly [Part in Section as Part['name']]?: z.input<Part['schema']>;
};

/** A scenario that was checked, with its defaults filled in, and the name to show for it. */
export interface LoadedScenario {
  readonly name: string;
  readonly scenario: z.output<typeof schema>;
}

/** The names of the scenarios that ship with the package. */
export const scenarioNames = (): string[] => Object.keys(scenarios);

/**
 * Loads a shipped scenario by its name, or checks one that is given as an object.
 *
 * @throws Error that tells the nearest name, or every mistake with its path
 */
export const loadScenario = (given: string | Scenario): LoadedScenario => {
  if (typeof given !== 'string') return { name: 'inline', scenario: check('given as an object', given) };
  if (Object.hasOwn(scenarios, given))
    return { name: given, scenario: check(`"${given}"`, scenarios[given]) };
  throw new Error(
    `Failed to load the scenario "${given}": there is none of that name. Did you mean "${nearest(given, scenarioNames())}"? There are: ${scenarioNames().join(', ')}.`,
  );
};

const check = (title: string, given: unknown): z.output<typeof schema> => {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const mistakes = result.error.issues.map(
    ({ path, message }) => `${path.length === 0 ? 'the scenario' : path.map(String).join('.')}: ${message}`,
  );
  throw new Error(
    `Failed to load the scenario ${title}:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`,
  );
};
