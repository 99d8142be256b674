import type { OperationDocs } from '../operation.ts';
import type { listRunsContract } from './contract.ts';

export const docs: OperationDocs<typeof listRunsContract> = {
  summary: 'List the runs of a thread',
  tag: 'Threads',
  description: 'Returns a page of the runs of a thread, newest first by default.',
  'x-assumptions': ['total-order', 'blank-parameter', 'unknown-parameter'],
  params: { thread_id: { description: 'The id of the thread.', kind: 'threads' } },
  query: {
    limit: { description: 'The number of records on a page.' },
    order: { description: 'Sorts by created_at.', 'x-assumptions': ['total-order'] },
    after: { description: 'A cursor: a run id; returns the page after it.' },
    before: {
      description: 'A cursor: a run id; returns the page before it.',
      'x-assumptions': ['before-page', 'after-and-before'],
    },
  },
  example: { summary: 'The first page.', query: 'limit=2' },
  refused: {
    name: 'unknown-thread',
    summary: 'The thread does not exist.',
    params: { thread_id: 'thread_none' },
  },
  refusals: ['limit-too-large', 'limit-too-small', 'limit-format', 'order-value', 'unknown-cursor'],
};
