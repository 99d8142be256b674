import type * as operations from './index.ts';

type Operation = (typeof operations)[keyof typeof operations];

/** The id of an operation. */
export type OperationId = Operation['contract']['id'];

/** The id of an operation that answers with pages of a list. */
export type ListId = Extract<Operation, { readonly lists: object }>['contract']['id'];
