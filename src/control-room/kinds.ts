import type { Control, RecordMethods } from '../control/types.ts';
import { control as ownControl } from './connection.ts';
import { toHash } from './route.ts';

/** The name of a kind of records in the control. */
export type KindName = keyof Control['records'];

/** A record of any kind. */
export interface AnyRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Each kind: its title, and what one is called. */
export const kinds: readonly {
  readonly name: KindName;
  readonly title: string;
  readonly singular: string;
}[] = [
  { name: 'threads', title: 'Threads', singular: 'thread' },
  { name: 'runs', title: 'Runs', singular: 'run' },
  { name: 'batches', title: 'Batches', singular: 'batch' },
  { name: 'jobs', title: 'Fine-tuning jobs', singular: 'job' },
  { name: 'checkpoints', title: 'Checkpoints', singular: 'checkpoint' },
  { name: 'policies', title: 'Policies', singular: 'policy' },
  { name: 'prompts', title: 'Prompts', singular: 'prompt' },
];

/** The control of one kind, for code that works with all kinds. */
export const recordsOf = (kind: KindName, control: Control = ownControl): RecordMethods<AnyRecord> =>
  control.records[kind] as unknown as RecordMethods<AnyRecord>; // the server validates the input

export const linkTo = (kind: KindName, id: string): string => toHash('data', [kind, id]);
