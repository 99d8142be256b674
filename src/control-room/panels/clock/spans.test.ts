import { expect, test } from 'vitest';
import { lastTimestamp } from '../../../core/world/clock-limits.ts';
import { listChanges, nextOf, pickHistories, spanOf, stateAt, ticksOf, timeAfter } from './spans.ts';

const history = (id: string, ...states: (readonly [status: string, at: number])[]) => ({
  kind: 'runs' as const,
  id,
  owner: 'thread_1',
  states: states.map(([status, at]) => ({ status, at })),
});

test('a state begins with the second in which the record enters it', () => {
  const run = history('run_1', ['queued', 10], ['in_progress', 30]);
  const read = (now: number) => [stateAt(run, now), nextOf(run, now)?.status];
  expect([9, 10, 29, 30].map(read)).toEqual([
    [undefined, 'queued'],
    ['queued', 'in_progress'],
    ['queued', 'in_progress'],
    ['in_progress', undefined],
  ]);
});

test('the scale has a time at each step, but none at its very ends', () => {
  const labels = ticksOf({ from: 0, to: 2900 }).map(({ label }) => label);
  expect(labels).toEqual([undefined, '00:10', '00:20', '00:30', '00:40']);
});

test.each([
  ['a range begins a fifth before the clock', [], '1 h', 6480, 10_080],
  ['Fit reaches past the last future change', [5000, 8200], 'Fit', 6840, 8400],
  ['without a future change, Fit begins with the first past one', [6000, 7000], 'Fit', 6000, 7440],
] as const)('%s', (_, times, range, from, to) => {
  const run = history('run_1', ...times.map((at) => ['queued', at] as const));
  expect(spanOf(times.length === 0 ? [] : [run], 7200, { range })).toEqual({ from, to });
});

test('the records with the nearest changes are shown, in order of creation', () => {
  const all = [
    history('far', ['queued', 10], ['in_progress', 90]),
    history('late', ['queued', 25], ['in_progress', 80]),
    history('early', ['queued', 5], ['in_progress', 33]),
  ];
  expect(pickHistories(all, 30, 2).map(({ id }) => id)).toEqual(['early', 'late']);
  const atOnce = ['b', 'c', 'a'].map((id) => history(id, ['queued', 10]));
  expect(pickHistories(atOnce, 30, 3).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test('the clock moves by its speed in seconds per second, to the last timestamp', () => {
  const times = [0, 60, 1e12].map((speed) => timeAfter(500, 1000, speed));
  expect(times).toEqual([1000, 1030, lastTimestamp]);
});

test('changes are those of all records, in order of time, each with the state before it', () => {
  const changes = listChanges([
    history('run_1', ['queued', 10], ['in_progress', 30]),
    history('run_2', ['queued', 20]),
  ]);
  expect(changes.map(({ at, from, to, history }) => [at, from, to, history.id])).toEqual([
    [10, undefined, 'queued', 'run_1'],
    [20, undefined, 'queued', 'run_2'],
    [30, 'queued', 'in_progress', 'run_1'],
  ]);
});
