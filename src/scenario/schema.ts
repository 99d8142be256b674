import * as z from 'zod';
import { faultsSchema } from '../faults/schema.ts';
import * as operationsByName from '../operations/index.ts';
import type { AssumptionChoices } from '../protocol/assumptions.ts';
import { quotasSchema } from '../quotas/schema.ts';
import { collectKinds } from '../world/operation.ts';
import { createScenarioSchema, type WorldScenarioInput } from '../world/scenario.ts';
import type { ShippedScenario } from './shipped-names.ts';

/** The operations served, in the order of their names. */
export const operations = Object.values(operationsByName);

/** Every kind of record that they bring. */
export const kinds = collectKinds<AnyKind>(operations);

type AnyKind = (typeof operations)[number]['kinds'][number];
type Section = AnyKind['section'];

/** The schema of scenarios, of files and of objects alike: the world's parts, and one part for each section. */
export const scenarioSchema = z.lazy(() =>
  createScenarioSchema(kinds.map(({ section }) => section)).extend({
    faults: faultsSchema,
    quotas: quotasSchema,
    $schema: z.string().exactOptional().describe('For editors: where this schema is.'),
    extends: z
      .string()
      .exactOptional()
      .describe(
        'The name of the scenario that this one starts from: mappings merge, the rest replaces, null takes away.',
      ),
  }),
);

/** The name of a scenario where there may be some of your own: editors complete those that ship. */
export type ScenarioName = ShippedScenario | (string & {});

/** A starting point of a world: what a file in `scenarios/` holds, or an object of the same shape. Every part is optional. */
export type Scenario = Omit<WorldScenarioInput, 'assumptions'> & {
  -readonly [Part in Section as Part['name']]?: z.input<Part['schema']>;
} & {
  faults?: z.input<typeof faultsSchema>;
  quotas?: z.input<typeof quotasSchema>;
  extends?: ScenarioName;
  /** Which choices are made where the contract is silent. */
  assumptions?: AssumptionChoices;
};

/** A scenario with its defaults filled in, as worlds are made of it. It is shared, and never changed. */
export type WholeScenario = z.output<typeof scenarioSchema>;

/** The JSON Schema of scenario files, by which editors complete and check them. */
export const scenarioJsonSchema = (): object =>
  z.toJSONSchema(scenarioSchema, { io: 'input', unrepresentable: 'any' });
