import type { RawCall, Reply } from '../protocol/call.ts';

/** What every face stands on: the answer to one call. */
export type Answer = (call: RawCall) => Reply;
