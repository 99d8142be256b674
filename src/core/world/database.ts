import { factory, nullable } from '@mswjs/data';

/**
 * A column of any JSON value, null included. If a record is created without the value, the getter draws it. The library's types know only
 * primitives and lists of them; its code takes any value.
 */
export const value = <Value>(get: () => Value) =>
  nullable(get as () => never) as unknown as { getValue: () => Exclude<Value, undefined> };

/** A column that is null by default. */
export const noValue = <Value>() => value<Value | null>(() => null);

/** One column for each field of a record: a missing, extra or mistyped column is a compile error. */
export type ColumnsOf<Value> = {
  readonly [Field in keyof Value]-?:
    | { getValue: () => Exclude<Value[Field], undefined> }
    | (Field extends 'id' ? { getPrimaryKeyValue: () => Value[Field] } : never)
    | (null extends Value[Field] ? never : () => Exclude<Value[Field], undefined>); // a plain getter refuses null
};

/**
 * Creates the database of one owner's records, so that their ids are its keys.
 *
 * If there is a `window`, the library opens a BroadcastChannel with the database and copies each change to other tabs. But
 * worlds of two tabs are separate, and in Node an open channel keeps the process alive. So BroadcastChannel is hidden while
 * the database is created.
 */
export const createDatabase = <Models extends Parameters<typeof factory>[0]>(models: Models) => {
  const { BroadcastChannel } = globalThis;
  try {
    Reflect.deleteProperty(globalThis, 'BroadcastChannel');
    return factory(models);
  } finally {
    if (BroadcastChannel !== undefined) Object.assign(globalThis, { BroadcastChannel });
  }
};

/**
 * Copies an entity into the record that a client sees: the entity is the library's own object, with two extra symbols.
 *
 * @param fields the columns that the record has, in order. Default: all. A column cannot be absent
 */
export const recordOf = <Value extends object>(
  entity: object,
  fields: readonly string[] = Object.keys(entity),
): Value => Object.fromEntries(fields.map((field) => [field, Reflect.get(entity, field)])) as Value; // a model has the columns of its record
