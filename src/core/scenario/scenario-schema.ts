import * as z from 'zod';
import { faultsSchema } from '../faults/faults-schema.ts';
import type { ListId, OperationId } from '../operations/ids.ts';
import * as operationsByName from '../operations/index.ts';
import { quotasSchema } from '../quotas/quotas-schema.ts';
import { ownSection } from '../world/own-section.ts';
import { createScenarioSchema } from '../world/world-schema.ts';

/** All operations, ordered by name. */
export const operations = Object.values(operationsByName) satisfies readonly (
  | { readonly contract: { readonly id: ListId } }
  | { readonly contract: { readonly id: OperationId }; readonly listsKind: undefined }
)[];

type AnyKind = (typeof operations)[number]['kinds'][number];

export const kinds = operations.flatMap<AnyKind>((operation) => operation.kinds);

/** The schema of scenarios, for files and objects: the parts of the world, and one part for each section. */
export const scenarioSchema = z.lazy(() =>
  createScenarioSchema(
    kinds.map(({ section }) => section),
    operations.map(({ id }) => id),
  ).extend({
    [ownSection.name]: ownSection.schema,
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

/** A checked scenario with its defaults filled in. Worlds share it, and it is never changed. */
export type CompleteScenario = z.output<typeof scenarioSchema>;

/** Returns the JSON Schema of scenario files, with which editors complete and check them. */
export const scenarioJsonSchema = (): object =>
  z.toJSONSchema(scenarioSchema, { io: 'input', unrepresentable: 'any' });
