import type { OperationDocs } from '../operation.ts';
import type { listBatchesContract } from './contract.ts';

export const docs: OperationDocs<typeof listBatchesContract> = {
  summary: 'List batches',
  tag: 'Batches',
  description: 'Returns a page of the batches, newest first.',
  'x-assumptions': ['newest-first', 'total-order', 'blank-parameter', 'unknown-parameter'],
  params: {},
  query: {
    after: { description: 'A cursor: a batch id.' },
    limit: { description: 'The number of records on a page.' },
  },
  example: { summary: 'The first page.', query: 'limit=2' },
  refused: {
    name: 'unknown-cursor',
    summary: 'The cursor is not the id of a batch.',
    query: 'after=batch_none',
  },
  refusals: ['limit-too-large', 'limit-too-small', 'limit-format'],
};
