import type { AssumptionId } from '../protocol/assumptions.ts';
import type { RawCall, Reply } from '../protocol/call.ts';

/** Answers one call. Every transport is built on it. */
export type AnswerCall = (call: RawCall) => Reply;

/** Called for a request that is not valid HTTP. Returns the id and the assumptions for its reply. */
export type OnNoCall = () => { readonly requestId: string; readonly marks: readonly AssumptionId[] };
