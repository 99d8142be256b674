import type * as z from 'zod';
import { describeExpected } from '../../core/util/describe-expected.ts';
import { valueAt } from '../../core/util/mapping.ts';
import { toPathText } from '../../core/util/path-text.ts';
import { failed, formatValue } from './check.ts';

/** Yields a finding for each place where a value does not match a schema. */
export function* findMismatches(schema: z.ZodType, value: unknown, request: string, prefix = '') {
  for (const issue of schema.safeParse(value).error?.issues ?? []) {
    const found = valueAt(value, issue.path);
    const place = `${prefix}${toPathText(issue.path)}` || 'the reply';
    const rule = issue.message.replace(/^Invalid \w+: /, '').replace(/, received .*$/, '');
    const actual = found === undefined ? 'a reply without it' : formatValue(found);
    const about = `${place}: ${rule}`.replace(/\[\d+\]/g, '[]');
    yield failed(request, `${place} to be ${describeWanted(issue)}`, actual, about);
  }
}

/** What a value should be, such as `an integer`. */
const describeWanted = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_format'
    ? `a ${issue.format === 'datetime' ? 'date-time' : issue.format}`
    : (describeExpected(issue) ?? issue.message);
