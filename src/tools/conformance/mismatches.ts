import type * as z from 'zod';
import { toPathText } from '../../core/util/path-text.ts';
import { failed, formatValue } from './check.ts';
import type { CheckFinding } from './types.ts';

/** What a value should be, such as `an integer`. */
const describeExpected = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_type') {
    const name = issue.expected === 'int' ? 'integer' : issue.expected;
    return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
  }
  if (issue.code === 'invalid_value') return issue.values.map(formatValue).join(' or ');
  if (issue.code === 'invalid_format') return `a ${issue.format === 'datetime' ? 'date-time' : issue.format}`;
  return issue.message;
};

/** Yields a finding for each place where a value does not match a schema. */
export function* findMismatches(
  schema: z.ZodType,
  value: unknown,
  request: string,
  prefix = '',
): Generator<CheckFinding> {
  for (const issue of schema.safeParse(value).error?.issues ?? []) {
    const found = issue.path.reduce<unknown>((inner, key) => Object(inner)[key], value);
    const place = `${prefix}${toPathText(issue.path)}` || 'the reply';
    const rule = issue.message.replace(/^Invalid \w+: /, '').replace(/, received .*$/, '');
    yield failed(
      request,
      `${place} to be ${describeExpected(issue)}`,
      found === undefined ? 'a reply without it' : formatValue(found),
      `${place}: ${rule}`.replace(/\[\d+\]/g, '[]'),
    );
  }
}
