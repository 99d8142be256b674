import { type CallFacts, Entry } from '../../src/core/journal/entry.ts';
import { type Call, lostReply, type Reply } from '../../src/core/protocol/call.ts';

/** An entry of a journal: of a call of `GET /v1/batches` to which 200 was sent, unless something else is given. Without a reply: null. */
export const entryOf = (
  call: Partial<Call> = {},
  reply: Partial<Reply> | null = {},
  recording: Partial<CallFacts> = {},
): Entry => {
  const entry = new Entry(
    {
      method: 'GET',
      path: '/v1/batches',
      query: '',
      header: () => undefined,
      headers: () => ({}),
      body: new Uint8Array(),
      ...call,
    },
    reply === null ? undefined : { status: 200, headers: {}, body: null, ...reply },
    { time: 0, assumptions: [], ...recording },
  );
  if (reply?.delivery?.breaks === 'reset') entry.settlement = lostReply;
  else if (reply !== null) entry.settlement = { status: reply.status ?? 200, bytes: 0, outcome: 'sent' };
  return entry;
};

/** The same, by its query and the body of its reply. */
export const entryWith = (query: string, body: string | null = null): Entry => entryOf({ query }, { body });
