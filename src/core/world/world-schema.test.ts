import { expect, test } from 'vitest';
import * as z from 'zod';
import { createScenarioSchema } from './world-schema.ts';

const schema = createScenarioSchema([{ name: 'notes', schema: z.int().default(3) }], ['listRuns']);

test('the defaults of a scenario', () => {
  expect(schema.parse({})).toMatchObject({
    seed: 42,
    clock: { start: '2026-01-15T12:00:00Z' },
    requests: 0,
    made: 0,
    keys: {},
    assumptions: {},
    notes: 3,
  });
});

test.each([
  { seed: 0 },
  { clock: { start: '1970-01-01T00:00:00Z', now: '9999-12-31T23:59:59.999Z' } },
  { keys: { valid: [], expired: ['a'], limited: { b: ['listRuns'] }, virtual: ['c'] } },
  { assumptions: { 'unknown-thread': 'empty-list' } },
])('accepts %j', (given) => {
  expect(schema.parse(given)).toMatchObject(given);
});
