// Calls that tests add to those of the contract.
import { defineCall, type OwnCall } from '../../src/service/gateway/own-calls.ts';

interface NewRun {
  readonly assistant_id?: string;
  readonly metadata?: Record<string, string>;
}

let count = 0;

export const ownCalls = [
  defineCall({
    id: 'retrieveBatch',
    method: 'GET',
    path: '/batches/{batch_id}',
    virtualKey: true,
    handle: ({ params }, { records, refuse }) =>
      records.batches.get(params.batch_id) ?? refuse(404, `No batch found with id '${params.batch_id}'.`),
  }),
  defineCall({
    id: 'createRun',
    method: 'POST',
    path: '/threads/{thread_id}/runs',
    virtualKey: true,
    handle: ({ params: { thread_id }, body }: OwnCall<'/threads/{thread_id}/runs', NewRun>, { records }) =>
      records.runs.create({ thread_id, ...body }),
  }),
  defineCall({
    id: 'cancelRun',
    method: 'POST',
    path: '/threads/{thread_id}/runs/{run_id}/cancel',
    virtualKey: true,
    handle: ({ params: { run_id } }, { records }) => records.runs.setStatus(run_id, 'cancelling'),
  }),
  defineCall({
    id: 'deleteRun',
    method: 'DELETE',
    path: '/threads/{thread_id}/runs/{run_id}',
    handle: ({ params: { run_id } }, { records, reply }) => {
      records.runs.delete(run_id);
      return reply(204, null, { 'x-note': 'gone' });
    },
  }),
  defineCall({
    id: 'ping',
    method: 'GET',
    path: '/ping',
    handle: ({ query, header }) => ({ query, note: header('x-note') ?? null, count: ++count }),
  }),
  defineCall({
    id: 'text',
    method: 'GET',
    path: '/text',
    handle: (_call, { reply }) => reply(200, 'data: 1\n\n', { 'content-type': 'text/event-stream' }),
  }),
  defineCall({
    id: 'broken',
    method: 'GET',
    path: '/broken/{how}',
    handle: ({ params: { how } }) => {
      if (how === 'throws') throw new Error('out of paper');
      return (how === 'promise' ? Promise.reject(new Error('late')) : undefined) as object; // on purpose
    },
  }),
];
