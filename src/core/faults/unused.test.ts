import { describe, expect, test } from 'vitest';
import { describeUnused, type SessionFaultUse } from './unused.ts';

describe('the unused faults of several sessions', () => {
  const end = (change: Partial<SessionFaultUse>): SessionFaultUse => ({
    fault: 'A',
    unused: 'why',
    isFromScenario: false,
    session: 'default',
    ...change,
  });

  test.each<[what: string, faults: Partial<SessionFaultUse>[], lines: string[]]>([
    ['no faults', [], []],
    ['a fault of the default session', [{}], ['A (why)']],
    ['a fault of another session', [{ session: 'b' }], ['A (session "b": why)']],
    ['a removed fault', [{ removedBy: 'reset' }], ['A (why, removed by reset)']],
    ['equal faults of two sessions', [{}, { session: 'b' }], ['A (why)', 'A (session "b": why)']],
    [
      'equal faults of the scenario',
      [{ isFromScenario: true }, { isFromScenario: true, session: 'b' }],
      ['A (why)'],
    ],
    ['an equal fault that its session used', [{}, { unused: null }], []],
    [
      'a fault of the scenario that another session used',
      [{ isFromScenario: true }, { unused: null, session: 'b' }],
      [],
    ],
  ])('%s', (_what, faults, lines) => {
    expect(describeUnused(faults.map(end))).toEqual(lines);
  });
});
