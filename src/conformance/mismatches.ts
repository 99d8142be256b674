import type * as z from 'zod';
import { toPathText } from '../util/path-text.ts';
import { broken, type Finding, show } from './check.ts';

/** A check looks at what was inspected before: the objects of a reply are held against a schema once. */
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

/** Where a value leaves a schema, with what stands there. */
export function* findMismatches(
  schema: z.ZodType,
  value: unknown,
  asked: string,
  prefix = '',
): Generator<Finding> {
  for (const { path, message } of findIssues(schema, value)) {
    const found = path.reduce<unknown>((inner, key) => Object(inner)[key], value);
    const place = `${prefix}${toPathText(path)}` || 'the reply';
    const expected = `${place}: ${message.replace(/^Invalid \w+: /, '')}`;
    const about = expected.replace(/\[\d+\]/g, '[]').replace(/, received .*$/, '');
    yield broken(asked, expected, `${place} is ${show(found)}`, about);
  }
}
