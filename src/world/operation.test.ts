import { expect, test } from 'vitest';
import { batchSchema } from '../operations/list-batches/contract.ts';
import { listBatches } from '../operations/list-batches/handler.ts';
import { batches } from '../operations/list-batches/record.ts';
import { type AnyOperation, collectKinds, isList, listedKind } from './operation.ts';

const lists: AnyOperation = listBatches;

test('an operation whose reply is a page lists the kind with an order', () => {
  expect([isList(lists), listedKind(lists)]).toEqual([true, batches]);
});

test('an operation that answers one record lists nothing, whatever kinds it brings', () => {
  const one: AnyOperation = { ...lists, contract: { ...lists.contract, reply: batchSchema } };
  expect([isList(one), listedKind(one)]).toEqual([false, undefined]);
});

test('a kind that two operations bring is refused by its name and theirs', () => {
  const again = { id: 'retrieveBatch', kinds: [batches] };
  expect(() => collectKinds([lists, again])).toThrow(
    'Two operations, listBatches and retrieveBatch, define the kind batches',
  );
  expect(collectKinds([lists, { ...again, kinds: [] }])).toEqual([batches]);
});
