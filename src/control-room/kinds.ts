import { batchStates, runStates } from '../core/assumptions/record-states.ts';
import type { Control, RecordMethods, StatusMethods } from '../service/control/control-interface.ts';
import { control as ownControl } from './connection.ts';
import { toHash } from './route.ts';

/** The name of a kind of records in the control. */
export type KindName = Exclude<keyof Control['records'], 'own'>;

/** A record of any kind. */
export interface AnyRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** A kind of records. */
export interface Kind {
  readonly name: KindName;
  /** The word for one record. */
  readonly singular: string;
  /** The kind of their owner, and the field with its id. */
  readonly owner?: { readonly field: string; readonly kind: KindName; readonly title: string };
  readonly states?: readonly string[];
  /** Whether the clock changes its status. */
  readonly isLiving?: boolean;
  /** What a new one begins with, besides its owner. */
  readonly example?: object;
}

const thread = { field: 'thread_id', kind: 'threads', title: 'Thread' } as const;
const job = { field: 'fine_tuning_job_id', kind: 'jobs', title: 'Job' } as const;

export const kinds: readonly Kind[] = [
  { name: 'threads', singular: 'thread', example: { id: 'thread_new' } },
  {
    name: 'runs',
    singular: 'run',
    owner: thread,
    states: runStates,
    isLiving: true,
    example: { model: 'gpt-4.1' },
  },
  { name: 'batches', singular: 'batch', states: batchStates, isLiving: true, example: { metadata: {} } },
  { name: 'jobs', singular: 'job', example: { id: 'ftjob_new' } },
  { name: 'checkpoints', singular: 'checkpoint', owner: job },
  {
    name: 'policies',
    singular: 'policy',
    states: ['active', 'archived'],
    example: { value: 10, type: 'requests', unit: 'rpm', group_by: [], conditions: [] },
  },
  {
    name: 'prompts',
    singular: 'prompt',
    example: { id: 'prompt_new', messages: [{ role: 'user', content: 'Hello, {{name}}!' }] },
  },
];

export interface RecordProps {
  readonly kind: Kind;
  readonly record: AnyRecord;
}

/** The control of one kind, for code that works with all kinds. */
export const recordsOf = (kind: KindName, control: Control = ownControl) =>
  control.records[kind] as unknown as RecordMethods<AnyRecord, object, object, object>; // the server validates the input

/** The control of the status of runs or batches. */
export const statusMethodsOf = (kind: KindName): StatusMethods<AnyRecord, string> =>
  ownControl.records[kind] as unknown as StatusMethods<AnyRecord, string>; // the caller asks for no other kind

export const linkTo = (kind: KindName, id: string): string => toHash('data', [kind, id]);
