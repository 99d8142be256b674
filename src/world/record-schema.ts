import * as z from 'zod';
import { isWhereItApplies } from '../protocol/contract-types.ts';
import { idTextRule, isIdText, maxIdLength } from '../protocol/record-id.ts';
import { slipOf } from '../util/nearest.ts';
import { lastTimestamp } from './clock-limits.ts';

/** The fields of a record that are no moment which a scenario could write. */
export const findBadTimestamps = (record: object): string[] =>
  Object.entries(record).flatMap(([field, value]) =>
    field.endsWith('_at') && typeof value === 'number' && !(value >= 0 && value <= lastTimestamp)
      ? [field]
      : [],
  );

export const badTimestamp = 'no moment from 1970 to 9999, in seconds';

/** What is wrong among records, whatever else is wrong in each: it is told all at once. */
const findImpossible = (records: unknown, context: z.RefinementCtx): void => {
  const seen = new Set<unknown>();
  for (const [index, record] of (Array.isArray(records) ? records : []).entries()) {
    for (const field of findBadTimestamps(Object(record)))
      context.addIssue({ code: 'custom', path: [index, field], message: badTimestamp });
    const id: unknown = Object(record).id;
    if (typeof id === 'string' && seen.has(id))
      context.addIssue({ code: 'custom', path: [index, 'id'], message: 'the second record of this id' });
    seen.add(id);
  }
};

/**
 * The scenario schema of the records that one collection has by hand.
 *
 * @param fields the record's fields as the contract has them, none required
 */
export const changesOf = <Fields extends z.ZodType>(fields: Fields) => ({
  /** Records written by hand: whole ones, or some fields over the seeded record of that id. */
  records: z
    .array(fields)
    .superRefine(findImpossible, { when: () => true })
    .default([]),
  /** The ids of seeded records that are left out. */
  deleted: z.array(z.string()).default([]),
});

/**
 * The fields of a record of which just the id is required, and no other is allowed, in the objects within it neither.
 *
 * As all schemas that no call needs, they are lazy: made when something is checked by them. All in all that is half of
 * the schemas that a start would make, and 5 ms of it.
 */
export const fieldsOf = <Shape extends z.ZodRawShape, Id extends z.ZodType = z.ZodString>(
  record: () => z.ZodObject<Shape>,
  id?: () => Id,
) =>
  z.lazy(() => {
    const closed = Object.entries(record().shape).map(([key, field]) => [key, close(field)]);
    return (
      z
        // It is the same shape: what it refuses besides has no type of its own.
        .strictObject(Object.fromEntries(closed) as Shape)
        .partial()
        .extend({ id: id?.() ?? recordIdSchema })
    );
  });

/** A state that is given by hand: any, since the contract leaves the names open, but for one that is a known one mistyped. */
export const stateOf = <State extends string>(names: readonly State[]) =>
  z.string().superRefine((state, context) => {
    const isKnown = names.some((name) => name === state);
    const meant = isKnown ? undefined : slipOf(state, names);
    if (meant !== undefined)
      context.addIssue({ code: 'custom', message: `"${state}" is no state. Did you mean "${meant}"?` });
  }) as z.ZodType<State | (string & {}), State | (string & {})>; // the same texts, of which editors complete the known ones

/**
 * The same schema without room for unknown keys, but where an object is open on purpose. What need not apply within an
 * object that is given is null where it is not given, as it is in seeded records.
 */
const close = (schema: unknown): unknown => {
  if (schema instanceof z.ZodExactOptional) return z.exactOptional(close(schema.unwrap()) as z.ZodType);
  if (schema instanceof z.ZodNullable) return z.nullable(close(schema.unwrap()) as z.ZodType);
  if (schema instanceof z.ZodArray) return z.array(close(schema.element) as z.ZodType);
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return schema;
  return z.strictObject(
    Object.fromEntries(
      Object.entries(schema.shape).map(([key, field]) => {
        const closed = close(field) as z.ZodType;
        return [key, isWhereItApplies(field) ? closed.default(null) : closed];
      }),
    ),
  );
};

/** The id of a record, by which URLs name it. */
export const recordIdSchema = z
  .string()
  .min(1)
  .max(maxIdLength)
  .refine((id) => id === '' || isIdText(id), `no id: ${idTextRule}`);

/** What is undefined was not given. */
export const omitUndefined = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values; // the types of optional fields allow it
