import { expectTypeOf, test } from 'vitest';
import type { SchemaInput } from './schema.ts';
import type { Scenario } from './types.ts';

test('every scenario by its type is one that the schemas take', () => {
  expectTypeOf<Omit<Scenario, '$schema' | 'extends' | 'assumptions'>>().toExtend<SchemaInput>();
  expectTypeOf<Omit<SchemaInput, 'prompts'>>().toExtend<Scenario>(); // the schema of a number takes a bigint, too
});
