import { expect, test } from 'vitest';
import * as z from 'zod';
import { createAssumptions } from '../assumptions/marking.ts';
import { withAbsentValues } from './absent-values.ts';
import { listEnvelope, whereItApplies } from './contract-types.ts';

const record = z.object({
  id: z.string(),
  usage: whereItApplies(z.object({ total: whereItApplies(z.int()) })),
  metadata: z.looseObject({}).optional(),
});
const list = z.object({ ...listEnvelope(record), last_id: z.string().nullable(), has_more: z.boolean() });
const records = [
  { id: 'a', usage: null },
  { id: 'b', usage: { total: null } },
];

const { assume: omitting } = createAssumptions({ 'absent-values': 'omitted' }).forAnswer();

test('the records of a list lose their nulls at any depth, its envelope none', () => {
  const page = { object: 'list', data: records, last_id: null, has_more: false };
  expect(withAbsentValues(page, list, omitting)).toEqual({
    ...page,
    data: [{ id: 'a' }, { id: 'b', usage: {} }],
  });
  expect(Object.keys(withAbsentValues(page, list, omitting))).toEqual(Object.keys(page));
});

test('a record alone loses them, too, without a word from its handler', () => {
  expect(withAbsentValues(records[0] ?? {}, record, omitting)).toEqual({ id: 'a' });
});

test('what the contract leaves open keeps its nulls', () => {
  const open = { id: 'a', usage: null, metadata: { note: null, more: [null] } };
  expect(withAbsentValues(open, record, omitting)).toEqual({ id: 'a', metadata: open.metadata });
});

test('a reply is the very same one where nulls are kept, and keeps those that its contract states', () => {
  const { assume: keeping } = createAssumptions({}).forAnswer();
  const policy = { id: 'a', name: null };
  expect(withAbsentValues(records[0] ?? {}, record, keeping)).toBe(records[0]);
  const policySchema = z.object({ id: z.string(), name: z.string().nullable() });
  expect(withAbsentValues(policy, policySchema, omitting)).toEqual(policy);
});
