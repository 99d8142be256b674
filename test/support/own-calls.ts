// Calls that tests add to those of the contract.
import { setTimeout as sleep } from 'node:timers/promises';
import { defineCall, type OwnCall, type OwnCallTools } from '../../src/service/gateway/own-calls.ts';

interface NewRun {
  readonly assistant_id?: string;
  readonly metadata?: Record<string, string>;
}

let count = 0;

/** Events of which the second does not come as long as a test runs. */
const holdSecond = async function* () {
  yield { n: 1 };
  await sleep(600_000, undefined, { ref: false });
};

export const ownCalls = [
  defineCall({
    id: 'findBatch',
    method: 'GET',
    path: '/found/{batch_id}',
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
    id: 'streamed',
    method: 'GET',
    path: '/streamed',
    handle: ({ query: { held } }, { events }) =>
      events(held ? holdSecond() : [{ n: 1 }, 'a\nb', { event: 'last', data: { n: 3 } }, '[DONE]'], {
        every: '5ms',
      }),
  }),
  defineCall({
    id: 'refused',
    method: 'GET',
    path: '/refused/{status}',
    handle: ({ params: { status } }, { refuse }) => refuse(Number(status), 'No.'),
  }),
  defineCall({
    id: 'framed',
    method: 'GET',
    path: '/framed',
    handle: (_call, { reply }) =>
      reply(
        200,
        { fine: true },
        { trailer: 'x', TE: 'y', 'keep-alive': 'timeout=1', upgrade: 'z', 'x-a': 'b' },
      ),
  }),
  defineCall({
    id: 'made',
    method: 'GET',
    path: '/made/{how}',
    handle: ({ params: { how } }, { reply }) => replies[how]?.(reply) ?? {},
  }),
  defineCall({
    id: 'createLate',
    method: 'POST',
    path: '/late',
    handle: async ({ query: { after = 10 } }, { records }) => {
      await sleep(Number(after), undefined, { ref: false });
      return records.batches.create({ endpoint: '/late' });
    },
  }),
  defineCall({
    id: 'broken',
    method: 'GET',
    path: '/broken/{how}',
    handle: ({ params: { how } }, tools) => broken[how]?.(tools) as object, // on purpose
  }),
];

/** What handlers may return besides an object, by name. */
const replies: Readonly<Record<string, (reply: OwnCallTools['reply']) => object>> = {
  response: () => new Response('a', { status: 201, headers: [...cookies, ['content-type', 'text/x']] }),
  empty: () => new Response(null, { status: 204 }),
  stream: () => new Response('streamed').body as object, // it has one
  bytes: (reply) => reply(200, Buffer.from([0xff, 0]), { 'content-type': 'image/x' }),
  iterator: function* () {
    yield 'a';
    yield '';
    yield new Uint8Array([98]);
  },
  later: async function* () {
    yield 'a';
    await null;
    yield 'b';
  },
  promise: async (reply) => reply(202, 'accepted'),
  list: () => [1, 2],
};

const cookies: readonly [string, string][] = [
  ['set-cookie', 'a=1'],
  ['set-cookie', 'b=2'],
];

/** What makes a call fail, by name. */
const broken: Readonly<Record<string, (tools: OwnCallTools) => unknown>> = {
  throws: () => {
    throw new Error('out of paper');
  },
  rejects: () => Promise.reject(new Error('late')),
  nothing: () => undefined,
  events: ({ events }) => events(null as never),
  later: async () => undefined,
  map: () => new Map([['a', 1]]),
  text: () => 'text',
  function: () => () => {},
  numbers: () => new Float64Array(1),
  halfway: function* () {
    yield 'a';
    throw new Error('on the way');
  },
};
