import { batchStates, runStates } from '../../../protocol/record-states.ts';
import { type KindName, kinds as named } from '../../kinds.ts';

export interface Owner {
  /** The field with the owner's id. */
  readonly field: 'thread_id' | 'fine_tuning_job_id';
  readonly kind: KindName;
  readonly title: string;
  /** The parameter of links for an owner. */
  readonly key: string;
}

const owners: Readonly<Partial<Record<KindName, Owner>>> = {
  runs: { field: 'thread_id', kind: 'threads', title: 'Thread', key: 'thread' },
  checkpoints: { field: 'fine_tuning_job_id', kind: 'jobs', title: 'Job', key: 'job' },
};

const states: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  runs: runStates,
  batches: batchStates,
};

/** Each kind of record, with the kind of its owner and the known states, if it has them. */
export const kinds = named.map((kind) => ({ ...kind, owner: owners[kind.name], states: states[kind.name] }));

export type Kind = (typeof kinds)[number];

export const findKind = (name: string): Kind | undefined => kinds.find((kind) => kind.name === name);
