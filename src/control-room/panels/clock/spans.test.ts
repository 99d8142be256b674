import { expect, test } from 'vitest';
import { listChanges, nextOf, stateAt, ticksOf } from './spans.ts';

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
