import type * as z from 'zod';
import type { AssumptionId } from './assumptions.ts';
import type { OperationContract } from './define-operation.ts';

/** A description of an operation or parameter, and the assumptions that it depends on. */
export interface Documentation {
  readonly description: string;
  readonly 'x-assumptions'?: readonly AssumptionId[];
}

/** The groups of operations in the OpenAPI document. */
export const tags = {
  Prompts: 'Stored prompt templates, rendered.',
  Threads: 'The runs of a thread of an assistants-style API.',
  Batches: 'Batch jobs.',
  'Fine-tuning': 'The checkpoints of a fine-tuning job.',
  Policies: 'Policies that limit requests or tokens per time unit.',
} as const;

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
  /** A summary of the reply. */
  readonly summary: string;
  /** The percent-encoded query, without its question mark. Default: none. */
  readonly query?: string;
  readonly body?: object;
}

/** A call that is refused, by its differences from the example call. */
interface RefusedCall {
  /** The id of the assumption that refuses it. */
  readonly name: AssumptionId;
  readonly summary: string;
  readonly params?: Readonly<Record<string, string>>;
  /** The percent-encoded query, without its question mark. */
  readonly query?: string;
  readonly body?: object;
}

/**
 * The documentation of an operation. The types require an entry for each parameter of its contract. It imports only
 * types, because bundlers would split off a chunk for code that it shares with the operation.
 */
export interface OperationDocs<Contract extends OperationContract = OperationContract> extends Documentation {
  readonly summary: string;
  readonly tag: keyof typeof tags;
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
