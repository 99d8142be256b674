import { describe, expect, test } from 'vitest';
import { parseRule } from './rule.ts';
import { describeUnusedEnds, type EndedFault, whyUnused } from './unused.ts';

test.each<[counts: Partial<Parameters<typeof whyUnused>[0]>, line: string, reason: string | null]>([
  [{}, 'listRuns: reset', 'no call matched'],
  [{ calls: 1, hits: 1 }, 'listRuns: reset', null],
  [{ calls: 1, spared: 1 }, 'listRuns share=1%: reset', null],
  [{ calls: 2, hits: 1, idle: 'why' }, 'listRuns: reset', null],
  [{ calls: 2 }, 'listRuns#3: reset', '2 calls matched, but the fault starts at call 3'],
  [{ calls: 3 }, 'listRuns#3: reset', '3 calls matched, but the fault could not act'],
  [{ calls: 1 }, 'listRuns: reset', '1 call matched, but the fault could not act'],
  [{ calls: 1 }, 'listRuns until=2026-01-15T12:00:00Z: reset', '1 call matched, but its time had ended'],
  [{ calls: 1, idle: 'why' }, 'listRuns#3: reset', '1 call matched, but the fault could not act: why'],
])('with %j, "%s" is unused: %s', (counts, line, reason) => {
  expect(whyUnused({ rule: parseRule(line), calls: 0, hits: 0, spared: 0, ...counts })).toBe(reason);
});

describe('the unused faults of several sessions', () => {
  const end = (change: Partial<EndedFault>): EndedFault => ({
    fault: 'A',
    unused: 'why',
    isGiven: false,
    session: 'default',
    ...change,
  });

  test.each<[what: string, faults: Partial<EndedFault>[], lines: string[]]>([
    ['no faults', [], []],
    ['a fault of the default session', [{}], ['A (why)']],
    ['a fault of another session', [{ session: 'b' }], ['A (session "b": why)']],
    ['a dropped fault', [{ droppedBy: 'reset' }], ['A (why, removed by reset)']],
    ['equal faults of two sessions', [{}, { session: 'b' }], ['A (why)', 'A (session "b": why)']],
    ['equal faults of the scenario', [{ isGiven: true }, { isGiven: true, session: 'b' }], ['A (why)']],
    ['an equal fault that its session used', [{}, { unused: null }], []],
    [
      'a fault of the scenario that another session used',
      [{ isGiven: true }, { unused: null, session: 'b' }],
      [],
    ],
  ])('%s', (_what, faults, lines) => {
    expect(describeUnusedEnds(faults.map(end))).toEqual(lines);
  });
});
