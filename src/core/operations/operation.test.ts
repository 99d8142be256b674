import { expect, test } from 'vitest';
import { kinds } from '../scenario/scenario-schema.ts';

test('no two operations define the same kind of record', () => {
  const names = kinds.map(({ plural }) => plural);
  expect(names).toEqual([...new Set(names)]);
});
