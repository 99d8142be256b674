import { policies } from '../operations/get-rate-limits-policy/record.ts';
import type { Batch } from '../operations/list-batches/contract.ts';
import type { BatchState } from '../operations/list-batches/lifecycle.ts';
import { batches } from '../operations/list-batches/record.ts';
import { checkpoints, jobs } from '../operations/list-checkpoints/record.ts';
import type { Run } from '../operations/list-runs/contract.ts';
import type { RunState } from '../operations/list-runs/lifecycle.ts';
import { runs, threads } from '../operations/list-runs/record.ts';
import { type PromptPreview, previewPrompt } from '../operations/render-prompt/handler.ts';
import { prompts } from '../operations/render-prompt/record.ts';
import { findMistakes } from '../scenario/mistakes.ts';
import { describeMistake } from '../scenario/scenario-error.ts';
import { kinds } from '../scenario/schema.ts';
import { parseJson, toJsonText, toNumbers } from '../util/json.ts';
import { messageOf } from '../util/message-of.ts';
import { suggest } from '../util/nearest.ts';
import { endSentence } from '../util/sentence.ts';
import { type Collection, viewOf } from '../world/collection.ts';
import type { Kind, Resource } from '../world/kind.ts';
import { completeRecord, nextId } from '../world/make-record.ts';
import { badTimestamp, findBadTimestamps, omitUndefined } from '../world/record-schema.ts';
import type { World } from '../world/world.ts';

/** Which records are listed. */
export interface RecordQuery {
  /** Default: `'desc'`, newest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** How many at the most. Default: all. */
  readonly limit?: number | undefined;
  /** The id of the record that they come behind, such as the last one of those before. */
  readonly after?: string | undefined;
}

/** The field that names whom a record belongs to, for kinds that belong to another. */
type OwnerOf<Field extends string> = { readonly [Name in Field]: string };

/**
 * The records of one kind, to be written by hand. What is written stays as it is given: the clock no longer moves it.
 * Times are in seconds since 1970.
 */
export interface RecordControl<Value extends Resource, Owner = unknown, Given = Partial<Value>> {
  /**
   * Makes a record. Fields that are not given are seeded, in agreement with those that are; it is created now, unless they
   * tell of another time.
   *
   * @throws Error where a value breaks the contract, with its path, or the id is taken, or there is no such owner
   */
  readonly create: (values: Given & Owner) => Promise<Value>;
  /** Changes fields of a record. @throws Error where a value breaks the contract, or there is no such record */
  readonly update: (id: string, values: Given) => Promise<Value>;
  /** Takes a record out: with a thread or a job, all that belongs to it. @throws Error where there is no such record */
  readonly delete: (id: string) => Promise<void>;
  /** The record as it is now; undefined where there is none. */
  readonly get: (id: string) => Promise<Value | undefined>;
  readonly list: (query?: RecordQuery & Partial<Owner>) => Promise<Value[]>;
}

/**
 * What may be given of a record: as its status only the names that the mock knows, so that a misspelt one does not
 * compile. A record that is read may have a status of another name, from a scenario, since the contract leaves them open.
 */
type GivenWith<Status, Value> = {
  readonly [Field in keyof Value]?: Field extends 'status' ? Status : Value[Field];
};

export type ValueOf<SomeKind> = SomeKind extends Kind<infer Value, infer _Part> ? Value : never;

/** The stored prompts, which can also be looked at as they would be rendered. */
export interface PromptControl extends RecordControl<ValueOf<typeof prompts>> {
  /**
   * Renders a prompt without a call: no key is asked for, and the journal has nothing of it.
   *
   * @param id as a call has it: `prompt_versions@2`
   * @throws Error where there is no such prompt, or its template cannot be rendered
   */
  readonly render: (id: string, variables?: object) => Promise<PromptPreview>;
}

/** The records of a world, kind by kind. */
export interface RecordsControl {
  readonly threads: RecordControl<ValueOf<typeof threads>>;
  readonly runs: RecordControl<Run, OwnerOf<'thread_id'>, GivenWith<RunState, Run>>;
  readonly batches: RecordControl<Batch, unknown, GivenWith<BatchState, Batch>>;
  readonly jobs: RecordControl<ValueOf<typeof jobs>>;
  readonly checkpoints: RecordControl<ValueOf<typeof checkpoints>, OwnerOf<'fine_tuning_job_id'>>;
  readonly policies: RecordControl<ValueOf<typeof policies>>;
  readonly prompts: PromptControl;
}

/** The control of one kind by its name, for code that treats all kinds alike. @throws Error where there is none */
export const controlOf = (records: RecordsControl, kind: string): RecordControl<Resource> => {
  if (!isKindName(records, kind))
    throw new Error(`There are no records called "${kind}". There are: ${Object.keys(records).join(', ')}.`);
  return records[kind] as unknown as RecordControl<Resource>; // what it is given is checked by the kind itself
};

const isKindName = (records: RecordsControl, name: string): name is keyof RecordsControl =>
  Object.hasOwn(records, name);

/**
 * What callers in JavaScript may give is checked ahead of it, by `control-arguments.ts`.
 *
 * @param world the world that is steered: it is asked for each time, since a reset replaces it
 */
export const createRecords = (world: () => World): RecordsControl => ({
  threads: controlKind(threads, world),
  runs: controlKind(runs, world),
  batches: controlKind(batches, world),
  jobs: controlKind(jobs, world),
  checkpoints: controlKind(checkpoints, world),
  policies: controlKind(policies, world),
  prompts: {
    ...controlKind(prompts, world),
    render: async (id, variables = {}) =>
      previewPrompt(id, variables, world()) ?? fail('render', prompts, id, 'there is none of this id'),
  },
});

const controlKind = <Value extends Resource>(
  kind: Kind<Value>,
  getWorld: () => World,
): RecordControl<Value> => {
  const find = (id: string, action: string): Collection<Value> =>
    getWorld().find(kind, id) ?? fail(action, kind, id, 'there is none of this id');

  return {
    create: async (values) => {
      const world = getWorld();
      const owner = requireOwner(kind, values);
      const collection =
        world.collection(kind, owner) ??
        fail('create', kind, values.id, `there is no ${kind.owner?.kind} "${owner}"`);
      const given = check('create', kind, { ...values, id: values.id ?? nextId(world, kind, owner) });
      const { id } = given;
      if (world.find(kind, id) !== undefined) fail('create', kind, id, 'there is one of this id already');
      const whole = completeRecord(world, kind, owner, given);
      collection.write(whole);
      if (values.id === undefined) world.countMade();
      return structuredClone(whole);
    },
    update: async (id, values) => {
      const collection = find(id, 'update');
      const present = collection.get(id) ?? fail('update', kind, id, 'there is none of this id');
      const given = omitUndefined(values);
      for (const field of ['id', kind.owner?.field ?? 'id'])
        if (Object.hasOwn(given, field) && Reflect.get(given, field) !== Reflect.get(present, field))
          fail('update', kind, id, `${field} cannot be changed`);
      // The order of its fields stays: it is part of the bytes.
      const next = { ...present, ...check('update', kind, { ...present, ...given }) };
      collection.write(next);
      return structuredClone(next);
    },
    delete: async (id) => {
      if (!getWorld().remove(kind, id)) fail('delete', kind, id, 'there is none of this id');
    },
    get: async (id) => structuredClone(getWorld().find(kind, id)?.get(id)),
    list: async (query = {}) => {
      const { order = 'desc', limit = Number.POSITIVE_INFINITY, after } = query;
      const owner = ownerOf(kind, query);
      const world = getWorld();
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
          `Failed to list the ${kind.plural} after "${after}": there is none of this id among those that are listed.`,
        );
      const now = world.clock.now();
      return entries.slice(start, start + limit).map((entry) => structuredClone(viewOf(entry, now)));
    },
  };
};

/** A misspelt owner has no records, as one without any has. */
const requireKnownOwner = (kind: Kind, owner: string, world: World): void => {
  if (kind.owner === undefined || world.collection(kind, owner) !== undefined) return;
  const ownerKind = kinds.find(({ name }) => name === kind.owner?.kind);
  const owners = ownerKind === undefined ? undefined : world.collection(ownerKind);
  const ids = owners === undefined ? [] : owners.newest(maxNamed).map(({ id }) => id);
  throw new Error(
    `Failed to list the ${kind.plural} of "${owner}": there is no ${kind.owner.kind} of this id.${endSentence(suggest(owner, ids))}`,
  );
};

/** How many owners are looked at for the nearest name: there may be very many. */
const maxNamed = 100;

const ownerOf = (kind: Kind, values: object): string => {
  const owner: unknown = kind.owner === undefined ? '' : Reflect.get(values, kind.owner.field);
  return typeof owner === 'string' ? owner : '';
};

/** The owner of a new record. Where there is none, the field that should name it is told, whatever else is wrong. */
const requireOwner = (kind: Kind, values: Partial<Resource>): string => {
  const { field = 'id', kind: name = '' } = kind.owner ?? {};
  const owner: unknown = Reflect.get(values, field);
  if (kind.owner !== undefined && (owner === undefined || owner === null))
    fail('create', kind, values.id, `${field} is missing: the id of the ${name} that has it`);
  if (kind.owner !== undefined && typeof owner !== 'string') check('create', kind, { id: 'new', ...values });
  return ownerOf(kind, values);
};

/** The record's own copy of the values, where they hold to the contract. */
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
    return fail(action, kind, id, `it is no JSON: ${messageOf(error)}`);
  }
};

const fail = (action: string, kind: Kind, id: unknown, reason: string): never => {
  throw new Error(
    `Failed to ${action} the ${kind.name}${id === undefined ? '' : ` "${String(id)}"`}: ${endSentence(reason)}`,
  );
};
