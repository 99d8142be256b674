import type * as z from 'zod';
import type { AssumptionId } from './assumptions.ts';
import type { OperationContract } from './define-operation.ts';

/** What is said of one thing beyond what its schema says: the contract's words, and the assumptions it rests on. */
export interface Documentation {
  readonly description: string;
  readonly 'x-assumptions'?: readonly AssumptionId[];
}

/** What operations are grouped by. */
export const tags = {
  Prompts: 'Stored prompt templates, rendered.',
  Threads: 'The runs of a thread of an assistants-style API.',
  Batches: 'Batch jobs.',
  'Fine-tuning': 'The checkpoints of a fine-tuning job.',
  Policies: 'Policies that limit requests or tokens per time unit.',
} as const;

/** What is said of a parameter in the path, which is the id of a record. */
export interface PathParamDocs extends Documentation {
  /** What records of its kind are called together, such as `threads`: in any world, a good example is found among them. */
  readonly kind: string;
  /** What the record must have for the example call to be answered by 200. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** What the contract states of the id, where the mock words the refusal itself and its schema says less. */
  readonly format?: 'uuid';
}

/** What an operation is called with where nothing else is said, besides ids that the world has. */
export interface ExampleDocs {
  /** Of its answer. */
  readonly summary: string;
  /** Percent-encoded, without its question mark. Default: none. */
  readonly query?: string;
  readonly body?: object;
}

/** A call whose answer is shown, by what it has instead of the example's. */
export interface DocsCase {
  /** Of a refusal, the assumption that answers. */
  readonly name: string;
  readonly summary: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Percent-encoded, without its question mark. */
  readonly query?: string;
  /** What is sent, as JSON unless it is a text or a mark of what went wrong with it. */
  readonly body?: unknown;
  /** Over the usual headers; undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** What the scenario that answers it has over `default`. */
  readonly given?: object;
}

/**
 * All that documents and tools tell of an operation. The types ask for a word on each parameter of its contract. It
 * imports no code: a bundle would be cut into pieces by what the two ways to an operation share.
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
  /** Further ones, those that succeed first. Keys, quotas and what else goes wrong with any call are not among them. */
  readonly cases: readonly DocsCase[];
}
