import { factory, nullable, primaryKey } from '@mswjs/data';
import * as z from 'zod';
import type { Kind, Resource } from './kind.ts';

/** Where a record belongs in the database. */
export interface Placement {
  /** The id of the owner, such as the thread of a run; `''` for kinds without an owner. */
  readonly owner: string;
  /** Orders records with the same `created_at`: the later it was created, the higher. */
  readonly sequence: number;
  /** Whether the record was written, so that it no longer follows from the seed. */
  readonly isWritten: boolean;
}

/** The records of one kind, kept in a model of `@mswjs/data`. */
export interface Table<Value extends Resource = Resource> {
  /** Adds a record. Returns it as the model holds it. */
  readonly create: (place: Placement, record: Value) => Value;
  /** Replaces a written record. */
  readonly update: (owner: string, record: Value) => Value;
  /** Deletes a written record. */
  readonly delete: (owner: string, id: string) => void;
  /** The written records of an owner, in order of creation. */
  readonly list: (owner: string) => Value[];
}

/** The columns that each model has in addition to the contract's fields. */
const ownColumns = {
  key: primaryKey(String),
  owner: String,
  sequence: Number,
  isWritten: Boolean,
  /** The fields that the record has, in order. A column cannot be absent, but in the contract absent differs from null. */
  fields: Array<string>,
};

/** A record as the model stores it; `fields` lists which columns belong to the record. */
type StoredRecord = Readonly<Record<string, unknown>> & { readonly fields: readonly string[] };

/** Creates a database with one model for each kind, at first use, since most worlds are never written to. */
export const createTables = (kinds: readonly Kind[]): ((kind: Kind) => Table) => {
  let tables: Map<string, Table> | undefined;
  return ({ name }) => {
    tables ??= openTables(kinds);
    const table = tables.get(name);
    if (table === undefined) throw new Error(`No model for the kind "${name}".`);
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
 * The primary key. Two owners may have records with the same id, and so may a seeded record and the written one that
 * replaces it. An owner's id may contain a slash, so its length is part of the key.
 */
const keyOf = (owner: string, id: string, isWritten: boolean): string =>
  `${isWritten ? 'written' : 'seeded'}/${owner.length}/${owner}/${id}`;

/** The columns of a model: its own ones and one for each field of the contract. */
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

/** The schema of a field's value when it is neither absent nor null. */
const innerType = (schema: unknown): unknown =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodExactOptional
    ? innerType(schema.unwrap())
    : schema;

/** Converts records to their stored form and back. An update of the library merges objects field by field, so an object is stored as a list of one. */
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
      return record as unknown as Resource; // the same fields as were stored
    },
  };
};

/**
 * If there is a `window`, the library opens a BroadcastChannel with the database and copies each change to other tabs. But
 * worlds of two tabs are separate, and in Node an open channel keeps the process alive. So BroadcastChannel is hidden while
 * the database is created.
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
