import { expect, test } from 'vitest';
import { listChanged, listComing } from './spans.ts';

const states = [
  { status: 'queued', at: 10 },
  { status: 'in_progress', at: 20 },
  { status: 'completed', at: 30 },
];
const histories = [{ kind: 'runs', id: 'run_1', owner: 'thread_1', states }] as const;

test.each([
  [10, 20, ['queued', 'in_progress']],
  [20, 30, ['in_progress', 'completed']],
  [5, 30, [undefined, 'queued', 'in_progress', 'completed']],
  [30, 10, ['completed', 'in_progress', 'queued']],
])('what changes from %i to %i are the states after the first time, up to the last', (from, to, expected) => {
  expect(listChanged(histories, from, to).map((change) => change.states)).toEqual([expected]);
});

test('nothing has changed where the clock stayed within a state', () => {
  expect(listChanged(histories, 20, 29)).toEqual([]);
});

test('what is to come is what comes after the present time', () => {
  expect(listComing(histories, 20).map(({ at }) => at)).toEqual([30]);
});
