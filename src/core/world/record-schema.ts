import * as z from 'zod';
import { isWhereItApplies, timestamp } from '../protocol/contract-types.ts';
import { mapValues } from '../util/mapping.ts';
import { lastTimestamp } from './clock-limits.ts';

const isTime = (at: number): boolean => at >= 0 && at <= lastTimestamp;

/** The `…_at` fields of a record that are outside of the years 1970 to 9999. */
export const findBadTimestamps = (record: object): string[] =>
  Object.entries(record).flatMap(([field, value]) =>
    field.endsWith('_at') && typeof value === 'number' && !isTime(value) ? [field] : [],
  );

export const badTimestamp = 'not a time from 1970 to 9999, in seconds';

/**
 * The scenario schema of one collection's changes: the records to write and the ids to delete.
 *
 * @param fields the schema of a written record
 */
export const changesOf = <Fields extends z.ZodType>(fields: Fields) => ({
  /** Records to write: complete ones, or some fields to change in the seeded record with that id. */
  records: z
    .array(fields)
    .superRefine(checkRecords, { when: () => true })
    .default([]),
  /** The ids of seeded records to leave out. */
  deleted: z.array(z.string()).default([]),
});

/** Reports invalid times and repeated ids, even if the schema has found other problems in the records. */
const checkRecords = (records: unknown, context: z.RefinementCtx): void => {
  checkIds(records, context);
  for (const [index, record] of (Array.isArray(records) ? records : []).entries())
    for (const field of findBadTimestamps(Object(record)))
      context.addIssue({ code: 'custom', path: [index, field], message: badTimestamp });
};

/** Reports repeated ids. */
export const checkIds = (records: unknown, context: z.RefinementCtx): void => {
  const seen = new Set<unknown>();
  for (const [index, record] of (Array.isArray(records) ? records : []).entries()) {
    const id: unknown = Object(record).id;
    if (typeof id === 'string' && seen.has(id))
      context.addIssue({ code: 'custom', path: [index, 'id'], message: 'the id of another record' });
    seen.add(id);
  }
};

/**
 * The schema of a written record: only its id is required, and unknown fields are refused at every depth.
 *
 * Like all schemas that no call needs, it is lazy, so it is built when it is first used. Building them all at the start
 * would take 5 ms.
 */
export const fieldsOf = <Shape extends z.ZodRawShape, Id extends z.ZodType = z.ZodString>(
  record: () => z.ZodObject<Shape>,
  id?: () => Id,
) =>
  z.lazy(() =>
    z
      .strictObject(mapValues(record().shape, close) as Shape) // refusing unknown keys does not change the types
      .partial()
      .extend({ id: id?.() ?? recordIdSchema }),
  );

/** The schema of a status: any string, since an assumption decides which names are allowed; editors complete the known names. */
export const statusSchema = <State extends string>() =>
  z.string() as z.ZodType<State | (string & {}), State | (string & {})>; // the type is true: every string is allowed

/**
 * Makes a schema refuse unknown keys, except in objects that are open on purpose. Within an object, a field that does not
 * apply defaults to null, as in seeded records.
 */
const close = (schema: unknown): unknown => {
  if (schema instanceof z.ZodExactOptional) return z.exactOptional(close(schema.unwrap()) as z.ZodType);
  if (schema instanceof z.ZodNullable) return z.nullable(close(schema.unwrap()) as z.ZodType);
  if (schema instanceof z.ZodArray) return z.array(close(schema.element) as z.ZodType);
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return schema;
  return z.strictObject(
    mapValues(schema.shape, (field) => {
      const closed = close(field) as z.ZodType;
      return isWhereItApplies(field) ? closed.default(null) : closed;
    }),
  );
};

/** The keys that say how a record ends. */
export const endingShape = <const States extends readonly [string, ...string[]]>(states: States) => ({
  ends: z
    .enum(states)
    .exactOptional()
    .describe('The state in which it ends, or stays if that is not final. Default: completed.'),
  after: z
    .union([z.string(), z.number()])
    .exactOptional()
    .describe('When it gets there: a duration from its creation, such as 5m, or seconds.'),
});

/** Adds how a record ends, and its transitions. An export lists these for a record that still changes. */
export const withTransitions = <
  Shape extends z.ZodRawShape,
  const States extends readonly [string, ...string[]],
>(
  record: z.ZodLazy<z.ZodObject<Shape, z.core.$strict>>,
  states: States,
) =>
  z.lazy(() =>
    record.unwrap().extend({
      ...endingShape(states),
      transitions: z
        .array(z.strictObject({ at: timestamp, set: record.unwrap().partial() }))
        .max(maxTransitions)
        .superRefine(checkTransitions)
        .exactOptional()
        .describe(
          'Its later changes, each with its time. Without them, a record with a status stays as it is.',
        ),
    }),
  );

/** The most transitions of a record. A seeded record has fewer than fifty. */
const maxTransitions = 1000;

/** Lists are sorted by these fields, and records are looked up by them. */
const fixedFields = ['id', 'created_at', 'thread_id'];

/** Reports transitions out of order, invalid times, and changes of fields that cannot change. */
const checkTransitions = (
  transitions: readonly { readonly at: number; readonly set: object }[],
  context: z.RefinementCtx,
): void => {
  for (const [index, { at, set }] of transitions.entries()) {
    const report = (path: readonly string[], message: string): void =>
      context.addIssue({ code: 'custom', path: [index, ...path], message });
    if (!isTime(at)) report(['at'], badTimestamp);
    else if (at < (transitions[index - 1]?.at ?? at)) report(['at'], 'earlier than the transition above it');
    for (const field of findBadTimestamps(set)) report(['set', field], badTimestamp);
    for (const field of fixedFields)
      if (field in set) report(['set', field], 'not allowed here: this field never changes');
  }
};

/** The greatest length of an id, which has to fit into a URL. */
const maxIdLength = 200;

/** Clients remove `.` and `..` from the path of a URL, and cannot encode lone surrogates. */
const isIdText = (id: string): boolean =>
  !['.', '..', '__proto__'].includes(id) && !/\p{Surrogate}/u.test(id);

export const recordIdSchema = z
  .string()
  .min(1)
  .max(maxIdLength)
  .refine(isIdText, 'not a valid id: it must be well-formed text, not just dots, and not a reserved name');
