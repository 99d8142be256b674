import { policies } from './operations/get-rate-limits-policy/record.ts';
import { batches } from './operations/list-batches/record.ts';
import { checkpoints, jobs } from './operations/list-checkpoints/record.ts';
import { runs, threads } from './operations/list-runs/record.ts';
import { prompts } from './operations/render-prompt/record.ts';
import { describeMistake, findMistakes } from './scenario/mistakes.ts';
import type { Collection } from './world/collection.ts';
import type { Kind, Resource } from './world/kind.ts';
import type { World } from './world/world.ts';

/** Which records are listed. */
export interface RecordQuery {
  /** Default: `'desc'`, newest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** How many at the most. Default: all. */
  readonly limit?: number | undefined;
}

/** The field that names whom a record belongs to, for kinds that belong to another. */
type OwnerOf<Field extends string> = { readonly [Name in Field]: string };

/**
 * The records of one kind, to be written by hand. What is written stays as it is given: the clock no longer moves it.
 * Times are in seconds since 1970.
 */
export interface RecordControl<Value extends Resource, Owner = unknown> {
  /**
   * Makes a record. Fields that are not given are seeded, in agreement with those that are; it is created now.
   *
   * @throws Error where a value breaks the contract, with its path, or the id is taken, or there is no such owner
   */
  readonly create: (values: Partial<Value> & Owner) => Promise<Value>;
  /** Changes fields of a record. @throws Error where a value breaks the contract, or there is no such record */
  readonly update: (id: string, values: Partial<Value>) => Promise<Value>;
  /** Takes a record out: with a thread or a job, all that belongs to it. @throws Error where there is no such record */
  readonly delete: (id: string) => Promise<void>;
  /** The record as it is now; undefined where there is none. */
  readonly get: (id: string) => Promise<Value | undefined>;
  readonly list: (query?: RecordQuery & Partial<Owner>) => Promise<Value[]>;
}

export type ValueOf<SomeKind> = SomeKind extends Kind<infer Value, infer _Part> ? Value : never;

/** The records of a world, kind by kind. */
export interface RecordsControl {
  readonly threads: RecordControl<ValueOf<typeof threads>>;
  readonly runs: RecordControl<ValueOf<typeof runs>, OwnerOf<'thread_id'>>;
  readonly batches: RecordControl<ValueOf<typeof batches>>;
  readonly jobs: RecordControl<ValueOf<typeof jobs>>;
  readonly checkpoints: RecordControl<ValueOf<typeof checkpoints>, OwnerOf<'fine_tuning_job_id'>>;
  readonly policies: RecordControl<ValueOf<typeof policies>>;
  readonly prompts: RecordControl<ValueOf<typeof prompts>>;
}

/** @param world the world that is steered: it is asked for each time, since a reset replaces it */
export const createRecords = (world: () => World): RecordsControl => ({
  threads: controlKind(threads, world),
  runs: controlKind(runs, world),
  batches: controlKind(batches, world),
  jobs: controlKind(jobs, world),
  checkpoints: controlKind(checkpoints, world),
  policies: controlKind(policies, world),
  prompts: controlKind(prompts, world),
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
      const owner = ownerOf(kind, values);
      const collection =
        world.collection(kind, owner) ??
        fail('create', kind, values.id, `there is no ${kind.owner?.kind} "${owner}"`);
      const id =
        values.id ?? kind.newId(`${world.seeding.seed}/made/${kind.name}/${owner}/${world.nextMade()}`);
      if (world.find(kind, id) !== undefined) fail('create', kind, id, 'there is one of this id already');
      const given = check('create', kind, { ...values, id });
      collection.write(
        kind.complete(given, { ...world.seeding, id, owner, now: Math.floor(world.clock.now()) }),
      );
      return collection.get(id) ?? fail('create', kind, id, 'it was not written');
    },
    update: async (id, values) => {
      const collection = find(id, 'update');
      const present = collection.get(id) ?? fail('update', kind, id, 'there is none of this id');
      for (const field of ['id', kind.owner?.field ?? 'id'])
        if (Object.hasOwn(values, field) && Reflect.get(values, field) !== Reflect.get(present, field))
          fail('update', kind, id, `${field} cannot be changed`);
      collection.write(check('update', kind, { ...present, ...values }));
      return collection.get(id) ?? fail('update', kind, id, 'it was not written');
    },
    delete: async (id) => {
      find(id, 'delete').remove(id);
    },
    get: async (id) => getWorld().find(kind, id)?.get(id),
    list: async (query = {}) => {
      const { order = 'desc', limit = Number.POSITIVE_INFINITY } = query;
      const owner = ownerOf(kind, query);
      const world = getWorld();
      const collections =
        kind.owner === undefined || owner !== '' ? [world.collection(kind, owner)] : world.collections(kind);
      return collections
        .flatMap((collection) => takeFrom(collection?.walk(undefined, order) ?? [], limit))
        .slice(0, limit);
    },
  };
};

const takeFrom = <Value>(values: Iterable<Value>, limit: number): Value[] => {
  const taken: Value[] = [];
  for (const value of values) {
    if (taken.length >= limit) break;
    taken.push(value);
  }
  return taken;
};

const ownerOf = (kind: Kind, values: object): string => {
  const owner: unknown = kind.owner === undefined ? '' : Reflect.get(values, kind.owner.field);
  return typeof owner === 'string' ? owner : '';
};

const check = <Value extends Resource>(action: string, kind: Kind<Value>, values: object): Value => {
  const [mistake] = findMistakes(kind.fields, values);
  if (mistake !== undefined) fail(action, kind, Reflect.get(values, 'id'), describeMistake(mistake));
  return kind.fields.parse(values) as Value; // its fields have passed, and whatever is missing is completed
};

const fail = (action: string, kind: Kind, id: unknown, reason: string): never => {
  throw new Error(
    `Failed to ${action} the ${kind.name}${id === undefined ? '' : ` "${String(id)}"`}: ${reason}.`,
  );
};
