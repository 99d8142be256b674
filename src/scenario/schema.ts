import * as z from 'zod';
import { faultsSchema } from '../faults/schema.ts';
import * as operationsByName from '../operations/index.ts';
import type { AssumptionChoices } from '../protocol/assumptions.ts';
import { quotasSchema } from '../quotas/schema.ts';
import { collectKinds } from '../world/operation.ts';
import { createScenarioSchema, type WorldScenarioInput } from '../world/scenario.ts';
import type { ShippedScenario } from './shipped-names.ts';

/** All operations, ordered by name. */
export const operations = Object.values(operationsByName);

/** All kinds of record. */
export const kinds = collectKinds<AnyKind>(operations);

type AnyKind = (typeof operations)[number]['kinds'][number];
type Section = AnyKind['section'];

/** The schema of scenarios, both files and objects: the parts of the world, and one part for each section. */
export const scenarioSchema = z.lazy(() =>
  createScenarioSchema(
    kinds.map(({ section }) => section),
    operations.map(({ id }) => id),
  ).extend({
    faults: faultsSchema,
    quotas: quotasSchema,
    $schema: z.string().exactOptional().describe('The path or URL of this schema, for editors.'),
    extends: z
      .string()
      .exactOptional()
      .describe(
        'The name of the scenario to start from. Mappings are merged, other values replaced; null deletes a key.',
      ),
  }),
);

/** The name of a scenario: one that ships with the package, which editors complete, or one of your own. */
export type ScenarioName = ShippedScenario | (string & {});

/** A starting state of a world, as a scenario file has it. Every part is optional. */
export type Scenario = Omit<WorldScenarioInput, 'assumptions'> & {
  -readonly [Part in Section as Part['name']]?: z.input<Part['schema']>;
} & {
  /** The faults, each as its line. Default: none. */
  faults?: z.input<typeof faultsSchema>;
  /** Whether the active rate-limit policies are enforced. Default: false. */
  quotas?: z.input<typeof quotasSchema>;
  /** The scenario to start from. Mappings are merged, other values replaced; null deletes a key. */
  extends?: ScenarioName;
  /** The values of assumptions. Default: those of the mock. */
  assumptions?: AssumptionChoices;
};

/** A checked scenario with its defaults filled in. Worlds share it, and it is never changed. */
export type WholeScenario = z.output<typeof scenarioSchema>;

/** Returns the JSON Schema of scenario files, by which editors complete and check them. */
export const scenarioJsonSchema = (): object =>
  z.toJSONSchema(scenarioSchema, { io: 'input', unrepresentable: 'any' });
