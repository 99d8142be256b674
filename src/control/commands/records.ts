import * as z from 'zod';
import { policies } from '../../operations/get-rate-limits-policy/record.ts';
import type { Batch } from '../../operations/list-batches/contract.ts';
import type { BatchState } from '../../operations/list-batches/lifecycle.ts';
import { batches } from '../../operations/list-batches/record.ts';
import { checkpoints, jobs } from '../../operations/list-checkpoints/record.ts';
import type { Run } from '../../operations/list-runs/contract.ts';
import type { RunState } from '../../operations/list-runs/lifecycle.ts';
import { runs, threads } from '../../operations/list-runs/record.ts';
import { previewPrompt } from '../../operations/render-prompt/handler.ts';
import { prompts } from '../../operations/render-prompt/record.ts';
import { findMistakes } from '../../scenario/mistakes.ts';
import { describeMistake } from '../../scenario/scenario-error.ts';
import { kinds } from '../../scenario/schema.ts';
import { parseJson, toJsonText, toNumbers } from '../../util/json.ts';
import { messageOf } from '../../util/message-of.ts';
import { suggest } from '../../util/nearest.ts';
import { endSentence } from '../../util/sentence.ts';
import { type Collection, viewOf } from '../../world/collection.ts';
import type { Kind, Resource } from '../../world/kind.ts';
import { completeRecord, nextId } from '../../world/make-record.ts';
import { badTimestamp, findBadTimestamps, omitUndefined, recordIdSchema } from '../../world/record-schema.ts';
import type { World } from '../../world/world.ts';
import { anyObject, type ControlOf, command, optional, required } from '../command.ts';

/** Which records are listed. */
export interface RecordQuery {
  /** Default: `'desc'`, newest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** How many, up to 10,000. It is required if there are more. Default: all. */
  readonly limit?: number | undefined;
  /** The id of a record: the list begins after it. */
  readonly after?: string | undefined;
}

/** The most records that one call lists: all sessions wait while they are made. */
const maxListed = 10_000;

/** The field that names the owner, for kinds of record that belong to another. */
type OwnerIn<Field extends string> = { readonly [Name in Field]: string };

/** For kinds that belong to no other. */
type NoOwner = Readonly<Record<never, never>>;

/**
 * The fields that can be given. A status must be one that the mock knows, so that a misspelt one does not compile. A scenario may
 * have records of any other status, since the contract leaves them open.
 */
type GivenWith<Status, Value> = {
  readonly [Field in keyof Value]?: Field extends 'status' ? Status : Value[Field];
};

type ValueOf<SomeKind> = SomeKind extends Kind<infer Value, infer _Part> ? Value : never;

/**
 * The commands of one kind of record. Written values stay as they are: the clock no longer changes that record. Times are in
 * seconds since 1970.
 */
const commandsOf = <Value extends Resource, Given extends object, Owner extends object = NoOwner>(
  kind: Kind<Value>,
) => ({
  /**
   * Creates a record. Fields that are not given are seeded, and fit the given ones. It is created now, unless the fields say
   * another time.
   *
   * @throws Error if a value breaks the contract, the id is taken, or there is no such owner
   */
  create: command({
    http: `POST /records/${kind.plural}`,
    summary: `Creates a ${kind.name}: fields that are not given are seeded.`,
    input: () => [required('values', anyObject<Given & Owner>(toRef(kind)))],
    writes: true,
    run: async ({ world }, values: Given & Owner): Promise<Value> => create(kind, world(), values),
  }),
  /** Changes fields of a record. @throws Error if a value breaks the contract, or there is no such record */
  update: command({
    http: `PATCH /records/${kind.plural}/{id}`,
    summary: `Changes fields of a ${kind.name}.`,
    input: () => [required('id', recordIdSchema), required('values', anyObject<Given>(toRef(kind)))],
    writes: true,
    run: async ({ world }, id: string, values: Given): Promise<Value> => update(kind, world(), id, values),
  }),
  /** Deletes a record; with a thread or a job, everything that belongs to it. @throws Error if there is no such record */
  delete: command({
    http: `DELETE /records/${kind.plural}/{id}`,
    summary: `Deletes a ${kind.name}.`,
    input: () => [required('id', recordIdSchema)],
    writes: true,
    run: async ({ world }, id: string) => {
      if (!world().remove(kind, id)) fail('delete', kind, id, 'no such record');
    },
  }),
  /** The record as it is now; undefined if there is none. */
  get: command({
    http: `GET /records/${kind.plural}/{id}`,
    summary: `Returns one ${kind.name}; 204 if there is none.`,
    input: () => [required('id', recordIdSchema)],
    run: async ({ world }, id: string): Promise<Value | undefined> =>
      structuredClone(world().find(kind, id)?.get(id)),
  }),
  /** The records, newest first. @throws Error if there are more than 10,000 and no limit is given */
  list: command({
    http: `GET /records/${kind.plural}`,
    summary: `Lists the ${kind.plural}, newest first. For the next page, set after to the id of the last record.`,
    input: () => [
      optional(
        'query',
        z.strictObject({
          order: z.enum(['asc', 'desc']).exactOptional(),
          limit: z.int().min(0).max(maxListed).exactOptional(),
          after: z.string().exactOptional(),
          ...(kind.owner && { [kind.owner.field]: z.string().exactOptional() }),
        }) as unknown as z.ZodType<RecordQuery & Partial<Owner>>, // the field of the owner is computed
      ),
    ],
    run: async ({ world }, query?: RecordQuery & Partial<Owner>): Promise<Value[]> =>
      list(kind, world(), query ?? {}),
  }),
});

export const recordsCommands = {
  /** Threads. They have nothing but an id. */
  threads: commandsOf<ValueOf<typeof threads>, Partial<ValueOf<typeof threads>>>(threads),
  /** Runs (contract: Endpoints, 2). Each belongs to a thread. */
  runs: commandsOf<Run, GivenWith<RunState, Run>, OwnerIn<'thread_id'>>(runs),
  /** Batches (contract: Endpoints, 3). */
  batches: commandsOf<Batch, GivenWith<BatchState, Batch>>(batches),
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
      http: 'POST /records/prompts/{id}/render',
      summary: 'Renders a prompt without a call: its messages, and the variables that are missing.',
      input: () => [required('id', z.string()), optional('variables', variables())],
      allowsAnyKey: true,
      run: async ({ world }, id: string, variables: object = {}) =>
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

/** The methods of one kind by its name. @throws Error if there is none */
export const methodsOf = (records: ControlOf<typeof recordsCommands>, kind: string): RecordMethods => {
  if (!isKindName(records, kind))
    throw new Error(`Unknown kind of record "${kind}". The kinds are: ${Object.keys(records).join(', ')}.`);
  return records[kind] as unknown as RecordMethods; // each kind checks what it is given
};

const isKindName = (
  records: ControlOf<typeof recordsCommands>,
  name: string,
): name is keyof typeof recordsCommands => Object.hasOwn(records, name);

const create = <Value extends Resource>(
  kind: Kind<Value>,
  world: World,
  values: Partial<Resource>,
): Value => {
  const owner = requireOwner(kind, values);
  const collection =
    world.collection(kind, owner) ??
    fail('create', kind, values.id, `no such ${kind.owner?.kind}: "${owner}"`);
  const given = check('create', kind, { ...values, id: values.id ?? nextId(world, kind, owner) });
  const { id } = given;
  if (world.find(kind, id) !== undefined) fail('create', kind, id, 'a record with this id exists');
  const whole = completeRecord(world, kind, owner, given);
  collection.write(whole);
  if (values.id === undefined) world.countMade();
  return structuredClone(whole);
};

const update = <Value extends Resource>(
  kind: Kind<Value>,
  world: World,
  id: string,
  values: object,
): Value => {
  const noRecord = (): never => fail('update', kind, id, 'no such record');
  const collection: Collection<Value> = world.find(kind, id) ?? noRecord();
  const present = collection.get(id) ?? noRecord();
  const given = omitUndefined(values);
  for (const field of ['id', kind.owner?.field ?? 'id'])
    if (Object.hasOwn(given, field) && Reflect.get(given, field) !== Reflect.get(present, field))
      fail('update', kind, id, `${field} cannot be changed`);
  // The order of its fields stays: it is part of the bytes.
  const next = { ...present, ...check('update', kind, { ...present, ...given }) };
  collection.write(next);
  return structuredClone(next);
};

const list = <Value extends Resource>(kind: Kind<Value>, world: World, query: RecordQuery): Value[] => {
  const { order = 'desc', limit, after } = query;
  const owner = ownerOf(kind, query);
  if (kind.owner !== undefined && Reflect.get(query, kind.owner.field) !== undefined)
    requireKnownOwner(kind, owner, world);
  const collections =
    kind.owner === undefined || owner !== ''
      ? [world.collection(kind, owner) ?? []].flat()
      : world.collections(kind);
  // Newest first; of two records of one time, that of the collection ahead comes first.
  const newest = collections.flatMap((one) => one.newest()).sort((a, b) => b.created_at - a.created_at);
  const entries = order === 'desc' ? newest : newest.reverse();
  const start = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0)
    throw new Error(
      `Failed to list the ${kind.plural} after "${after}": no record of this list has this id.`,
    );
  const listed = entries.slice(start, limit === undefined ? undefined : start + limit);
  if (listed.length > maxListed)
    throw new Error(
      `Failed to list the ${kind.plural}: there are ${listed.length}. Set limit to ${maxListed} or less, and after to the id of the last one for the next.`,
    );
  const now = world.clock.now();
  return listed.map((entry) => structuredClone(viewOf(entry, now)));
};

/** A misspelt owner would look like one without records. */
const requireKnownOwner = (kind: Kind, owner: string, world: World): void => {
  if (kind.owner === undefined || world.collection(kind, owner) !== undefined) return;
  const ownerKind = kinds.find(({ name }) => name === kind.owner?.kind);
  const owners = ownerKind === undefined ? undefined : world.collection(ownerKind);
  const ids = owners === undefined ? [] : owners.newest(maxNamed).map(({ id }) => id);
  throw new Error(
    `Failed to list the ${kind.plural} of "${owner}": no such ${kind.owner.kind}.${endSentence(suggest(owner, ids))}`,
  );
};

/** How many owners are compared to find the nearest name: there may be very many. */
const maxNamed = 100;

const ownerOf = (kind: Kind, values: object): string => {
  const owner: unknown = kind.owner === undefined ? '' : Reflect.get(values, kind.owner.field);
  return typeof owner === 'string' ? owner : '';
};

/** The owner of a new record. If it is missing, the error names its field, whatever else is wrong. */
const requireOwner = (kind: Kind, values: Partial<Resource>): string => {
  const { field = 'id', kind: name = '' } = kind.owner ?? {};
  const owner: unknown = Reflect.get(values, field);
  if (kind.owner !== undefined && (owner === undefined || owner === null))
    fail('create', kind, values.id, `${field} is missing: set it to the id of the ${name}`);
  if (kind.owner !== undefined && typeof owner !== 'string') check('create', kind, { id: 'new', ...values });
  return ownerOf(kind, values);
};

/** A copy of the values, checked against the contract. */
const check = <Value extends Resource>(action: string, kind: Kind<Value>, values: object): Value => {
  const id: unknown = Reflect.get(values, 'id');
  // Prompts keep the digits of integers beyond 2^53; other records hold plain numbers.
  const given = omitUndefined(kind.name === prompts.name ? values : Object(toNumbers(values)));
  const mistakes = [
    ...findMistakes(kind.fields, given),
    ...findBadTimestamps(given).map((field) => ({ path: [field], message: badTimestamp })),
  ];
  if (mistakes.length > 0) fail(action, kind, id, mistakes.map(describeMistake).join('; '));
  try {
    // Its fields have passed, and whatever is missing is completed.
    return parseJson(toJsonText(kind.fields.parse(given))) as Value;
  } catch (error) {
    return fail(action, kind, id, `it is not JSON: ${messageOf(error)}`);
  }
};

const fail = (action: string, kind: Kind, id: unknown, reason: string): never => {
  throw new Error(
    `Failed to ${action} the ${kind.name}${id === undefined ? '' : ` "${String(id)}"`}: ${endSentence(reason)}`,
  );
};
