import type { OperationDocs } from '../../protocol/operation-docs.ts';
import type { listRunsContract } from './contract.ts';

export const docs: OperationDocs<typeof listRunsContract> = {
  summary: 'List the runs of a thread',
  tag: 'Threads',
  description: 'A page of the runs, by default the newest first.',
  'x-assumptions': ['total-order', 'blank-parameter', 'unknown-parameter'],
  params: { thread_id: { description: 'The thread whose runs are listed.', kind: 'threads' } },
  query: {
    limit: { description: 'How many records a page has.' },
    order: { description: 'Sorts by created_at.', 'x-assumptions': ['total-order'] },
    after: { description: 'A cursor: a run id; returns the page after it.' },
    before: {
      description: 'A cursor: a run id; returns the page before it.',
      'x-assumptions': ['before-page', 'after-and-before'],
    },
  },
  example: { summary: 'The first page.', query: 'limit=2' },
  cases: [
    { name: 'ascending', summary: 'The oldest first.', query: 'limit=1&order=asc' },
    {
      name: 'empty-run-ends',
      summary: 'A thread without runs.',
      params: { thread_id: 'thread_empty' },
      query: '',
    },
    { name: 'unknown-thread', summary: 'There is no such thread.', params: { thread_id: 'thread_none' } },
    { name: 'limit-too-large', summary: 'limit above 100.', query: 'limit=101' },
    { name: 'limit-too-small', summary: 'limit below 1.', query: 'limit=0' },
    { name: 'limit-format', summary: 'limit is no integer.', query: 'limit=ten' },
    { name: 'order-value', summary: 'order is neither asc nor desc.', query: 'order=newest' },
    { name: 'unknown-cursor', summary: 'The cursor names no run.', query: 'after=run_none' },
  ],
};
