import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineKind } from './kind.ts';
import { createTables, type Placement, type Table } from './models.ts';

const shape = z.object({
  id: z.string(),
  created_at: z.int(),
  isOpen: z.boolean().nullable(),
  note: z.string().nullable().exactOptional(),
  tags: z.array(z.string()),
  details: z.object({ size: z.int(), inner: z.record(z.string(), z.string()) }).nullable(),
});

type Note = z.output<typeof shape>;

const notes = defineKind<Note, { readonly name: 'notes'; readonly schema: z.ZodUnknown }>({
  name: 'note',
  plural: 'notes',
  section: { name: 'notes', schema: z.unknown() },
  record: () => shape,
  fields: shape.partial(),
  newId: () => 'note_new',
  seeds: () => [],
  withChanges: (part) => part,
  complete: (given) => ({ ...note, ...given }),
});

const note: Note = { id: 'note_a', created_at: 5, isOpen: null, tags: ['a', 'b'], details: null };

const place: Placement = { owner: 'owner', sequence: 0, isWritten: true };

const openTable = () => createTables([notes])(notes) as unknown as Table<Note>; // of this kind alone

describe('a record comes back', () => {
  test.each<[what: string, record: Note]>([
    ['with null and without what is missing', note],
    ['with a field that is null where it may be missing', { ...note, note: null }],
    ['with an object in it', { ...note, details: { size: 1, inner: { a: 'b', b: 'c' } } }],
    ['with false, zero and nothing', { ...note, isOpen: false, created_at: 0, tags: [], note: '' }],
  ])('%s', (_what, record) => {
    const { create, list } = openTable();
    expect(create(place, record)).toEqual(record);
    expect(list('owner')).toEqual([record]);
    expect(Object.keys(create({ ...place, owner: 'other' }, record))).toEqual(Object.keys(record));
  });

  test('as it was updated, whole objects and missing fields included', () => {
    const { create, update, list } = openTable();
    create(place, { ...note, note: 'old', details: { size: 1, inner: { a: 'b' } } });
    const next = { ...note, details: { size: 2, inner: { c: 'd' } } };
    expect(update('owner', next)).toEqual(next);
    expect(list('owner')).toEqual([next]);
  });
});

test('the model takes the fields of the contract and no others, and null where the contract has it', () => {
  const { create, update } = openTable();
  expect(create(place, { ...note, more: 1 } as Note)).toHaveProperty('more', undefined);
  for (const field of ['created_at', 'tags']) {
    const wrong = { ...note, id: field, [field]: null };
    expect(() => create(place, wrong)).toThrow(`"${field}"`);
    expect(() => update('owner', { ...wrong, id: note.id })).toThrow(`"${field}"`);
  }
});

describe('what is written by hand', () => {
  test('is listed by its owner, in the order of its creation', () => {
    const { create, list } = openTable();
    for (const sequence of [2, -1, 1, 0]) create({ ...place, sequence }, { ...note, id: `note_${sequence}` });
    create({ ...place, owner: 'other' }, { ...note, id: 'note_theirs' });
    create({ ...place, isWritten: false }, { ...note, id: 'note_seeded' });
    expect(list('owner').map(({ id }) => id)).toEqual(['note_-1', 'note_0', 'note_1', 'note_2']);
  });

  test('is taken out by its owner and id', () => {
    const { create, list, ...table } = openTable();
    for (const owner of ['a', 'a/b', 'a/b/c']) create({ ...place, owner }, { ...note, id: 'c' });
    table.delete('a/b', 'c');
    expect(['a', 'a/b', 'a/b/c'].map((owner) => list(owner).length)).toEqual([1, 0, 1]);
    expect(() => table.delete('a/b', 'c')).toThrow();
    expect(() => table.update('a/b', { ...note, id: 'c' })).toThrow();
  });

  test('lies over the seeded record of its id', () => {
    const { create, list } = openTable();
    create({ ...place, isWritten: false }, note);
    create(place, { ...note, created_at: 9 });
    expect(list('owner')).toEqual([{ ...note, created_at: 9 }]);
  });
});

test('an unknown kind has no model, and BroadcastChannel is neither left open nor lost', () => {
  const { BroadcastChannel } = globalThis;
  const tableOf = createTables([notes]);
  expect(() => tableOf({ ...notes, name: 'other' })).toThrow('No model for the kind "other"');
  expect(globalThis.BroadcastChannel).toBe(BroadcastChannel);
});
