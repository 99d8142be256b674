import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createAssumptions } from '../assumptions/marking.ts';
import type { AssumptionChoices } from '../assumptions/table.ts';
import { GatewayError } from './errors.ts';
import { parseQuery } from './query.ts';

const schema = z.object({
  limit: z.int().min(1).max(100).default(20),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: z.string().exactOptional(),
});

const read = (query: string, choices: AssumptionChoices = {}) => {
  const { assume, marks } = createAssumptions(choices).forAnswer();
  return { values: parseQuery(schema, query, assume), marks };
};

const refusalOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof GatewayError) return { assumption: error.assumption, ...error.refusal };
    throw error;
  }
  return undefined;
};

const usual = { limit: 20, order: 'desc' };

test.each([
  ['', usual],
  ['limit=5&order=asc&after=a', { limit: 5, order: 'asc', after: 'a' }],
  ['limit=005', { ...usual, limit: 5 }],
  ['limit=100', { ...usual, limit: 100 }],
  ['limit=&order=&after=', usual],
  ['after=5', { ...usual, after: '5' }],
  ['after=a%20b%2B', { ...usual, after: 'a b+' }],
  ['more=1&toString=2', usual],
  ['__proto__=1&&&=&=x&%zz=%zz&limit[]=5', usual],
])('"%s" is read as %j', (query, values) => {
  expect(read(query).values).toEqual(values);
});

describe('a query that breaks the contract is refused', () => {
  const nines = '9'.repeat(400);
  const below = 'integer below minimum value. Expected a value >= 1, but got 0 instead.';
  const above = 'integer above maximum value. Expected a value <= 100, but got';
  const integer = "Invalid type for 'limit': expected an integer, but got";

  test.each([
    ['limit=x', 'limit-format', 'invalid_type', `${integer} 'x' instead.`],
    ['limit=%zz', 'limit-format', 'invalid_type', `${integer} '%zz' instead.`],
    ['limit=%D9%A3', 'limit-format', 'invalid_type', `${integer} '٣' instead.`],
    ['limit=1.5', 'limit-format', 'invalid_type', `${integer} '1.5' instead.`],
    ['limit=0', 'limit-too-small', 'integer_below_min_value', `Invalid 'limit': ${below}`],
    ['limit=101', 'limit-too-large', 'integer_above_max_value', `Invalid 'limit': ${above} 101 instead.`],
    [
      `limit=${nines}`,
      'limit-too-large',
      'integer_above_max_value',
      `Invalid 'limit': ${above} ${nines.slice(0, 200)}… instead.`,
    ],
    [
      'order=up',
      'order-value',
      'invalid_value',
      "Invalid value: 'up'. Supported values are: 'asc' and 'desc'.",
    ],
    [
      'limit=1&%6cimit=2&limit=3',
      'repeated-parameter',
      'duplicate_parameter',
      "Duplicate parameter: 'limit' was given 3 times, but may be given once.",
    ],
  ])('%s', (query, assumption, code, message) => {
    const [param] = query.split('=');
    expect(refusalOf(() => read(query))).toEqual({ assumption, status: 400, message, param, code });
  });

  test('for a limit below 0, also where 0 asks for an empty page', () => {
    const choices = { 'limit-too-small': 'empty-page' } as const;
    expect(read('limit=0', choices).values).toEqual({ ...usual, limit: 0 });
    expect(refusalOf(() => read('limit=-1', choices))).toMatchObject({ assumption: 'limit-too-small' });
  });

  test('for an unknown parameter, if so chosen', () => {
    const choices = { 'unknown-parameter': '400' } as const;
    expect(refusalOf(() => read('limit=5&constructor=1', choices))).toEqual({
      assumption: 'unknown-parameter',
      status: 400,
      message: "Unknown parameter: 'constructor'. This operation takes limit, order, after.",
      param: 'constructor',
      code: 'unknown_parameter',
    });
    expect(read('limit=5&after=a', choices).values).toEqual({ ...usual, limit: 5, after: 'a' });
    const { assume } = createAssumptions(choices).forAnswer();
    expect(refusalOf(() => parseQuery(z.object({}), `${'x'.repeat(300)}=1`, assume))).toMatchObject({
      message: `Unknown parameter: '${'x'.repeat(200)}…'. This operation takes none.`,
      param: `${'x'.repeat(200)}…`,
    });
  });
});
