import { describe, expect, test } from 'vitest';
import type { FieldSchema } from './data-drafts.ts';
import { splitError, toDrafts, toFormFields, toValues } from './data-form.ts';

const nullable = (schema: FieldSchema): FieldSchema => ({ anyOf: [schema, { type: 'null' }] });
const schema: FieldSchema = {
  required: ['owner'],
  properties: {
    object: { type: 'string', const: 'thing' },
    name: { type: ['string', 'null'] },
    size: { type: 'number' },
    made_at: nullable({ type: 'integer' }),
    is_on: { type: 'boolean' },
    unit: { enum: ['a', 'b'] },
    tags: { type: 'array' },
    usage: nullable({
      type: 'object',
      required: ['type', 'total'],
      properties: { extra: { type: 'number' }, type: { const: 'sum' }, total: { type: 'integer' } },
    }),
    note: nullable({ type: 'object', properties: {} }),
    owner: { type: 'string' },
  },
};
const fields = toFormFields(schema);

describe('the fields of the form', () => {
  test('are those of the schema, the required ones first and nested objects last', () => {
    expect(fields.map(({ name }) => name)).toEqual([
      'owner',
      'object',
      'name',
      'size',
      'made_at',
      'is_on',
      'unit',
      'tags',
      'note',
      'usage',
    ]);
    expect(fields.map(({ form }) => form.editor).slice(2, 9)).toEqual([
      'text',
      'number',
      'time',
      'switch',
      'choice',
      'json',
      'json',
    ]);
    expect(fields.at(-1)?.fields?.map(({ path, isRequired }) => [path, isRequired])).toEqual([
      ['usage.type', true],
      ['usage.total', true],
      ['usage.extra', false],
    ]);
  });

  test('give a record of what was written, and leave out the rest', () => {
    expect(toValues(fields, {})).toEqual({});
    const drafts = {
      owner: 'o_1',
      name: '  ',
      size: '1.5',
      made_at: '2026-01-15 12:00:00',
      is_on: 'false',
      unit: '"b"',
      tags: '[1]',
      'usage.total': '12',
    };
    expect(toValues(fields, drafts)).toEqual({
      owner: 'o_1',
      size: 1.5,
      made_at: 1768478400,
      is_on: false,
      unit: 'b',
      tags: [1],
      usage: { type: 'sum', total: 12 },
    });
    // What is no number is left to the server to refuse.
    expect(toValues(fields, { size: 'big' })).toEqual({ size: 'big' });
    expect(() => toValues(fields, { tags: '[', note: '{' })).toThrow(
      /^tags: Invalid JSON: .*; note: Invalid JSON: /,
    );
  });

  test('show a record, and say what of it they cannot show', () => {
    const values = { owner: 'o_1', object: 'thing', is_on: true, usage: { type: 'sum', total: 2 } };
    const { drafts, lost } = toDrafts(fields, values);
    expect(lost).toEqual([]);
    expect(toValues(fields, drafts)).toEqual({ owner: 'o_1', is_on: true, usage: values.usage });
    expect(
      toDrafts(fields, {
        name: '',
        size: '7',
        made_at: null,
        object: 'other',
        nope: 1,
        unit: 'c',
        usage: { more: 1, total: 3 },
        constructor: 1,
      }),
    ).toEqual({
      drafts: { 'usage.total': '3' },
      lost: ['name', 'size', 'made_at', 'object', 'nope', 'unit', 'usage.more', 'constructor'],
    });
    expect(toDrafts(fields, { usage: null, note: null, tags: [] })).toEqual({
      drafts: { note: 'null', tags: '[]' },
      lost: ['usage'],
    });
  });
});

test.each([
  [
    'Failed to create the run "a": size: expected a number, but found "x; y"; usage.total: missing: expected a number.',
    {
      size: 'size: expected a number, but found "x; y"',
      'usage.total': 'usage.total: missing: expected a number.',
    },
    undefined,
  ],
  ['Failed to create the run: owner is missing: set it.', { owner: 'owner is missing: set it.' }, undefined],
  [
    'Failed to create the run "a": tags[0].x: unknown key; size: a; size: b',
    { tags: 'tags[0].x: unknown key', size: 'size: a; size: b' },
    undefined,
  ],
  ['Failed to create the run "a": nope: unknown key; size: a', { size: 'size: a' }, 'nope: unknown key'],
  [
    'Failed to create the run "a": a record with this id exists.',
    {},
    'Failed to create the run "a": a record with this id exists.',
  ],
])('an error is split by field: %s', (message, byPath, rest) => {
  expect(splitError(fields, message)).toEqual({ byPath, rest });
});
