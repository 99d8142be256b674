import type * as z from 'zod';
import type { AssumptionId } from '../assumptions/table.ts';
import { truncate } from '../util/truncate.ts';
import { refuse } from './refuse.ts';

/** The assumption under which an invalid value is refused, by parameter and zod's issue code. */
const answersFor: Readonly<Record<string, AssumptionId>> = {
  'limit invalid_type': 'limit-format',
  'limit too_big': 'limit-too-large',
  'limit too_small': 'limit-too-small',
  'order invalid_value': 'order-value',
  'status invalid_value': 'policy-status-value',
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
    message: `Invalid '${name}': integer ${side} value. Expected a value ${expected}, but got ${truncate(sent)} instead.`,
    param: name,
    code: above ? 'integer_above_max_value' : 'integer_below_min_value',
  });
};

export const refuseValue = (name: string, sent: string, issue: z.core.$ZodIssue | undefined): never => {
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
