import { policySchema as policy } from './get-rate-limits-policy/contract.ts';
import type { Policy } from './get-rate-limits-policy/types.ts';
import { batchSchema as batch } from './list-batches/contract.ts';
import type { Batch } from './list-batches/types.ts';
import { checkpointSchema as checkpoint } from './list-checkpoints/contract.ts';
import type { Checkpoint } from './list-checkpoints/types.ts';
import { runSchema as run } from './list-runs/contract.ts';
import type { Run } from './list-runs/types.ts';
import { hyperparametersSchema as hyperparameters } from './render-prompt/contract.ts';
import type { Hyperparameters } from './render-prompt/types.ts';

/** A schema of the contract. It is a [Standard Schema](https://standardschema.dev), so it works wherever those are accepted. */
export interface ContractSchema<Value> {
  /** Returns a copy of a valid value, with the fields that the contract knows. @throws Error with all mistakes */
  readonly parse: (value: unknown) => Value;
  /** Returns the same as `parse`, or the error in place of throwing it. */
  readonly safeParse: (
    value: unknown,
  ) => { readonly success: true; readonly data: Value } | { readonly success: false; readonly error: Error };
  /** What makes it a Standard Schema. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => CheckedValue<Value> | Promise<CheckedValue<Value>>;
    readonly types?: { readonly input: unknown; readonly output: Value } | undefined;
  };
}

type CheckedValue<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/** The schema of a {@link Policy}. */
export const policySchema: ContractSchema<Policy> = policy;

/** The schema of a {@link Batch}. */
export const batchSchema: ContractSchema<Batch> = batch;

/** The schema of a {@link Checkpoint}. */
export const checkpointSchema: ContractSchema<Checkpoint> = checkpoint;

/** The schema of a {@link Run}. */
export const runSchema: ContractSchema<Run> = run;

/** The schema of {@link Hyperparameters}. */
export const hyperparametersSchema: ContractSchema<Hyperparameters> = hyperparameters;
