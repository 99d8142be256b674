import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Amount } from './amount.ts';
import { type Distribution, distribute, drawState } from './distribution.ts';
import { drawId, fakerOf } from './faker.ts';

type State = 'live' | 'settling' | 'done' | 'lost';

const distribution: Distribution<State> = {
  newest: [5, 9],
  bands: [
    { until: 100, gap: [10, 20], states: { live: 1 } },
    { until: 500, gap: [40, 60], states: { settling: 1 } },
    { until: Number.POSITIVE_INFINITY, gap: [1000, 2000], states: { done: 3, lost: 1 } },
  ],
  tied: 0,
  young: { states: ['live', 'settling'], within: 300 },
};

const plansOf = (amount: Amount<State>, ties?: number, seed = 1, given: Distribution<State> = distribution) =>
  distribute(
    given,
    amount,
    ties,
    (purpose) => fakerOf(seed, purpose),
    () => drawId('x_'),
  );

const gapsOf = (plans: readonly { age: number }[]): number[] =>
  plans.slice(1).map(({ age }, at) => age - (plans[at]?.age ?? 0));

test('draws a state by its weight, among those that are possible', () => {
  const faker = fakerOf(1);
  const drawn = Array.from({ length: 400 }, () => drawState<State>(faker, { done: 3, lost: 1 }));
  const done = drawn.filter((state) => state === 'done').length;
  expect(done).toBeGreaterThan(250);
  expect(done).toBeLessThan(350);
  expect(drawState<State>(faker, { done: 3, lost: 1 }, (state) => state !== 'done')).toBe('lost');
});

test('the age of a record decides its state and the gap to the next one', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const plans = plansOf(40, undefined, seed);
      expect(plans).toHaveLength(40);
      expect(plans[0]?.age).toBeGreaterThanOrEqual(5);
      expect(plans[0]?.age).toBeLessThanOrEqual(9);
      for (const { age, state } of plans)
        expect(age < 100 ? ['live'] : age < 500 ? ['settling'] : ['done', 'lost']).toContain(state);
      for (const [at, gap] of gapsOf(plans).entries()) {
        const age = plans[at]?.age ?? 0;
        const [min, max] = age < 100 ? [10, 20] : age < 500 ? [40, 60] : [1000, 2000];
        expect(gap).toBeGreaterThanOrEqual(min);
        expect(gap).toBeLessThanOrEqual(max);
      }
    }),
  );
});

test.each([
  [0, 0, 0],
  [35, 250, 450],
  [100, 999, 999],
])('%i of a hundred records share a second with the next newer one', (tied, least, most) => {
  const shared = gapsOf(plansOf(1000, undefined, 1, { ...distribution, tied })).filter((gap) => gap === 0);
  expect(shared.length).toBeGreaterThanOrEqual(least);
  expect(shared.length).toBeLessThanOrEqual(most);
});

test.each([1, 2, 3, 7])('%i adjacent records share a second, if requested', (ties) => {
  const ages = plansOf(42, ties).map(({ age }) => age);
  expect(new Set(ages).size).toBe(42 / ties);
  for (const [at, age] of ages.entries()) expect(age).toBe(ages[at - (at % ties)]);
});

test('keeps exact numbers: first young records, then records old enough to have ended', () => {
  const count = fc.nat({ max: 9 });
  const amounts = fc.record({ live: count, settling: count, done: count, lost: count }, { requiredKeys: [] });
  fc.assert(
    fc.property(amounts, fc.nat(), (amount, seed) => {
      const plans = plansOf(amount, undefined, seed);
      for (const state of ['live', 'settling', 'done', 'lost'] as const)
        expect(plans.filter((plan) => plan.state === state)).toHaveLength(amount[state] ?? 0);
      const young = (amount.live ?? 0) + (amount.settling ?? 0);
      for (const [at, { state, age }] of plans.entries()) {
        expect(['live', 'settling'].includes(state)).toBe(at < young);
        expect(age >= 500).toBe(at >= young);
        if (at < young) expect(age).toBeLessThanOrEqual(9 + 300);
      }
      if (young === 0 && plans.length > 0) expect(plans[0]?.age).toBe(500);
      expect(gapsOf(plans).every((gap) => gap >= 0)).toBe(true);
    }),
  );
});

test('shuffles the states of young records and of the others', () => {
  const states = plansOf({ done: 50, lost: 50, live: 50, settling: 50 }).map(({ state }) => state);
  for (const half of [states.slice(0, 100), states.slice(100)])
    expect(half.filter((state, at) => state === half[at - 1]).length).toBeLessThan(70);
});
