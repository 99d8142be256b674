import * as z from 'zod';
import type { Assume } from '../assumptions/table.ts';
import { isMapping, ownValue } from '../util/mapping.ts';
import { isWhereItApplies } from './contract-types.ts';

/** Applies the assumption `absent-values` to a reply: fields that do not apply to a record are null, or left out. */
export const withAbsentValues = (reply: object, schema: z.ZodType, assume: Assume): object =>
  assume('absent-values') === 'null' ? reply : Object(omitNulls(reply, schema, isWhereItApplies));

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
