import { expect, test } from 'vitest';
import { afterTransitions, countPassed, recordAt } from './timeline.ts';

interface Note {
  readonly text: string;
  readonly done: boolean;
}

const record: Note = { text: 'new', done: false };
const timeline = {
  record,
  transitions: [
    { at: 10, set: { text: 'first' } },
    { at: 10, set: { done: true } },
    { at: 20, set: { text: 'second' } },
  ],
};

test.each<[now: number, passed: number, seen: Note]>([
  [Number.NEGATIVE_INFINITY, 0, record],
  [9.999, 0, record],
  [10, 2, { text: 'first', done: true }],
  [19.999, 2, { text: 'first', done: true }],
  [20, 3, { text: 'second', done: true }],
  [Number.POSITIVE_INFINITY, 3, { text: 'second', done: true }],
])('at the time %d, %i transitions have passed', (now, passed, seen) => {
  expect(countPassed(timeline, now)).toBe(passed);
  expect(recordAt(timeline, now)).toEqual(seen);
  expect(timeline.record).toBe(record);
  expect(record).toEqual({ text: 'new', done: false });
});

test('an unchanged record is not copied', () => {
  expect(afterTransitions(timeline, 0)).toBe(record);
  expect(recordAt({ record, transitions: [] }, 5)).toBe(record);
});
