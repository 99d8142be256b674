import { batchStates, runStates } from '../../../protocol/record-states.ts';
import { type KindName, kinds as named } from '../../kinds.ts';

interface Owner {
  /** The field with the owner's id. */
  readonly field: string;
  readonly kind: KindName;
  readonly title: string;
}

const owners: Readonly<Partial<Record<KindName, Owner>>> = {
  runs: { field: 'thread_id', kind: 'threads', title: 'Thread' },
  checkpoints: { field: 'fine_tuning_job_id', kind: 'jobs', title: 'Job' },
};

const states: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  runs: runStates,
  batches: batchStates,
};

/** Each kind of record, with its owner and its states, if it has them. */
export const kinds = named.map((kind) => ({ ...kind, owner: owners[kind.name], states: states[kind.name] }));

export type Kind = (typeof kinds)[number];
