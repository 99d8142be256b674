import { expect, test } from 'vitest';
import { listBatches } from '../operations/list-batches/handler.ts';
import { batches } from '../operations/list-batches/record.ts';
import { collectKinds } from './operation.ts';

test('a kind that two operations define is refused, naming the kind and both operations', () => {
  const again = { id: 'retrieveBatch', kinds: [batches] };
  expect(() => collectKinds([listBatches, again])).toThrow(
    'Two operations, listBatches and retrieveBatch, define the kind batches',
  );
  expect(collectKinds([listBatches, { ...again, kinds: [] }])).toEqual([batches]);
});
