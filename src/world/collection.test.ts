import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../test/support/settings.ts';
import { cursorPage, type Order } from '../protocol/cursor-page.ts';
import { createClock } from './clock.ts';
import { Collection } from './collection.ts';
import { createDatabase, type TableListener } from './database.ts';
import { createIds } from './ids.ts';
import type { Source } from './source.ts';

interface Note {
  readonly id: string;
  readonly created_at: number;
  readonly text: string;
}

/** Seeded notes with these ages, newest first. */
const notesOf = (times: readonly number[]): Source<Note> => {
  const ids = createIds('note_', 'test');
  const createdAt = (rank: number) => times[rank] ?? 0;
  return {
    size: times.length,
    ids,
    createdAt,
    make: (rank) => ({
      resource: { id: ids.at(rank), created_at: createdAt(rank), text: 'seeded' },
      timeline: [],
    }),
  };
};

const openCollection = (source: Source<Note>, now: number) => {
  const listeners: TableListener[] = [];
  const clock = { ...createClock(0, 0), time: now, now: (): number => clock.time };
  const listener = (): TableListener => {
    const [collection] = listeners;
    if (collection === undefined) throw new Error('The collection is not open yet.');
    return collection;
  };
  const table = createDatabase(['note'], listener).openTable('note');
  const collection = new Collection<Note>(
    { createdAt: ({ created_at }) => created_at },
    source,
    'owner',
    table,
    clock,
  );
  listeners.push(collection);
  return { collection, clock };
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
  .map((list) => list.sort((a, b) => b - a));

const readAll = (collection: Collection<Note>, order: Order, limit: number): Note[] => {
  const seen: Note[] = [];
  for (;;) {
    const last = seen.at(-1);
    const page = cursorPage(collection, { limit, order, after: last && collection.locate(last.id) });
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
        const source = notesOf(seeded);
        const { collection } = openCollection(source, 1000);
        const plain = new Plain();
        plain.notes = seeded.map((_, rank) => ({ ...source.make(rank).resource, sequence: -1 - rank }));
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
            expect(collection.locate(target.id)).toBeUndefined();
            continue;
          }
          const created_at = kind === 'move' ? time : target.created_at;
          const note = { id: target.id, created_at, text: 'edited' };
          collection.write(note);
          plain.notes.push({ ...note, sequence: target.sequence });
        }

        for (const order of ['asc', 'desc'] as const)
          expect(readAll(collection, order, limit)).toEqual(plain.sorted(order));
      },
    ),
    tries(300),
  );
});

test('a seeded record appears when the clock reaches it, and is gone again when the clock goes back', () => {
  const { collection, clock } = openCollection(notesOf([30, 20, 20, 10]), 20);
  const listed = () => [...collection.walk(undefined, 'desc')].map(({ created_at }) => created_at);
  expect(listed()).toEqual([20, 20, 10]);
  clock.time = 30;
  expect(listed()).toEqual([30, 20, 20, 10]);
  clock.time = 5;
  expect(listed()).toEqual([]);
});

test('a deep page of a hundred thousand records makes no record but its own', () => {
  let made = 0;
  const source = notesOf(Array.from({ length: 100_000 }, (_, rank) => 200_000 - rank));
  const counting: Source<Note> = {
    ...source,
    make: (rank) => {
      made += 1;
      return source.make(rank);
    },
  };
  const { collection } = openCollection(counting, 1_000_000);
  const after = collection.locate(source.ids.at(90_000));
  const { items } = cursorPage(collection, { limit: 20, order: 'desc', after });
  expect(items.map(({ id }) => source.ids.rankOf(id))).toEqual(
    Array.from({ length: 20 }, (_, at) => 90_001 + at),
  );
  expect(made).toBeLessThanOrEqual(21);
});

test('an id of no record is not located', () => {
  const { collection } = openCollection(notesOf([3, 2, 1]), 10);
  collection.write({ id: 'made', created_at: 1, text: 'made' });
  expect(collection.locate('made')).toBeDefined();
  expect(collection.remove('note_none')).toBe(false);
  expect(collection.locate('note_none')).toBeUndefined();
  expect(collection.locate(createIds('note_', 'test').at(3))).toBeUndefined();
});
