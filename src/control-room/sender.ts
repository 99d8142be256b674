import type { RecordedRequest } from '../core/journal/recorded-request.ts';

/** The header of the calls that the control room itself sends. */
export const senderHeader = 'x-mock-sender';
export const sender = 'control-room';

/** Whether a client sent a request, and not the control room. */
export const isFromClient = ({ headers }: RecordedRequest): boolean => headers[senderHeader] !== sender;
