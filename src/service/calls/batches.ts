import type { Batch } from '../../core/operations/list-batches/types.ts';
import { type DefinedCall, defineCall, type OwnCallTools } from '../gateway/own-calls.ts';
import { pick, requireTexts } from './fields.ts';

const path = '/batches/{batch_id}';

const findBatch = (id: string, { records, refuse }: OwnCallTools): Batch =>
  records.batches.get(id) ?? refuse(404, `No batch found with id '${id}'.`);

/** Calls beside the list of batches: create, retrieve and cancel a batch. */
export const batches: readonly DefinedCall[] = [
  defineCall({
    id: 'createBatch',
    method: 'POST',
    path: '/batches',
    virtualKey: true,
    summary: 'Creates a batch. It is validated, in progress, and ends completed, by the clock of the mock.',
    handle: ({ body }, { records, refuse }) =>
      records.batches.create({
        ...requireTexts(body, ['input_file_id', 'endpoint', 'completion_window'], refuse),
        ...pick(body, ['metadata']),
      }),
  }),
  defineCall({
    id: 'retrieveBatch',
    method: 'GET',
    path,
    virtualKey: true,
    summary: 'Returns a batch.',
    handle: ({ params: { batch_id } }, tools) => findBatch(batch_id, tools),
  }),
  defineCall({
    id: 'cancelBatch',
    method: 'POST',
    path: `${path}/cancel`,
    virtualKey: true,
    summary: 'Cancels a batch that has not ended.',
    handle: ({ params: { batch_id } }, tools) => {
      const { id, status } = findBatch(batch_id, tools);
      if (!['validating', 'in_progress', 'finalizing'].includes(status))
        tools.refuse(400, `Cannot cancel a batch with status '${status}'.`);
      return tools.records.batches.setStatus(id, 'cancelling');
    },
  }),
];
