import type { OperationDocs } from '../operation.ts';
import type { listCheckpointsContract } from './contract.ts';

export const docs: OperationDocs<typeof listCheckpointsContract> = {
  summary: 'List the checkpoints of a fine-tuning job',
  tag: 'Fine-tuning',
  description: 'Returns a page of the checkpoints of a job, newest first.',
  'x-assumptions': ['newest-first', 'total-order', 'blank-parameter', 'unknown-parameter'],
  params: { fine_tuning_job_id: { description: 'The id of the fine-tuning job.', kind: 'jobs' } },
  query: {
    after: { description: 'The id of the last checkpoint of the previous page.' },
    limit: {
      description:
        'The number of checkpoints to return. Its bounds are not stated: from 1, or 1 to 100 if checkpoint-limit-bounds is 1-to-100.',
      'x-assumptions': ['checkpoint-limit-bounds'],
    },
  },
  example: { summary: 'The first page.', query: 'limit=2' },
  refused: {
    name: 'unknown-cursor',
    summary: 'The cursor is not the id of a checkpoint.',
    query: 'after=ftckpt_none',
  },
  refusals: ['unknown-job', 'limit-too-large', 'checkpoint-limit-bounds', 'limit-format'],
};
