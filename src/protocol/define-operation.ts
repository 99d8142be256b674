import type * as z from 'zod';
import type { Call } from './call.ts';
import type { OperationDocs } from './operation-docs.ts';
import type { Routed } from './router.ts';

/** What the document states of one operation. */
export interface OperationContract extends Routed {
  /** The contract's section. */
  readonly section: string;
  /** Whether `x-gateway-virtual-key` is required (contract: Authentication, rule 2). */
  readonly virtualKey: boolean;
  /** Whether the request is sent with the beta header (contract: Versioning). */
  readonly betaHeader: boolean;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** The body's schema; absent where the operation takes none. */
  readonly body?: z.ZodType;
  /** The body of the 200 reply. */
  readonly reply: z.ZodType;
}

/** The call that a contract describes: its parameters decoded, the defaults filled in. */
export type CallOf<Contract extends OperationContract> = Call<
  z.output<Contract['params']>,
  z.output<Contract['query']>,
  Readonly<Record<string, unknown>>
>;

/** One of the calls that the gateway serves: a plain value, which knows no transport. */
export interface Operation<Contract extends OperationContract, World, Kinds extends readonly unknown[]> {
  readonly contract: Contract;
  /** The kinds of record that it brings into the world. */
  readonly kinds: Kinds;
  /** What documents and tools tell of it: apart, since no call needs it. */
  docs(): Promise<{ readonly docs: OperationDocs<Contract> }>;
  /** The body of the 200 reply, read from the world; any other answer is thrown, by `refuse`. */
  handle(call: CallOf<Contract>, world: World): z.output<Contract['reply']>;
}

/** Defines one operation; the types of its call and its reply follow from the contract. */
export const defineOperation = <
  const Contract extends OperationContract,
  World,
  const Kinds extends readonly unknown[],
>(
  operation: Operation<Contract, World, Kinds>,
): Operation<Contract, World, Kinds> & Routed => ({
  id: operation.contract.id,
  method: operation.contract.method,
  path: operation.contract.path,
  ...operation,
});
