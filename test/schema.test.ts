import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scenarioJsonSchema } from '../src/index.ts';

test('the JSON Schema beside the scenarios is current (npm run schema writes it)', () => {
  const written: unknown = JSON.parse(
    readFileSync(new URL('../scenarios/scenario.schema.json', import.meta.url), 'utf8'),
  );
  expect(written).toEqual(JSON.parse(JSON.stringify(scenarioJsonSchema())));
});
