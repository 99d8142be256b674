import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakerOf } from './faker.ts';
import { defineLifecycle } from './lifecycle.ts';
import { chooseStates, fitTimestamps, type Span, type StatePath, schedule, spanOf } from './schedule.ts';

interface Task {
  readonly status?: string;
  readonly created_at?: number | null;
  readonly started_at?: number | null;
  readonly ended_at?: number | null;
  readonly expired_at?: number | null;
  readonly expires_at?: number | null;
}

type State = 'new' | 'working' | 'waiting' | 'done' | 'expired';

const tasks = defineLifecycle<State, Task, string>({
  states: ['new', 'working', 'waiting', 'done', 'expired'],
  initial: 'new',
  lifetime: 1000,
  transitions: {
    new: { working: 1 },
    working: { waiting: 1, done: 2, expired: 1 },
    waiting: { working: 1 },
    done: {},
    expired: {},
  },
  times: { start: [5, 10], end: [100, 200], expiry: [20, 30] },
  timestamps: ['created_at', 'started_at', 'ended_at', 'expired_at'],
  afterExpiry: ['expired_at'],
  onEnter: (status, at, _events, isFirst) => ({
    status,
    ...(status === 'working' && isFirst && { started_at: at }),
    ...(status === 'done' && { ended_at: at }),
    ...(status === 'expired' && { expired_at: at }),
  }),
});

const seeds = fc.nat();
const states = fc.constantFrom(...tasks.states);

test('a path follows the transitions, through the given state, to an end state', () => {
  fc.assert(
    fc.property(seeds, states, (seed, state) => {
      const { behind, ahead } = chooseStates(tasks, state, fakerOf(seed));
      const all: readonly State[] = ['new', ...behind, ...ahead];
      expect(all[behind.length]).toBe(state);
      for (const [index, from] of all.entries())
        expect(Object.keys(tasks.transitions[from])).toEqual(
          index === all.length - 1 ? [] : expect.arrayContaining([all[index + 1]]),
        );
      expect(behind.slice(0, -1)).not.toContain(state);
    }),
  );
});

test('every transition is taken sometimes', () => {
  const paths = Array.from({ length: 200 }, (_, seed) => chooseStates(tasks, 'working', fakerOf(seed)));
  expect(new Set(paths.map(({ ahead }) => ahead[0]))).toEqual(new Set(['waiting', 'done', 'expired']));
});

const path = (behind: readonly State[], ahead: readonly State[] = []): StatePath<State> => ({
  behind,
  ahead,
});
const plan = (way: StatePath<State>, span: Span, seed: number) =>
  schedule(tasks, way, span, fakerOf(seed), 'events').map(({ at, set }) => ({ at, ...set }));

test('past transitions end by now; future ones come later, within the lifetime', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 50, max: 900 }), (seed, age) => {
      const span = { created: 5000, lifetime: 1000, now: 5000 + age };
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

test('isFirst is true only for the first entry into a state', () => {
  const span = { created: 0, lifetime: 1000, now: 500 };
  const seen = plan(path(['working', 'waiting', 'working', 'done']), span, 1);
  expect(seen.map(({ started_at }) => started_at)).toEqual([seen[0]?.at, undefined, undefined, undefined]);
});

test('expiry comes shortly after the end of the lifetime', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 1000, max: 2000 }), (seed, age) => {
      const [, expired] = plan(path(['working', 'expired']), { created: 0, lifetime: 1000, now: age }, seed);
      expect(expired?.at).toBeGreaterThanOrEqual(Math.min(age, 1020));
      expect(expired?.at).toBeLessThanOrEqual(Math.min(age, 1030));
      const [, later] = plan(path(['working'], ['expired']), { created: 0, lifetime: 1000, now: 500 }, seed);
      expect(later?.at).toBeGreaterThanOrEqual(1020);
      expect(later?.at).toBeLessThanOrEqual(1030);
    }),
  );
});

test('transitions share a second if there is no room, and never precede the creation', () => {
  for (const age of [0, 1, 2]) {
    const span = { created: 100, lifetime: 1000, now: 100 + age };
    const times = plan(path(['working', 'waiting', 'working', 'done']), span, age).map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeLessThanOrEqual(span.now);
    expect(times[0]).toBeGreaterThanOrEqual(100);
  }
  const [only] = plan(path(['working']), { created: 100, lifetime: 0, now: 300 }, 1);
  expect(only?.at).toBe(100);
});

test('changes during a state lie between its two transitions', () => {
  const spans: unknown[] = [];
  const during = (state: State, from: number, to: number, events: string) => {
    spans.push([state, from, to, events]);
    return state === 'working' ? [{ at: from + 1, set: { status: 'half' } }] : [];
  };
  const span = { created: 0, lifetime: 1000, now: 500 };
  const seen = schedule({ ...tasks, during }, path(['working', 'done']), span, fakerOf(1), 'events');
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
const last = 253_402_300_799; // the end of the year 9999

test.each<[given: Task, span: Partial<Span> & { readonly state: State }]>([
  [{}, { state: 'new', created: now, lifetime: 1000, now }],
  [{ status: 'lost' }, { state: 'new', created: now }],
  [{ created_at: 7 }, { state: 'new', created: 7, lifetime: 1000 }],
  [{ started_at: 9000 }, { state: 'new', created: 8999 }],
  [
    { started_at: 9000, ended_at: 9500 },
    { state: 'new', created: 8999 },
  ],
  [{ started_at: now + 5 }, { state: 'new', created: now + 4 }],
  [{ started_at: 0 }, { state: 'new', created: 0 }],
  [{ started_at: null }, { state: 'new', created: now }],
  [{ expires_at: now + 400 }, { state: 'new', created: now - 600, lifetime: 1000 }],
  [{ expires_at: now + 5000 }, { state: 'new', created: now, lifetime: 5000 }],
  [{ expires_at: 400 }, { state: 'new', created: 0, lifetime: 400 }],
  [
    { expires_at: 50, created_at: 100 },
    { state: 'new', created: 100, lifetime: 0 },
  ],
  [{ status: 'expired' }, { state: 'expired', lifetime: 1000 }],
  [
    { status: 'expired', created_at: now - 300 },
    { state: 'expired', created: now - 300, lifetime: 300 },
  ],
  [
    { status: 'expired', created_at: now - 5000 },
    { state: 'expired', created: now - 5000, lifetime: 1000 },
  ],
  [
    { status: 'expired', expired_at: 9000 },
    { state: 'expired', created: 8000, lifetime: 1000 },
  ],
  [
    { status: 'expired', started_at: 8500 },
    { state: 'expired', created: 8499, lifetime: 1000 },
  ],
  [
    { status: 'expired', started_at: 9500 },
    { state: 'expired', created: 9000, lifetime: 1000 },
  ],
  [
    { status: 'expired', created_at: 8600, expired_at: 9000 },
    { state: 'expired', created: 8600, lifetime: 400 },
  ],
  [{ created_at: last - 10 }, { state: 'new', created: last - 10, lifetime: 10 }],
])('the span of %j is %j', (given, span) => {
  expect(spanOf(tasks, given, now, fakerOf(1))).toMatchObject({ ...span, now });
});

test('an open record was created long enough ago', () => {
  const ages = Array.from(
    { length: 300 },
    (_, seed) => now - spanOf(tasks, { status: 'working' }, now, fakerOf(seed)).created,
  );
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(10);
  expect(Math.max(...ages)).toBeLessThanOrEqual(200);
  expect(new Set(ages).size).toBeGreaterThan(50);
});

test.each<[whole: Task, given: Task, fitted: Task]>([
  [{ created_at: 1, started_at: 5, ended_at: 9 }, {}, { created_at: 1, started_at: 5, ended_at: 9 }],
  [
    { created_at: 1, started_at: 5, ended_at: 9 },
    { started_at: 7 },
    { created_at: 1, started_at: 7, ended_at: 9 },
  ],
  [
    { created_at: 6, started_at: 7, ended_at: 9 },
    { started_at: 5 },
    { created_at: 5, started_at: 5, ended_at: 9 },
  ],
  [
    { created_at: 1, started_at: 2, ended_at: 3 },
    { started_at: 5 },
    { created_at: 1, started_at: 5, ended_at: 5 },
  ],
  [
    { created_at: 1, started_at: 2, ended_at: 30 },
    { created_at: 4, ended_at: 8 },
    { created_at: 4, started_at: 4, ended_at: 8 },
  ],
  [{ created_at: 1, started_at: null }, { ended_at: 3 }, { created_at: 1 }],
])('fits the timestamps of %j to %j: %j', (whole, given, fitted) => {
  expect(fitTimestamps(tasks, whole, given)).toEqual(fitted);
});
