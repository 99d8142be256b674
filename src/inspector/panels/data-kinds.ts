import type { Control, RecordMethods } from '../../control/types.ts';
import { batchStates, runStates } from '../../protocol/record-states.ts';
import { toHash } from '../route.ts';
import { control as ownControl } from '../session.ts';
import { texts } from '../texts.ts';

const t = texts.data;

/** The name of a kind in the control. */
export type KindName = keyof Control['records'];

/** A record of any kind. */
export interface AnyRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** The field with the id of a record's owner. */
export interface Owner {
  readonly thread_id?: string;
  readonly fine_tuning_job_id?: string;
}

export interface KindInfo {
  readonly name: KindName;
  readonly title: string;
  readonly singular: string;
  /** The field with the owner's id, the owner's kind and title, and the URL parameter for an owner. */
  readonly owner?: {
    readonly field: keyof Owner;
    readonly kind: KindName;
    readonly title: string;
    readonly key: string;
  };
  readonly states?: readonly string[];
}

/** The components of a list, and of a form for a new record, have these properties. */
export interface ListProps {
  readonly kind: KindInfo;
  /** The id of the owner, if only its records are shown. */
  readonly owner: string | undefined;
}

export const runsKind: KindInfo = {
  name: 'runs',
  title: t.titles.runs[0],
  singular: t.titles.runs[1],
  owner: { field: 'thread_id', kind: 'threads', title: t.titles.threads[2], key: 'thread' },
  states: runStates,
};

export const checkpointsKind: KindInfo = {
  name: 'checkpoints',
  title: t.titles.checkpoints[0],
  singular: t.titles.checkpoints[1],
  owner: { field: 'fine_tuning_job_id', kind: 'jobs', title: t.titles.jobs[2], key: 'job' },
};

export const kinds: readonly KindInfo[] = [
  { name: 'threads', title: t.titles.threads[0], singular: t.titles.threads[1] },
  runsKind,
  { name: 'batches', title: t.titles.batches[0], singular: t.titles.batches[1], states: batchStates },
  { name: 'jobs', title: t.titles.jobs[0], singular: t.titles.jobs[1] },
  checkpointsKind,
  { name: 'policies', title: t.titles.policies[0], singular: t.titles.policies[1] },
  { name: 'prompts', title: t.titles.prompts[0], singular: t.titles.prompts[1] },
];

/** The control of one kind, for code that works with all kinds. */
export const recordsOf = (kind: KindName, control: Control = ownControl): RecordMethods<AnyRecord> =>
  control.records[kind] as unknown as RecordMethods<AnyRecord>; // the server validates the input

export const linkTo = (kind: KindName, id: string): string => toHash('data', [kind, id]);
