import * as z from 'zod';
import { policies } from '../../operations/get-rate-limits-policy/record.ts';
import { batches } from '../../operations/list-batches/record.ts';
import type { Batch } from '../../operations/list-batches/types.ts';
import { checkpoints, jobs } from '../../operations/list-checkpoints/record.ts';
import { runs, threads } from '../../operations/list-runs/record.ts';
import type { Run } from '../../operations/list-runs/types.ts';
import { previewPrompt } from '../../operations/render-prompt/handler.ts';
import { prompts } from '../../operations/render-prompt/record.ts';
import { type BatchState, batchStates, type RunState, runStates } from '../../protocol/record-states.ts';
import { limits } from '../../util/limits.ts';
import type { Kind, Resource } from '../../world/kind.ts';
import { recordIdSchema } from '../../world/record-schema.ts';
import { anyObject, type ControlOf, command, signature } from '../command.ts';
import { revertRecord } from '../revert.ts';
import { type CountQuery, findEntries, listRecords, type RecordQuery } from './record-lists.ts';
import { checkVersion, versionOf } from './record-versions.ts';
import { createRecord, fail, setStatus, updateRecord } from './record-writes.ts';

/** The field that names the owner, for kinds of record that belong to another. */
type OwnerIn<Field extends string> = { readonly [Name in Field]: string };

/** For kinds that belong to no other. */
type NoOwner = Readonly<Record<never, never>>;

/**
 * The fields that can be given. A status must be one that the mock knows, so that a misspelt one does not compile. The
 * assumptions `run-states` and `batch-states` can allow others.
 */
type GivenWith<Status, Value> = {
  readonly [Field in keyof Value]?: Field extends 'status' ? Status : Value[Field];
};

type ValueOf<SomeKind> = SomeKind extends Kind<infer Value, infer _Part> ? Value : never;

/** The commands of one kind of record. Times are in seconds since 1970. */
const commandsOf = <Value extends Resource, Given extends object, Owner extends object = NoOwner>(
  kind: Kind<Value>,
) => ({
  /**
   * Creates a record. Fields that are not given are seeded. It is created now, so it is the newest of its list, unless
   * `created_at` is given; an expired one is so much older. With a status it stays as it is. Without one it lives on: the clock
   * changes it as it changes seeded records.
   *
   * @throws Error if a value breaks the contract, the status is unknown, the id is taken, there is no such owner, or the session has written too much
   */
  create: command({
    summary: `Creates a ${kind.name}: fields that are not given are seeded.`,
    args: signature<[fields: Given & Owner]>('fields'),
    input: () => z.strictObject({ fields: anyObject<Given & Owner>(toRef(kind)) }),
    example: { fields: kind.owner ? { [kind.owner.field]: demoIds[kind.owner.kind] } : {} },
    writes: true,
    keepsInput: true,
    run: (context, { fields }): Value => createRecord(kind, context, fields),
  }),
  /**
   * Changes fields of a record. It stays as it is then: the clock no longer changes it.
   *
   * @param options `ifVersion`: the version that the record must have, from `version`, so that nobody else's change is lost
   * @throws Error if a value breaks the contract, the status is unknown, there is no such record, it has another version (412), or the session has written
   * too much
   */
  update: command({
    summary: `Changes fields of a ${kind.name}.`,
    args: signature<[id: string, fields: Given, options?: { readonly ifVersion?: string | undefined }]>(
      'id',
      'fields',
    ),
    input: () =>
      z.strictObject({
        id: recordIdSchema,
        fields: anyObject<Given>(toRef(kind)),
        ifVersion: z
          .string()
          .exactOptional()
          .describe('The version that the record must have. Otherwise: 412, and nothing changes.'),
      }),
    example: { ...idOf(kind), fields: {} },
    writes: true,
    keepsInput: true,
    run: (context, { id, fields, ifVersion }): Value => {
      const present = ifVersion === undefined ? undefined : context.world().find(kind, id)?.get(id);
      if (present !== undefined) checkVersion(kind, present, ifVersion);
      return updateRecord(kind, context, id, fields);
    },
  }),
  /**
   * Deletes a record; with a thread or a job, everything that belongs to it.
   *
   * @throws Error if there is no such record
   */
  delete: command({
    summary: `Deletes a ${kind.name}.`,
    args: ofRecord,
    input: recordInput,
    example: idOf(kind),
    writes: true,
    run: ({ world }, { id }) => {
      if (!world().remove(kind, id)) fail('delete', kind, id, 'no such record');
    },
  }),
  /**
   * Returns a record to what its scenario makes of it: a changed one moves with the clock again, a deleted one is back, and with a
   * thread or a job everything that belongs to it. Returns the record as it is now, or undefined if it appears later.
   *
   * @throws Error if the scenario has no such record, as for one that was created since
   */
  revert: command({
    summary: `Returns a ${kind.name} to what its scenario makes of it.`,
    args: ofRecord,
    input: recordInput,
    example: idOf(kind),
    writes: true,
    run: ({ open, world }, { id }): Value | undefined => {
      const problem = revertRecord(open(), kind, id);
      if (problem !== undefined) fail('revert', kind, id, problem);
      return structuredClone(world().find(kind, id)?.get(id));
    },
  }),
  /** The record as it is now; undefined if there is none. */
  get: command({
    summary: `Returns one ${kind.name}; null if there is none.`,
    args: ofRecord,
    input: recordInput,
    example: idOf(kind),
    run: ({ world }, { id }): Value | undefined => structuredClone(world().find(kind, id)?.get(id)),
  }),
  /**
   * The version of a record: a short text that differs whenever the record does, also when the clock changed it. Undefined if there
   * is none. Read the version before the record, and give it to `update` as `ifVersion`.
   */
  version: command({
    summary: `Returns the version of a ${kind.name}, for ifVersion of update; null if there is none.`,
    args: ofRecord,
    input: recordInput,
    example: idOf(kind),
    run: ({ world }, { id }): string | undefined => {
      const record = world().find(kind, id)?.get(id);
      return record && versionOf(record);
    },
  }),
  /** The records that match, newest first. @throws Error if there are more than 10,000 and no limit, or a status for more than 10,000 that may still change */
  list: command({
    summary: `Lists the ${kind.plural}, newest first. For the next page, set after to the id of the last record.`,
    args: signature<[query?: RecordQuery & Partial<Owner>]>(),
    input: () =>
      z.strictObject({
        order: z.enum(['asc', 'desc']).exactOptional(),
        sort: z.string().exactOptional().describe('The field that they are sorted by. Default: created_at.'),
        limit: z.int().min(0).max(limits.listed).exactOptional(),
        after: z.string().exactOptional(),
        offset: z.int().min(0).exactOptional(),
        ...filtersOf(kind),
      }),
    example: { limit: 10 },
    run: ({ world }, query): Value[] => listRecords(kind, world(), query),
  }),
  /** How many records match. @throws Error if there is no such owner, or a status for more than 10,000 that may still change */
  count: command({
    summary: `Counts the ${kind.plural} that match.`,
    args: signature<[query?: CountQuery & Partial<Owner>]>(),
    input: () => z.strictObject(filtersOf(kind)),
    run: ({ world }, query) => findEntries('count', kind, world(), query).length,
  }),
});

const statusCommandsOf = <Value extends Resource, State extends string>(
  kind: Kind<Value>,
  states: readonly State[],
) => ({
  /**
   * Sets the status of a record, and every field that the status implies, such as `completed_at`, at the clock's time. From
   * there it lives on: a run that is `cancelling` is `cancelled` some time later.
   *
   * @throws Error if there is no such record or status
   * @example
   * const { id } = await gateway.records.runs.create({ thread_id: 'thread_demo' });
   * await gateway.records.runs.setStatus(id, 'requires_action');
   */
  setStatus: command({
    summary: `Sets the status of a ${kind.name}, and all fields that it implies, at the clock's time.`,
    args: signature<[id: string, status: State]>('id', 'status'),
    input: () => z.strictObject({ id: recordIdSchema, status: z.enum(states) }),
    example: { ...idOf(kind), status: 'completed' },
    writes: true,
    run: (context, { id, status }): Value => setStatus(kind, context, id, status),
  }),
});

const ofRecord = signature<[id: string]>('id');
const recordInput = () => z.strictObject({ id: recordIdSchema });

/** Ids for the examples: those that the shipped scenarios have, where it is always the same. */
const demoIds: Readonly<Record<string, string>> = {
  thread: 'thread_demo',
  job: 'ftjob_demo',
  prompt: 'prompt_welcome',
};
const idOf = ({ name }: Kind) => ({ id: demoIds[name] ?? `${name}_1` });

/** What selects records of a kind. Not all kinds have a status or an owner. */
const filtersOf = (kind: Kind) => {
  const text = z.string().exactOptional();
  const names = ['search', ...(kind.columns.includes('status') ? ['status'] : []), kind.owner?.field ?? []];
  // What a kind has no key for cannot be given.
  return Object.fromEntries(names.flat().map((name) => [name, text])) as Record<
    'search' | 'status',
    typeof text
  >;
};

export const recordsCommands = {
  /** Threads. They have nothing but an id. */
  threads: commandsOf<ValueOf<typeof threads>, Partial<ValueOf<typeof threads>>>(threads),
  /** Runs (contract: Endpoints, 2). Each belongs to a thread. */
  runs: {
    ...commandsOf<Run, GivenWith<RunState, Run>, OwnerIn<'thread_id'>>(runs),
    ...statusCommandsOf(runs, runStates),
  },
  /** Batches (contract: Endpoints, 3). */
  batches: {
    ...commandsOf<Batch, GivenWith<BatchState, Batch>>(batches),
    ...statusCommandsOf(batches, batchStates),
  },
  /** Fine-tuning jobs. They have nothing but an id. */
  jobs: commandsOf<ValueOf<typeof jobs>, Partial<ValueOf<typeof jobs>>>(jobs),
  /** Checkpoints (contract: Endpoints, 4). Each belongs to a fine-tuning job. */
  checkpoints: commandsOf<
    ValueOf<typeof checkpoints>,
    Partial<ValueOf<typeof checkpoints>>,
    OwnerIn<'fine_tuning_job_id'>
  >(checkpoints),
  /** Rate-limits policies (contract: Endpoints, 5). */
  policies: commandsOf<ValueOf<typeof policies>, Partial<ValueOf<typeof policies>>>(policies),
  /** Stored prompts, with all their versions (contract: Endpoints, 1). */
  prompts: {
    ...commandsOf<ValueOf<typeof prompts>, Partial<ValueOf<typeof prompts>>>(prompts),
    /**
     * Renders a prompt without a call: no key is needed, and the journal does not list it.
     *
     * @param id as in a call: `prompt_versions@2`
     * @throws Error if there is no such prompt, or its template cannot be rendered
     */
    render: command({
      summary: 'Renders a prompt without a call: its messages, and the variables that are missing.',
      args: signature<[id: string, variables?: object]>('id', 'variables'),
      input: () => z.strictObject({ id: z.string(), variables: variables().exactOptional() }),
      example: { id: 'prompt_welcome', variables: { name: 'Ada' } },
      allowsAnyKey: true,
      run: ({ world }, { id, variables = {} }) =>
        previewPrompt(id, variables, world()) ?? fail('render', prompts, id, 'no such prompt'),
    }),
  },
};

/** What a template may name. A schema of an object would leave out the key `__proto__`. */
const variables = (): z.ZodType<object> =>
  z
    .unknown()
    .refine((given) => z.looseObject({}).safeParse(given).success, 'not an object')
    .transform((given) => Object(given) as object)
    .meta({ type: 'object' });

const toRef = ({ plural }: Kind): string => `#/components/schemas/${plural}`;

/** The methods of one kind of record, for code that treats all kinds alike. */
export type RecordMethods<Value extends Resource = Resource> = ControlOf<
  ReturnType<typeof commandsOf<Value, object, object>>
>;

/** The methods of one kind by its name, such as `threads`. */
export const methodsOf = (records: ControlOf<typeof recordsCommands>, kind: string): RecordMethods =>
  Reflect.get(records, kind) as RecordMethods; // each kind checks what it is given
