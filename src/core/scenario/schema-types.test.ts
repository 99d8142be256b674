import { expectTypeOf, test } from 'vitest';
import type { SchemaInput } from './scenario-schema.ts';
import type { Scenario } from './scenario-types.ts';

test('every scenario by its type is one that the schemas take', () => {
  expectTypeOf<Omit<Scenario, '$schema' | 'extends' | 'assumptions'>>().toExtend<SchemaInput>();
  // The schema of a number takes a bigint, too; that of a fault reads whatever YAML makes of its line.
  expectTypeOf<Omit<SchemaInput, 'prompts' | 'faults'>>().toExtend<Scenario>();
});
