import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createAssumptions } from './assume.ts';
import type { AssumptionChoices } from './assumptions.ts';
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
])('"%s" is read as %j', (query, values) => {
  expect(read(query).values).toEqual(values);
});

describe('a query that breaks the contract is refused', () => {
  const type = (sent: string) => `Invalid type for 'limit': expected an integer, but got '${sent}' instead.`;
  const bound = (side: string, expected: string, sent: string) =>
    `Invalid 'limit': integer ${side} value. Expected a value ${expected}, but got ${sent} instead.`;
  const nines = '9'.repeat(400);

  test.each([
    ['limit=x', 'limit-format', 'limit', 'invalid_type', type('x')],
    ['limit=1.5', 'limit-format', 'limit', 'invalid_type', type('1.5')],
    ['limit=0', 'limit-too-small', 'limit', 'integer_below_min_value', bound('below minimum', '>= 1', '0')],
    [
      'limit=101',
      'limit-too-large',
      'limit',
      'integer_above_max_value',
      bound('above maximum', '<= 100', '101'),
    ],
    [
      `limit=${nines}`,
      'limit-too-large',
      'limit',
      'integer_above_max_value',
      bound('above maximum', '<= 100', `${nines.slice(0, 200)}…`),
    ],
    [
      'order=up',
      'order-value',
      'order',
      'invalid_value',
      "Invalid value: 'up'. Supported values are: 'asc' and 'desc'.",
    ],
    [
      'limit=1&limit=2&limit=3',
      'repeated-parameter',
      'limit',
      'duplicate_parameter',
      "Duplicate parameter: 'limit' was given 3 times, but may be given once.",
    ],
  ])('%s', (query, assumption, param, code, message) => {
    expect(refusalOf(() => read(query))).toEqual({ assumption, status: 400, message, param, code });
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
