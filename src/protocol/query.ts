import * as z from 'zod';
import { truncate } from '../util/truncate.ts';
import type { Assume, AssumptionId } from './assumptions.ts';
import { refuse } from './errors.ts';

/** The assumption under which an invalid value is refused, by parameter and zod's issue code. */
const answersFor: Readonly<Record<string, AssumptionId>> = {
  'limit invalid_type': 'limit-format',
  'limit too_big': 'limit-too-large',
  'limit too_small': 'limit-too-small',
  'order invalid_value': 'order-value',
  'status invalid_value': 'policy-status-value',
};

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
  const sent = new URLSearchParams(query);
  if (schema.def.catchall !== undefined) return schema.parse(Object.fromEntries(sent)); // it takes any parameter
  refuseUnknown(schema, sent, assume);

  const given: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const [value, ...more] = sent.getAll(name);
    if (more.length > 0)
      refuse('repeated-parameter', {
        status: 400,
        message: `Duplicate parameter: '${name}' was given ${more.length + 1} times, but may be given once.`,
        param: name,
        code: 'duplicate_parameter',
      });
    if (value === '') assume('blank-parameter');
    else if (value !== undefined) given[name] = takesInteger(field) ? toInteger(value) : value;
  }

  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0]);
  return refuseValue(name, sent.get(name) ?? '', issue);
};

/** Refuses an integer outside of its bounds, with the message of recorded traffic. */
export const refuseBound = (
  name: string,
  sent: string,
  bound: { readonly maximum: number } | { readonly minimum: number },
): never => {
  const above = 'maximum' in bound;
  const side = above ? 'above maximum' : 'below minimum';
  const expected = above ? `<= ${bound.maximum}` : `>= ${bound.minimum}`;
  return refuse(above ? 'limit-too-large' : 'limit-too-small', {
    status: 400,
    message: `Invalid '${name}': integer ${side} value. Expected a value ${expected}, but got ${truncate(sent)} instead.`,
    param: name,
    code: above ? 'integer_above_max_value' : 'integer_below_min_value',
  });
};

const refuseValue = (name: string, sent: string, issue: z.core.$ZodIssue | undefined): never => {
  const assumption = answersFor[`${name} ${issue?.code}`];
  if (issue === undefined || assumption === undefined)
    throw new Error(`No assumption for an invalid '${name}' (${issue?.code}).`);
  if (issue.code === 'too_big') return refuseBound(name, sent, { maximum: Number(issue.maximum) });
  if (issue.code === 'too_small') return refuseBound(name, sent, { minimum: Number(issue.minimum) });
  if (issue.code === 'invalid_value')
    return refuse(assumption, {
      status: 400,
      message: `Invalid value: '${truncate(sent)}'. Supported values are: ${issue.values.map((value) => `'${String(value)}'`).join(' and ')}.`,
      param: name,
      code: 'invalid_value',
    });
  return refuse(assumption, {
    status: 400,
    message: `Invalid type for '${name}': expected an integer, but got '${truncate(sent)}' instead.`,
    param: name,
    code: 'invalid_type',
  });
};

const refuseUnknown = (schema: z.ZodObject, sent: URLSearchParams, assume: Assume): void => {
  for (const name of sent.keys()) {
    if (Object.hasOwn(schema.shape, name) || assume('unknown-parameter') === 'ignored') continue;
    refuse('unknown-parameter', {
      status: 400,
      message: `Unknown parameter: '${truncate(name)}'. This operation takes ${Object.keys(schema.shape).join(', ') || 'none'}.`,
      param: truncate(name),
      code: 'unknown_parameter',
    });
  }
};

const takesInteger = (field: z.core.$ZodType): boolean =>
  field instanceof z.ZodDefault ? takesInteger(field.def.innerType) : field instanceof z.ZodNumber;

/** Converts integers in the digits 0 to 9. Any other text stays text, which the schema then refuses. */
const toInteger = (text: string): number | string => (/^-?[0-9]+$/.test(text) ? clamp(Number(text)) : text);

/** A number of thousands of digits would be Infinity, which zod does not take for an integer. */
const clamp = (value: number): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));
