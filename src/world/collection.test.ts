import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { tries } from '../../test/support/settings.ts';
import { cursorPage, type Order } from '../protocol/cursor-page.ts';
import { createClock } from './clock.ts';
import { Collection } from './collection.ts';
import { defineKind, type Seed } from './kind.ts';
import { createTables, type Table } from './models.ts';
import { RecordList } from './record-list.ts';

const note = z.object({ id: z.string(), created_at: z.int(), text: z.string() });

type Note = z.output<typeof note>;

const notes = defineKind<Note, { readonly name: 'notes'; readonly schema: z.ZodUnknown }>({
  name: 'note',
  plural: 'notes',
  section: { name: 'notes', schema: z.unknown() },
  record: () => note,
  fields: note.partial(),
  newId: () => 'note_new',
  seeds: () => [],
  withChanges: (part) => part,
  complete: (given, { id }) => ({ created_at: 0, text: '', ...given, id }),
  createdAt: ({ created_at }) => created_at,
});

/** Seeded notes of these times, which rise. */
const notesOf = (times: readonly number[]): Seed<Note>[] =>
  times.map((created_at, index) => {
    const id = `note_${index}`;
    return { id, created_at, make: () => ({ record: { id, created_at, text: 'seeded' }, transitions: [] }) };
  });

const openCollection = (seeds: readonly Seed<Note>[], now: number) => {
  const tableOf = () => createTables([notes])(notes) as unknown as Table<Note>; // of this kind alone
  const [base, own] = [tableOf(), tableOf()];
  const clock = { ...createClock(0, 0), time: now, now: (): number => clock.time };
  const list = RecordList.of('owner', () => base, seeds);
  const open = () =>
    new Collection<Note>(
      notes,
      list,
      () => own,
      clock,
      () => {},
    );
  return { collection: open(), another: open(), clock };
};

/** The same list, kept the plainest way. */
class Plain {
  notes: (Note & { readonly sequence: number })[] = [];

  sorted(order: Order): Note[] {
    const rising = this.notes.toSorted((a, b) => a.created_at - b.created_at || a.sequence - b.sequence);
    const notes = rising.map(({ id, created_at, text }) => ({ id, created_at, text }));
    return order === 'asc' ? notes : notes.reverse();
  }
}

const change = fc.record({
  kind: fc.constantFrom('create', 'edit', 'move', 'delete'),
  which: fc.nat(),
  time: fc.integer({ min: 0, max: 20 }),
});

const times = fc
  .array(fc.integer({ min: 0, max: 20 }), { maxLength: 40 })
  .map((list) => list.sort((a, b) => a - b));

const readAll = (collection: Collection<Note>, order: Order, limit: number): Note[] => {
  const seen: Note[] = [];
  for (;;) {
    const last = seen.at(-1);
    const page = cursorPage(collection, { limit, order, after: last && collection.indexOf(last.id) });
    seen.push(...page.items);
    if (!page.hasMore) return seen;
  }
};

test('whatever was created, edited, moved and deleted, pages show the same as a plainly sorted list', () => {
  fc.assert(
    fc.property(
      times,
      fc.array(change, { maxLength: 30 }),
      fc.integer({ min: 1, max: 9 }),
      (seeded, changes, limit) => {
        const seeds = notesOf(seeded);
        const { collection, another } = openCollection(seeds, 1000);
        const plain = new Plain();
        plain.notes = seeds.map(({ make }, index) => ({ ...make().record, sequence: index - seeds.length }));
        const before = plain.sorted('desc');
        let sequence = 0;

        for (const { kind, which, time } of changes) {
          const target = plain.notes[which % Math.max(1, plain.notes.length)];
          if (kind === 'create' || target === undefined) {
            const note = { id: `made_${sequence}`, created_at: time, text: 'made' };
            collection.write(note);
            plain.notes.push({ ...note, sequence });
            sequence += 1;
            continue;
          }
          if (which % 2 === 0) expect(collection.get(target.id)?.id).toBe(target.id); // or it was never read
          plain.notes = plain.notes.filter(({ id }) => id !== target.id);
          if (kind === 'delete') {
            expect(collection.remove(target.id)).toBe(true);
            expect(collection.has(target.id)).toBe(false);
            continue;
          }
          const created_at = kind === 'move' ? time : target.created_at;
          const note = { id: target.id, created_at, text: 'edited' };
          collection.write(note);
          plain.notes.push({ ...note, sequence: target.sequence });
        }

        for (const order of ['asc', 'desc'] as const)
          expect(readAll(collection, order, limit)).toEqual(plain.sorted(order));
        expect(another.all()).toEqual(before); // what one world writes is not seen in another
      },
    ),
    tries(300),
  );
});

test('a seeded record appears when the clock reaches it, and disappears when the clock goes back', () => {
  const { collection, clock } = openCollection(notesOf([10, 20, 20, 30]), 20);
  const listed = () => readAll(collection, 'desc', 2).map(({ created_at }) => created_at);
  expect([listed(), collection.nextCreation()]).toEqual([[20, 20, 10], 30]);
  clock.time = 30;
  expect([listed(), collection.nextCreation()]).toEqual([[30, 20, 20, 10], undefined]);
  clock.time = 5;
  expect([listed(), collection.nextCreation()]).toEqual([[], 10]);
});

test('a deep page of a hundred thousand records makes no record but its own', () => {
  let made = 0;
  const counting = notesOf(Array.from({ length: 100_000 }, (_, index) => index)).map((seed) => ({
    ...seed,
    make: () => {
      made += 1;
      return seed.make();
    },
  }));
  const { collection } = openCollection(counting, 1_000_000);
  const { items } = cursorPage(collection, {
    limit: 20,
    order: 'desc',
    after: collection.indexOf('note_9999'),
  });
  expect(items.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, at) => `note_${9998 - at}`));
  expect(made).toBe(20);
});

test('an id of no record has no place', () => {
  const { collection } = openCollection(notesOf([1, 2, 3]), 10);
  collection.write({ id: 'made', created_at: 1, text: 'made' });
  expect(collection.indexOf('made')).toBe(1);
  expect(collection.remove('note_none')).toBe(false);
  expect([collection.indexOf('note_none'), collection.get('note_none')]).toEqual([-1, undefined]);
});
