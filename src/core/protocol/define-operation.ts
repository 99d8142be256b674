import type * as z from 'zod';
import type { ParsedCall } from './call.ts';
import type { OperationDocs } from './operation-docs.ts';
import type { Routed } from './router.ts';

/** What the contract states about one operation. */
export interface OperationContract extends Routed {
  /** The section of the contract. */
  readonly section: string;
  /** Whether `x-gateway-virtual-key` is required (contract: Authentication, rule 2). */
  readonly virtualKey: boolean;
  /** Whether clients send the beta header with the request (contract: Versioning). */
  readonly betaHeader: boolean;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** The schema of the body; undefined if the operation takes none. */
  readonly body?: z.ZodType;
  /** The schema of the body of the 200 reply. */
  readonly reply: z.ZodType;
}

/** A call that matches a contract, with its parameters decoded and the defaults filled in. */
export type ParsedCallOf<Contract extends OperationContract> = ParsedCall<
  z.output<Contract['params']>,
  z.output<Contract['query']>,
  Readonly<Record<string, unknown>>
>;

interface Page {
  readonly data: readonly unknown[];
}

/** What quotas read of an answered call besides its headers. */
export interface QuotaSubject {
  /** The id of the prompt, for the key `prompt` of a policy. */
  readonly prompt?: string;
  /** The model, for the key `model`. */
  readonly model?: unknown;
  /** The messages, whose characters count as tokens. A call without any costs none. */
  readonly messages?: unknown;
}

/** One operation of the gateway. It knows nothing about transports. */
export interface Operation<
  Contract extends OperationContract,
  World,
  Kinds extends readonly unknown[],
  Listed,
> {
  readonly contract: Contract;
  /** The kinds of record that it defines: those that no other operation defines. */
  readonly kinds: Kinds;
  /** The kind of record that its pages list, whichever operation defines it. Undefined if its reply is not a page. */
  readonly lists: z.output<Contract['reply']> extends Page ? Listed : undefined;
  /** What quotas read of a call besides its headers, if anything. */
  quotaSubject?(params: z.output<Contract['params']>, reply: z.output<Contract['reply']>): QuotaSubject;
  /** Loads the operation's documentation, which is a separate module because no call needs it. */
  docs(): Promise<{ readonly docs: OperationDocs<Contract> }>;
  /** Returns the body of the 200 reply, read from the world. Any other reply is thrown, by `refuse`. */
  handle(call: ParsedCallOf<Contract>, world: World): z.output<Contract['reply']>;
}

/** Defines an operation. The types of its call and reply follow from the contract. */
export const defineOperation = <
  const Contract extends OperationContract,
  World,
  const Kinds extends readonly unknown[],
  const Listed extends object,
>(
  operation: Operation<Contract, World, Kinds, Listed>,
): Operation<Contract, World, Kinds, Listed> & Routed => ({
  id: operation.contract.id,
  method: operation.contract.method,
  path: operation.contract.path,
  ...operation,
});
