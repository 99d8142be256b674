import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakerOf } from './faker.ts';
import type { Ending, Lifecycle } from './lifecycle.ts';
import { chooseTimes, planWritten, schedule } from './schedule.ts';

interface Task {
  readonly status?: string;
  readonly created_at?: number | null;
  readonly started_at?: number | null;
  readonly ended_at?: number | null;
  readonly expired_at?: number | null;
  readonly expires_at?: number | null;
}

type State = 'new' | 'working' | 'waiting' | 'done' | 'expired';

const tasks: Lifecycle<State, Task, string> = {
  states: ['new', 'working', 'waiting', 'done', 'expired'],
  assumption: 'run-states',
  initial: 'new',
  lifetime: 1000,
  next: {
    new: { working: 1 },
    working: { done: 2, expired: 1, waiting: 1 },
    waiting: { working: 1 },
    done: {},
    expired: {},
  },
  usualEnd: 'done',
  stays: { new: { written: 4, seeded: [[1, [5, 10]]] }, working: { written: 40 }, waiting: { written: 8 } },
  end: [100, 200],
  expiry: { state: 'expired', after: [20, 30] },
  timestamps: { created_at: 'new', started_at: 'working', ended_at: 'done', expired_at: 'expired' },
  setIn: {
    started_at: ['working', 'waiting', 'done', 'expired'],
    ended_at: ['done'],
    expired_at: ['expired'],
  },
  onEnter: (status, at, _events, { started_at }) => ({
    status,
    ...(status === 'working' && { started_at: started_at ?? at }),
    ...(status === 'done' && { ended_at: at }),
    ...(status === 'expired' && { expired_at: at }),
  }),
};

const seeds = fc.nat();

const path = (behind: readonly State[], ahead: readonly State[] = []) => ({ behind, ahead });
interface Span {
  readonly created: number;
  readonly now: number;
}
const plan = (way: ReturnType<typeof path>, span: Span, seed: number) =>
  schedule(
    tasks,
    { status: 'new', created_at: span.created },
    chooseTimes(tasks, way, span.created, span.now, fakerOf(seed)),
    fakerOf(seed),
    () => 'events',
  ).transitions.map(({ at, set }) => ({ at, ...set }));

test('past transitions end by now; future ones come later, within the lifetime', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 50, max: 900 }), (seed, age) => {
      const span = { created: 5000, now: 5000 + age };
      const [started, done] = plan(path(['working', 'done']), span, seed);
      expect(started).toMatchObject({ status: 'working', started_at: started?.at });
      expect(started?.at).toBeGreaterThanOrEqual(5005);
      expect(started?.at).toBeLessThanOrEqual(5010);
      expect(done?.at).toBeGreaterThan(started?.at ?? 0);
      expect(done?.at).toBeLessThanOrEqual(5000 + Math.min(age, 200));

      const [begun, next, last] = plan(path(['working'], ['waiting', 'done']), span, seed);
      expect(begun?.at).toBeLessThanOrEqual(5010);
      expect(next?.at).toBeGreaterThan(span.now);
      expect(last?.at).toBeGreaterThan(next?.at ?? 0);
      expect(last?.at).toBeLessThan(6000);
    }),
  );
});

test('transitions share a second if there is no room, and never precede the creation', () => {
  for (const age of [0, 1, 2]) {
    const span = { created: 100, now: 100 + age };
    const times = plan(path(['working', 'waiting', 'working', 'done']), span, age).map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeLessThanOrEqual(span.now);
    expect(times[0]).toBeGreaterThanOrEqual(100);
  }
});

test('changes during a state lie between its two transitions', () => {
  const spans: unknown[] = [];
  const during = (state: State, from: number, to: number, events: string) => {
    spans.push([state, from, to, events]);
    return state === 'working' ? [{ at: from + 1, set: { status: 'half' } }] : [];
  };
  const seen = schedule(
    { ...tasks, during },
    { status: 'new', created_at: 0 },
    chooseTimes(tasks, path(['working', 'done']), 0, 500, fakerOf(1)),
    fakerOf(1),
    () => 'events',
  ).transitions;
  const [start, half, end] = seen.map(({ at }) => at);
  expect(seen.map(({ set }) => set.status)).toEqual(['working', 'half', 'done']);
  expect(half).toBe((start ?? 0) + 1);
  expect(spans).toEqual([
    ['new', 0, start, 'events'],
    ['working', start, end, 'events'],
    ['done', end, end, 'events'],
  ]);
});

const now = 10_000;

test.each<[given: { status?: string; created_at?: number }, ending: Ending | undefined, expected: string]>([
  [{}, undefined, 'new@0 working@4 done@44'],
  [{ created_at: 7 }, undefined, 'new@-9993 working@-9989 done@-9949'],
  [{ status: 'new' }, undefined, 'new@0'],
  [{ status: 'lost' }, undefined, 'new@0'],
  [{ status: 'working' }, undefined, 'new@0 working@0'],
  [{ status: 'done', created_at: now - 20 }, undefined, 'new@-20 working@-16 done@0'],
  [{ status: 'done', created_at: now + 20 }, undefined, 'new@20 working@20 done@20'],
  [{ status: 'expired' }, undefined, 'new@-1030 working@-1026 expired@-10'],
  [{}, { ends: 'waiting', after: 900 }, 'new@0 working@450 waiting@900'],
  [{ status: 'working' }, { after: 5 }, 'new@0 working@0 done@5'],
])('a record written as %j with %j enters its states as %s', (given, ending, expected) => {
  const entered = planWritten(tasks, given, now, ending);
  expect(entered.map(({ state, at }) => `${state}@${at - now}`).join(' ')).toBe(expected);
});
