import * as z from 'zod';
import type { Assume } from '../assumptions/table.ts';
import { truncate } from '../util/truncate.ts';
import { refuseValue } from './query-refusals.ts';
import { refuse } from './refuse.ts';

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
      refuse('unknown-parameter', {
        message: `Unknown parameter: '${truncate(name)}'. This operation takes ${Object.keys(schema.shape).join(', ') || 'none'}.`,
        param: truncate(name),
        code: 'unknown_parameter',
      });

  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const [value, ...more] = parameters.getAll(name);
    if (more.length > 0)
      refuse('repeated-parameter', {
        message: `Duplicate parameter: '${name}' was given ${more.length + 1} times, but may be given once.`,
        param: name,
        code: 'duplicate_parameter',
      });
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
