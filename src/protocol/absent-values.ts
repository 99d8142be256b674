import * as z from 'zod';
import type { Assume } from './assumptions.ts';
import { isWhereItApplies, listedIn } from './contract-types.ts';

/**
 * A reply as the assumption `absent-values` has it: what does not apply to a record is null, or missing. It is about
 * the records alone; the envelope of a list is left as it is.
 *
 * @param schema that of the reply: most contracts tell of each field whether it may be null, so that nothing is assumed
 */
export const withAbsentValues = (reply: object, schema: z.ZodType, assume: Assume): object => {
  if (!hasAbsentValues(schema) || assume('absent-values') === 'null') return reply;
  // The handler's type holds that the data of a list is one.
  return listedIn(schema) === undefined
    ? omitNulls(reply)
    : { ...reply, data: omitNulls(Reflect.get(reply, 'data')) };
};

/** What was found of a schema, which never changes: each answer that is not kept asks for it. */
const known = new WeakMap<z.ZodType, boolean>();

const hasAbsentValues = (schema: z.ZodType): boolean => {
  const found = known.get(schema) ?? findAbsentValues(schema);
  known.set(schema, found);
  return found;
};

const findAbsentValues = (schema: unknown): boolean => {
  if (schema instanceof z.ZodArray) return findAbsentValues(schema.element);
  if (schema instanceof z.ZodObject) return Object.values(schema.shape).some(findAbsentValues);
  return schema instanceof z.ZodType && isWhereItApplies(schema);
};

/** A copy without nulls, at any depth: the contract's schemas allow each of these fields to be missing. */
const omitNulls = <Value>(value: Value): Value => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(omitNulls) as Value;
  const present = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(present.map(([name, inner]) => [name, omitNulls(inner)])) as Value;
};
