import { expect, test } from 'vitest';
import { listBatches } from './list-batches/handler.ts';
import { batches } from './list-batches/record.ts';
import { collectKinds } from './operation.ts';

test('a kind that two operations define is refused, naming the kind', () => {
  const again = { kinds: [batches] };
  expect(() => collectKinds([listBatches, again])).toThrow('Two operations define the kind batches');
  expect(collectKinds([listBatches, { kinds: [] }])).toEqual([batches]);
});
