import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shippedNames } from '../../.config/shipped.js';
import { scenarioJsonSchema } from '../../src/index.ts';

test('the JSON Schema beside the scenarios is current (npm run docs writes it)', () => {
  const written: unknown = JSON.parse(
    readFileSync(new URL('../../scenarios/scenario.schema.json', import.meta.url), 'utf8'),
  );
  expect(written).toEqual(JSON.parse(JSON.stringify(scenarioJsonSchema())));
});

test('the types know the scenarios that ship (npm run docs writes their names)', () => {
  const written = readFileSync(new URL('../../src/core/scenario/shipped-names.ts', import.meta.url), 'utf8');
  expect(written).toBe(shippedNames());
});
