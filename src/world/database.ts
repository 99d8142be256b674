import { factory, primaryKey } from '@mswjs/data';
import type { Life } from './timeline.ts';

/**
 * One row of the model. The columns are its place; the contract's resource is one value beside them, because a model
 * of single fields turns a missing one into null, which the contract tells apart.
 */
export interface Entity<Resource = object> extends Life<Resource> {
  /** Its owner and its id: two owners may have a record of the same id. */
  readonly key: string;
  readonly id: string;
  /** The record it belongs to, such as the thread of a run; empty where it belongs to none. */
  readonly owner: string;
  /** In seconds since 1970. */
  readonly created_at: number;
  /** Its place among the records of the same second: below 0 for seeded ones, counted up for those made by hand. */
  readonly sequence: number;
  /** Whether it was written by hand: then it no longer follows from the seed. */
  readonly written: boolean;
}

/** The rows of one kind, by owner and id. */
export interface Table {
  readonly get: (key: string) => Entity | undefined;
  readonly create: (entity: Entity) => Entity;
  readonly replace: (entity: Entity, next: Entity) => void;
  readonly remove: (key: string) => void;
  /** Takes out every row of an owner. No listener is told: the owner's index goes with it. */
  readonly removeAllOf: (owner: string) => void;
}

/** What a table tells of its changes, for the indexes beside it. */
export interface TableListener {
  readonly onCreate: (entity: Entity) => void;
  readonly onReplace: (previous: Entity, next: Entity) => void;
  readonly onRemove: (entity: Entity) => void;
}

const columns = {
  key: primaryKey(String),
  id: String,
  owner: String,
  created_at: Number,
  sequence: Number,
  written: Boolean,
  resource: Object,
  timeline: Array,
};

/** What the database behind `factory()` offers: by its own methods, a look-up scans the whole model. */
interface InternalDatabase {
  readonly getModel: (kind: string) => Map<string, Entity>;
  readonly update: (kind: string, previous: Entity, next: Entity) => void;
  readonly delete: (kind: string, id: string) => void;
  readonly events: {
    readonly on: (event: 'create' | 'update' | 'delete', listener: (...payload: never[]) => void) => unknown;
    readonly removeAllListeners: () => unknown;
  };
}

/** The rows of seeded records that one table keeps: they can be made again. Those written by hand stay. */
const maxSeededRows = 2000;

/** One `@mswjs/data` database with a model for each kind of record. */
export const createDatabase = (kinds: readonly string[], listenerOf: (kind: string) => TableListener) => {
  const models = factory(Object.fromEntries(kinds.map((kind) => [kind, columns])));
  const internal = findInternal(models);
  internal.events.removeAllListeners(); // in a browser: those that copy every change to the other tabs
  internal.events.on('create', (_source: string, kind: string, entity: Entity) =>
    listenerOf(kind).onCreate(entity),
  );
  internal.events.on('update', (_source: string, kind: string, previous: Entity, next: Entity) =>
    listenerOf(kind).onReplace(previous, next),
  );

  /** The keys of the seeded records that have a row, the oldest first. */
  const seededByKind = new Map<string, Set<string>>();
  const seededKeys = (kind: string): Set<string> => {
    const known = seededByKind.get(kind) ?? new Set();
    seededByKind.set(kind, known);
    return known;
  };

  const openTable = (kind: string): Table => {
    const rows = internal.getModel(kind);
    const seeded = seededKeys(kind);
    const dropOldest = (): void => {
      for (const key of seeded) {
        if (seeded.size <= maxSeededRows) return;
        seeded.delete(key);
        if (rows.get(key)?.written === false) internal.delete(kind, key);
      }
    };
    return {
      get: (key) => rows.get(key),
      create: (entity) => {
        if (!entity.written) {
          seeded.add(entity.key);
          dropOldest();
        }
        // The model's type knows its columns as String, Object and Array; an entity is narrower.
        return models[kind]?.create(entity as never) as unknown as Entity;
      },
      replace: (entity, next) => {
        const row = Object.assign(Object.create(Object.getPrototypeOf(entity)), entity, next);
        internal.update(kind, entity, row);
      },
      remove: (key) => {
        const entity = rows.get(key);
        if (entity === undefined) return;
        internal.delete(kind, key);
        listenerOf(kind).onRemove(entity); // the event of the library names the id alone
      },
      removeAllOf: (owner) => {
        for (const entity of [...rows.values()])
          if (entity.owner === owner) internal.delete(kind, entity.key);
      },
    };
  };
  return { openTable };
};

const findInternal = (models: object): InternalDatabase => {
  for (const symbol of Object.getOwnPropertySymbols(models)) {
    const found: unknown = Reflect.get(models, symbol);
    if (typeof found === 'object' && found !== null && 'getModel' in found) return found as InternalDatabase;
  }
  throw new Error(
    'Failed to reach the database of @mswjs/data: it has another shape. Please install version 0.16.2.',
  );
};
