import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../../test/support/settings.ts';
import { cursorPage, type Order } from '../protocol/list-page.ts';
import type { RecordPlan } from './kind.ts';
import { type ListBefore, RecordList } from './record-list.ts';

interface Note {
  readonly id: string;
  readonly created_at: number;
  readonly text: string;
}

/** Seeded notes of these times, which rise. */
const notesOf = (times: readonly number[]): RecordPlan<Note>[] =>
  times.map((created_at, index) => {
    const id = `note_${index}`;
    return { id, created_at, make: () => ({ record: { id, created_at, text: 'seeded' }, transitions: [] }) };
  });

const openList = (planned: readonly RecordPlan<Note>[], now: number) => {
  const clock = { time: now };
  const base = new RecordList<Note>('owner', planned);
  const open = () =>
    base.share(
      () => clock.time,
      () => {},
    );
  return { list: open(), another: open(), clock };
};

const write = (list: RecordList<Note>, record: Note): void => list.write({ record, transitions: [] });

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

const readAll = (list: RecordList<Note>, order: Order, limit: number): Note[] => {
  const seen: Note[] = [];
  for (;;) {
    const last = seen.at(-1);
    const page = cursorPage(list, { limit, order, after: last && list.indexOf(last.id) });
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
        const { list, another } = openList(seeds, 1000);
        const plain = new Plain();
        plain.notes = seeds.map(({ make }, index) => ({ ...make().record, sequence: index - seeds.length }));
        const before = plain.sorted('desc');
        let sequence = 0;

        for (const { kind, which, time } of changes) {
          const target = plain.notes[which % Math.max(1, plain.notes.length)];
          if (kind === 'create' || target === undefined) {
            const note = { id: `made_${sequence}`, created_at: time, text: 'made' };
            write(list, note);
            plain.notes.push({ ...note, sequence });
            sequence += 1;
            continue;
          }
          if (which % 2 === 0) expect(list.get(target.id)?.id).toBe(target.id); // or it was never read
          plain.notes = plain.notes.filter(({ id }) => id !== target.id);
          if (kind === 'delete') {
            list.remove(new Set([target.id]));
            expect(list.has(target.id)).toBe(false);
            continue;
          }
          const created_at = kind === 'move' ? time : target.created_at;
          const note = { id: target.id, created_at, text: 'edited' };
          write(list, note);
          plain.notes.push({ ...note, sequence: target.sequence });
        }

        for (const order of ['asc', 'desc'] as const)
          expect(readAll(list, order, limit)).toEqual(plain.sorted(order));
        expect(readAll(another, 'desc', limit)).toEqual(before); // what one world writes is not seen in another
      },
    ),
    tries(300),
  );
});

test('what a change wrote and deleted is put back in one pass, as a naive copy has it', () => {
  fc.assert(
    fc.property(times, fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 8 }), (seeded, rounds) => {
      const clock = { time: 10 }; // some records are not there yet
      let before: ListBefore<Note> | undefined;
      const note = (id: string): void => {
        before ??= list.before();
        if (!before.entries.has(id)) before.entries.set(id, list.entry(id));
      };
      const list = new RecordList<Note>('owner', notesOf(seeded)).share(
        () => clock.time,
        (_list, id) => note(id),
      );
      const readState = () => ({ all: readAll(list, 'asc', 5), changes: list.changes() });
      const history: { readonly state: object; readonly before: ListBefore<Note> | undefined }[] = [];
      for (const [round, changes] of rounds.entries()) {
        const state = readState();
        before = undefined;
        const ids = readAll(list, 'asc', 5).map(({ id }) => id);
        for (const { kind, which, time } of changes) {
          const id = ids[which % Math.max(1, ids.length)] ?? `made_${round}`;
          if (kind === 'delete') list.remove(new Set([id]));
          else if (kind === 'move') list.remove(new Set(ids.slice(0, which % 3)));
          else write(list, { id: kind === 'edit' ? id : `made_${time}`, created_at: time, text: `${round}` });
        }
        history.push({ state, before });
      }
      for (const { state, before: former } of history.reverse()) {
        if (former !== undefined) list.restore(former);
        expect(readState()).toEqual(state);
        for (const { id } of readAll(list, 'asc', 5)) expect(list.has(id)).toBe(true);
      }
    }),
    tries(200),
  );
});

test('a seeded record appears when the clock reaches it, and disappears when the clock goes back', () => {
  const { list, clock } = openList(notesOf([10, 20, 20, 30]), 20);
  const listed = () => readAll(list, 'desc', 2).map(({ created_at }) => created_at);
  expect([listed(), list.nextCreation()]).toEqual([[20, 20, 10], 30]);
  clock.time = 30;
  expect([listed(), list.nextCreation()]).toEqual([[30, 20, 20, 10], undefined]);
  clock.time = 5;
  expect([listed(), list.nextCreation()]).toEqual([[], 10]);
});

test('an id of no record has no place', () => {
  const { list } = openList(notesOf([1, 2, 3]), 10);
  write(list, { id: 'made', created_at: 1, text: 'made' });
  expect(list.indexOf('made')).toBe(1);
  list.remove(new Set(['note_none']));
  expect([list.indexOf('note_none'), list.get('note_none')]).toEqual([-1, undefined]);
});

test('a record that lives on is exported as the same object each time: a history of twenty states has it once', () => {
  const { list } = openList([], 0);
  const transitions = [{ at: 5, set: { text: 'later' } }];
  list.write({ record: { id: 'lives', created_at: 0, text: 'now' }, transitions });
  const [first] = list.changes().records;
  expect(first).toEqual({ id: 'lives', created_at: 0, text: 'now', transitions });
  expect(list.changes().records[0]).toBe(first);
});
