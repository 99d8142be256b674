import * as z from 'zod';
import type { Assume } from '../assumptions/table.ts';
import { isMapping, ownValue } from '../util/mapping.ts';
import { isWhereItApplies } from './contract-types.ts';

/**
 * Applies the assumption `absent-values` to a reply: fields that do not apply to a record are null, or left out.
 *
 * @param schema the schema of the reply; most have no such fields, and then nothing is assumed
 */
export const withAbsentValues = (reply: object, schema: z.ZodType, assume: Assume): object => {
  if (!hasAbsentValues(schema) || assume('absent-values') === 'null') return reply;
  return omitNulls(reply, schema, isWhereItApplies) as object; // a copy of the reply
};

/** Cached by schema: schemas never change, and almost every reply needs the result. */
const resultsBySchema = new WeakMap<z.ZodType, boolean>();

const hasAbsentValues = (schema: z.ZodType): boolean => {
  const result = resultsBySchema.get(schema) ?? findAbsentValues(schema);
  resultsBySchema.set(schema, result);
  return result;
};

const findAbsentValues = (schema: unknown): boolean => {
  if (schema instanceof z.ZodArray) return findAbsentValues(schema.element);
  if (schema instanceof z.ZodObject) return Object.values(schema.shape).some(findAbsentValues);
  return schema instanceof z.ZodType && isWhereItApplies(schema);
};

/** Copies a value without the nulls of some fields of its schema. Nulls in open objects, such as metadata, stay. */
export const omitNulls = (
  value: unknown,
  schema: unknown,
  isOmitted: (field: z.ZodType) => boolean,
): unknown => {
  if (schema instanceof z.ZodExactOptional || schema instanceof z.ZodNullable)
    return omitNulls(value, schema.unwrap(), isOmitted);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => omitNulls(item, schema.element, isOmitted));
  if (!(schema instanceof z.ZodObject) || !isMapping(value)) return value;
  const shape: Readonly<Record<string, z.ZodType | undefined>> = schema.shape;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const field = ownValue(shape, name);
      if (inner === null && field !== undefined && isOmitted(field)) return [];
      return [[name, omitNulls(inner, field, isOmitted)]];
    }),
  );
};
