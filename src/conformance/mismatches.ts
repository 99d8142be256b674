import type * as z from 'zod';
import { toPathText } from '../util/path-text.ts';
import { type CheckFinding, failed, formatValue } from './check.ts';

/** Several checks look at the same replies: each object is validated against a schema once. */
const known = new WeakMap<z.ZodType, WeakMap<object, readonly z.core.$ZodIssue[]>>();

const findIssues = (schema: z.ZodType, value: unknown): readonly z.core.$ZodIssue[] => {
  const find = () => schema.safeParse(value).error?.issues ?? [];
  if (typeof value !== 'object' || value === null) return find();
  const ofSchema = known.get(schema) ?? new WeakMap<object, readonly z.core.$ZodIssue[]>();
  known.set(schema, ofSchema);
  const issues = ofSchema.get(value) ?? find();
  ofSchema.set(value, issues);
  return issues;
};

/** Yields a finding for each place where a value does not match a schema. */
export function* findMismatches(
  schema: z.ZodType,
  value: unknown,
  request: string,
  prefix = '',
): Generator<CheckFinding> {
  for (const { path, message } of findIssues(schema, value)) {
    const found = path.reduce<unknown>((inner, key) => Object(inner)[key], value);
    const place = `${prefix}${toPathText(path)}` || 'the reply';
    const expected = `${place}: ${message.replace(/^Invalid \w+: /, '')}`;
    const about = expected.replace(/\[\d+\]/g, '[]').replace(/, received .*$/, '');
    yield failed(request, expected, `${place} is ${formatValue(found)}`, about);
  }
}
