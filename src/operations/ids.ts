import type * as z from 'zod';
import type * as operations from './index.ts';

type Contract = (typeof operations)[keyof typeof operations]['contract'];

type IdOfList<Some> = Some extends Contract
  ? z.output<Some['reply']> extends { readonly data: readonly unknown[] }
    ? Some['id']
    : never
  : never;

/** The id of an operation. */
export type OperationId = Contract['id'];

/** The id of an operation that answers with pages of a list. */
export type ListId = IdOfList<Contract>;
