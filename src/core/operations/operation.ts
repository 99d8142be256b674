// What an operation is: an operation of the contract, or a user's own call.
import type * as z from 'zod';
import type { AssumptionId } from '../assumptions/table.ts';
import type { Call, ParsedCall, Reply } from '../protocol/call.ts';
import type { Route } from '../protocol/router.ts';
import type { Mapping } from '../util/mapping.ts';
import type { Kind, Resource } from '../world/kind.ts';
import type { World } from '../world/world.ts';

/** The statements of the contract about an operation. */
export interface OperationContract extends Route {
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

/** A call that any operation may get. */
export type AnyParsedCall = ParsedCall<Readonly<Record<string, string>>, Mapping, Mapping>;

/** A call as own calls get it: their replies may depend on its headers, since they are not cached. */
export interface OwnParsedCall extends AnyParsedCall {
  readonly header: Call['header'];
  /** The name of the session. */
  readonly session: string;
}

/** The facts about an answered call that quotas need besides its headers. */
export interface QuotaSubject {
  /** The id of the prompt, for the key `prompt` of a policy. */
  readonly prompt?: string;
  /** The model, for the key `model`. */
  readonly model?: unknown;
  /** The messages, whose characters count as tokens. A call without messages costs none. */
  readonly messages?: unknown;
}

/** The members that all operations have. Operations know nothing about transports. */
interface OperationBase extends Route {
  readonly contract: OperationContract;
  /** The kinds of record that it defines, each of which no other operation defines. */
  readonly kinds: readonly Kind[];
  /** If it is a list of the contract: the kind of the listed records, whichever operation defines it. Own calls list no kind. */
  readonly listsKind: Kind | undefined;
}

export interface ContractOperation extends OperationBase {
  readonly source: 'contract';
  /** The facts about a call that quotas need besides its headers. */
  quotaSubject?(params: AnyParsedCall['params'], reply: object): QuotaSubject;
  /** Loads the operation's documentation, which is a separate module because no call needs it. */
  docs(): Promise<{ readonly docs: OperationDocs }>;
  /** Returns the body of the 200 reply, read from the world. Any other reply is thrown, by `refuse`. */
  handle(call: AnyParsedCall, world: World): object;
}

/**
 * A user's own call: its reply may depend on anything, and it may need no body. Quotas know only the headers of its calls: no prompt,
 * no model and no messages.
 */
export interface OwnOperation extends OperationBase {
  readonly source: 'own call';
  handle(call: OwnParsedCall, world: World, makePage: MakePage): Reply | Promise<Reply>;
}

/** Returns a page of an own call's list, as the call requests it. The first record is on the first page. */
export type MakePage = (
  records: readonly Resource[],
  query: Readonly<Record<string, string | undefined>>,
) => object;

export type AnyOperation = ContractOperation | OwnOperation;

/** An operation with the types that follow from its contract. */
interface OperationOf<Contract extends OperationContract, Kinds, Listed> {
  readonly contract: Contract;
  readonly kinds: Kinds;
  readonly listsKind: z.output<Contract['reply']> extends { readonly data: readonly unknown[] }
    ? Listed
    : undefined;
  quotaSubject?(params: z.output<Contract['params']>, reply: z.output<Contract['reply']>): QuotaSubject;
  docs(): Promise<{ readonly docs: OperationDocs<Contract> }>;
  handle(
    call: ParsedCall<z.output<Contract['params']>, z.output<Contract['query']>, Mapping>,
    world: World,
  ): z.output<Contract['reply']>;
}

/** Defines an operation. The types of its call and reply follow from the contract. */
export const defineOperation = <
  const Contract extends OperationContract,
  const Kinds extends readonly unknown[],
  const Listed extends object,
>(
  operation: OperationOf<Contract, Kinds, Listed>,
) => {
  const { id, method, path } = operation.contract;
  return { id, method, path, source: 'contract' as const, ...operation };
};

export const idsOf = (operations: readonly AnyOperation[]): string[] => operations.map(({ id }) => id);

/** Whether it is a list of the contract. An own call may return pages, too, but of lists that the world does not have. */
export const isContractList = ({ listsKind }: AnyOperation): boolean => listsKind !== undefined;

/** The owner of the records that a call lists; `''` for kinds without an owner. */
export const ownerIn = ({ owner }: Kind, params: Readonly<Record<string, string>>): string =>
  owner === undefined ? '' : (params[owner.field] ?? '');

/** A description of an operation or parameter, and the assumptions that it depends on. */
export interface Documentation {
  readonly description: string;
  readonly 'x-assumptions'?: readonly AssumptionId[];
}

/** The documentation of a path parameter, which is the id of a record. */
export interface PathParamDocs extends Documentation {
  /** The plural name of the record's kind, such as `threads`. An example id is taken from its records. */
  readonly kind: string;
  /** The field values that the record must have for the example call to get 200. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** The format that the contract states, if the schema does not check it because the handler refuses it. */
  readonly format?: 'uuid';
}

/** The example call of an operation, without its path parameters. */
export interface ExampleDocs {
  readonly summary: string;
  /** The percent-encoded query, without its question mark. Default: none. */
  readonly query?: string;
  readonly body?: object;
}

/** A call that is refused, by its differences from the example call. */
interface RefusedCall extends ExampleDocs {
  /** The id of the assumption that refuses it. */
  readonly name: AssumptionId;
  readonly params?: Readonly<Record<string, string>>;
}

/**
 * The documentation of an operation. The types require an entry for each parameter of its contract. It imports only
 * types, because bundlers would split off a chunk for code that it shares with the operation.
 */
export interface OperationDocs<Contract extends OperationContract = OperationContract> extends Documentation {
  readonly summary: string;
  /** Its group in the OpenAPI document. */
  readonly tag: 'Prompts' | 'Threads' | 'Batches' | 'Fine-tuning' | 'Policies';
  readonly params: { readonly [Name in keyof z.output<Contract['params']>]: PathParamDocs };
  readonly query: { readonly [Name in keyof z.output<Contract['query']>]-?: Documentation };
  readonly example: ExampleDocs &
    (Contract extends { readonly body: infer Body extends z.ZodType }
      ? { readonly body: z.input<Body> }
      : unknown);
  readonly refused: RefusedCall;
  /** The other assumptions that refuse calls, without those that apply to any operation, such as keys and quotas. */
  readonly refusals: readonly AssumptionId[];
}
