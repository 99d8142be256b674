import type { AssumptionId } from '../protocol/assumptions.ts';
import type { RawCall, Reply } from '../protocol/call.ts';

/** What every face stands on: the answer to one call. */
export type AnswerCall = (call: RawCall) => Reply;

/** For bytes that make no call: the id and the marks of the reply that refuses them. */
export type OnNoCall = () => { readonly requestId: string; readonly marks: readonly AssumptionId[] };
