import { expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import type { faultsSchema } from '../faults/faults-schema.ts';
import type { quotasSchema } from '../quotas/quotas-schema.ts';
import type { ownSection } from '../world/own-section.ts';
import type { WorldScenarioInput } from '../world/world-schema.ts';
import type { kinds } from './scenario-schema.ts';
import type { Scenario } from './scenario-types.ts';

type Section = (typeof kinds)[number]['section'];

/** What the schemas accept. */
type SchemaInput = Omit<WorldScenarioInput, 'assumptions'> & {
  -readonly [Part in Section as Part['name']]?: z.input<Part['schema']>;
} & {
  own?: z.input<typeof ownSection.schema>;
  faults?: z.input<typeof faultsSchema>;
  quotas?: z.input<typeof quotasSchema>;
};

test('every scenario by its type is one that the schemas take', () => {
  expectTypeOf<Omit<Scenario, '$schema' | 'extends' | 'assumptions'>>().toExtend<SchemaInput>();
  // The schema of a number takes a bigint, too; that of a fault reads whatever YAML makes of its line.
  expectTypeOf<Omit<SchemaInput, 'prompts' | 'faults'>>().toExtend<Scenario>();
});
