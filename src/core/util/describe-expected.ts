import type * as z from 'zod'; // only its types: `connect` is bundled without zod

type Issue = z.core.$ZodRawIssue | z.core.$ZodIssue;

/** What a schema expects in place of a value, in the words of JSON: `an integer`, `"asc" or "desc"`. Undefined for issues of other kinds. */
export const describeExpected = (issue: Issue): string | undefined =>
  [...new Set(expectedOf(issue))].join(' or ') || undefined;

const expectedOf = (issue: Issue): string[] => {
  if (issue.code === 'invalid_type') return [describeType(issue.expected)];
  if (issue.code === 'invalid_value') return issue.values.map(show);
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(expectedOf) : [];
};

const names: Readonly<Record<string, string>> = { int: 'integer', record: 'object' };

const describeType = (type: string): string => {
  const name = names[type] ?? type;
  return /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`;
};

/** Describes a value, also a value that JSON cannot express. */
export const show = (value: unknown): string => {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  try {
    return JSON.stringify(value) ?? `a ${typeof value}`;
  } catch {
    return `a ${typeof value}`; // it contains itself, or a bigint
  }
};
