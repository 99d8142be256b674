import * as z from 'zod';
import type { Assume } from '../assumptions/table.ts';
import { refuseRepeated, refuseUnknown, refuseValue } from './query-refusals.ts';

/**
 * Parses a query string by the contract's schema, and fills in the defaults.
 *
 * @throws GatewayError 400, naming the parameter
 */
export const parseQuery = <Schema extends z.ZodObject>(
  schema: Schema,
  query: string,
  assume: Assume,
): z.output<Schema> => {
  if (query === '') return schema.parse({});
  const parameters = new URLSearchParams(query);
  if (schema.def.catchall !== undefined) return schema.parse(Object.fromEntries(parameters)); // it takes any parameter
  for (const name of parameters.keys())
    if (!Object.hasOwn(schema.shape, name) && assume('unknown-parameter') !== 'ignored')
      refuseUnknown(name, schema);

  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const [value, ...more] = parameters.getAll(name);
    if (more.length > 0) refuseRepeated(name, more.length + 1);
    if (value !== undefined && value !== '') values[name] = takesInteger(field) ? toInteger(value) : value;
  }

  // The schema refuses 0: it checks the other parameters without it.
  const isEmptyPage = values.limit === 0 && assume('limit-too-small') === 'empty-page';
  if (isEmptyPage) delete values.limit;

  const result = schema.safeParse(values);
  if (result.success) return isEmptyPage ? { ...result.data, limit: 0 } : result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0]);
  return refuseValue(name, parameters.get(name) ?? '', issue);
};

const takesInteger = (field: z.core.$ZodType): boolean =>
  field instanceof z.ZodDefault ? takesInteger(field.def.innerType) : field instanceof z.ZodNumber;

/** Converts integers in the digits 0 to 9. Any other text stays text, which the schema then refuses. */
const toInteger = (text: string): number | string => (/^-?[0-9]+$/.test(text) ? clamp(Number(text)) : text);

/** A number of thousands of digits would be Infinity, which zod does not take for an integer. */
const clamp = (value: number): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));
