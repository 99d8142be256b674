import { factory, nullable, primaryKey } from '@mswjs/data';
import * as z from 'zod';
import type { Kind, Resource } from './kind.ts';

/** Where a record belongs. */
export interface Placement {
  /** Such as the thread of a run; empty for kinds that belong to no other. */
  readonly owner: string;
  /** Its place among the records of the same second: the later it was created, the higher. */
  readonly sequence: number;
  /** Whether it was written by hand: then it no longer follows from the seed. */
  readonly isWritten: boolean;
}

/** The records of one kind, in a model of `@mswjs/data`. */
export interface Table<Value extends Resource = Resource> {
  /** Adds a record, and returns it as the model holds it. */
  readonly create: (place: Placement, record: Value) => Value;
  /** Changes a record that was written by hand before. */
  readonly update: (owner: string, record: Value) => Value;
  /** Takes out a record that was written by hand. */
  readonly delete: (owner: string, id: string) => void;
  /** The records of an owner that were written by hand, in the order of their creation. */
  readonly list: (owner: string) => Value[];
}

/** What each model has beside the fields of the contract. */
const ownColumns = {
  key: primaryKey(String),
  owner: String,
  sequence: Number,
  isWritten: Boolean,
  /** Which fields the record has, in their order. A column cannot be missing, and the contract tells that from null. */
  fields: Array<string>,
};

/** A row, of which `fields` says what belongs to the record. */
type StoredRecord = Readonly<Record<string, unknown>> & { readonly fields: readonly string[] };

/** One database, with a model for each of the kinds. It is made at first use: most worlds are never written to. */
export const createTables = (kinds: readonly Kind[]): ((kind: Kind) => Table) => {
  let tables: Map<string, Table> | undefined;
  return ({ name }) => {
    tables ??= openTables(kinds);
    const table = tables.get(name);
    if (table === undefined) throw new Error(`There is no model of the kind "${name}".`);
    return table;
  };
};

const openTables = (kinds: readonly Kind[]): Map<string, Table> => {
  const models = withoutOtherTabs(() => createModels(kinds));
  const tables = new Map<string, Table>();
  for (const kind of kinds) {
    const model = models[kind.name];
    if (model !== undefined) tables.set(kind.name, tableOf(kind, model));
  }
  return tables;
};

const createModels = (kinds: readonly Kind[]) =>
  factory(Object.fromEntries(kinds.map((kind) => [kind.name, columnsOf(kind)])));

type Model = NonNullable<ReturnType<typeof createModels>[string]>;

const tableOf = (kind: Kind, model: Model): Table => {
  const { toStored, toRecord } = conversionsOf(kind);
  const written = (owner: string, id: string) => ({ key: { equals: keyOf(owner, id, true) } });
  return {
    create: ({ owner, sequence, isWritten }, record) =>
      toRecord(
        model.create({
          ...toStored(record),
          key: keyOf(owner, record.id, isWritten),
          owner,
          sequence,
          isWritten,
        }),
      ),
    update: (owner, record) =>
      toRecord(model.update({ where: written(owner, record.id), data: toStored(record), strict: true })),
    delete: (owner, id) => {
      model.delete({ where: written(owner, id), strict: true });
    },
    list: (owner) =>
      model
        .findMany({
          where: { owner: { equals: owner }, isWritten: { equals: true } },
          orderBy: { sequence: 'asc' },
        })
        .map((stored) => toRecord(stored)),
  };
};

/**
 * Two owners may have a record of the same id, and what is written over a seeded record has its id. A slash may stand in
 * an owner, so that its length says where it ends.
 */
const keyOf = (owner: string, id: string, isWritten: boolean): string =>
  `${isWritten ? 'written' : 'seeded'}/${owner.length}/${owner}/${id}`;

/** The columns of a model: one for each field of the contract. */
const columnsOf = ({ record }: Pick<Kind, 'record'>) => ({
  ...ownColumns,
  ...Object.fromEntries(Object.entries(record().shape).map(([field, schema]) => [field, columnFor(schema)])),
});

const columnFor = (schema: unknown) => {
  const column = plainColumnFor(innerType(schema));
  return innerType(schema) === schema ? column : nullable(column);
};

const plainColumnFor = (schema: unknown): (() => string | number | boolean | string[]) => {
  if (schema instanceof z.ZodNumber) return Number;
  if (schema instanceof z.ZodBoolean) return Boolean;
  return schema instanceof z.ZodArray || schema instanceof z.ZodObject ? Array<string> : String;
};

/** What a field holds where it is neither missing nor null. */
const innerType = (schema: unknown): unknown =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodExactOptional
    ? innerType(schema.unwrap())
    : schema;

/** How records become rows, and rows records. An update of the library merges an object field by field into the one before: so a row has it as a list of one. */
const conversionsOf = ({ record }: Pick<Kind, 'record'>) => {
  const objects = new Set(
    Object.entries(record().shape).flatMap(([field, schema]) =>
      innerType(schema) instanceof z.ZodObject ? [field] : [],
    ),
  );
  return {
    toStored: (values: Resource) => ({
      ...Object.fromEntries(
        Object.entries(values).map(([field, value]) => [
          field,
          objects.has(field) && value !== null ? [value] : value,
        ]),
      ),
      fields: Object.keys(values),
    }),
    toRecord: (stored: object | null): Resource => {
      const { fields, ...values } = stored as StoredRecord; // `strict` throws where there is none
      const record: Record<string, unknown> = {};
      for (const field of fields) {
        const value = values[field];
        record[field] = objects.has(field) && Array.isArray(value) ? value[0] : value;
      }
      return record as unknown as Resource; // as it went in
    },
  };
};

/**
 * Where there is a `window`, the library copies each change to the databases of other tabs, by a BroadcastChannel that it
 * opens with the database. Worlds of two tabs are two worlds, and in Node an open channel keeps the process alive: so
 * there is no such channel for the moment in which the database is made.
 */
const withoutOtherTabs = <Value>(make: () => Value): Value => {
  const { BroadcastChannel } = globalThis;
  try {
    Reflect.deleteProperty(globalThis, 'BroadcastChannel');
    return make();
  } finally {
    if (BroadcastChannel !== undefined) Object.assign(globalThis, { BroadcastChannel });
  }
};
