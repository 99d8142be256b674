import type { Entry } from '../../src/journal/entry.ts';

/** An entry of a journal, of a call that was answered by 200. */
export const entryWith = (query: string, replyBody: string | null = null): Entry => ({
  time: 0,
  receivedAt: 0,
  ordinal: 0,
  call: { method: 'GET', path: '/v1/batches', query },
  headers: {},
  body: null,
  trace: {},
  status: 200,
  replyHeaders: {},
  replyBody,
  assumptions: [],
  duration: 0,
});
