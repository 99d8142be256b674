import { expect, test } from 'vitest';
import { compareScenarios } from './compare.ts';
import type { CompleteScenario } from './scenario-schema.ts';

/** Of these parts alone, whatever they are. */
const compare = (from: object, to: object) =>
  compareScenarios(from as unknown as CompleteScenario, to as unknown as CompleteScenario);

const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];

test.each<[from: object, to: object, changes: object[]]>([
  [{ seed: 1 }, { seed: 2 }, [{ path: 'seed', from: 1, to: 2 }]],
  [{ x: Number.NaN }, { x: Number.NaN }, []],
  [{ x: null }, { x: {} }, [{ path: 'x', from: null, to: {} }]],
  [{ x: [] }, { x: {} }, [{ path: 'x', from: [], to: {} }]],
  [{ requests: 1, made: 2 }, { requests: 3, made: 4 }, []],
  [{ x: { requests: 1 } }, { x: { requests: 3 } }, [{ path: 'x.requests', from: 1, to: 3 }]],
  [
    { z: { y: { x: 1, w: 2 } }, v: 3 },
    { v: 4, z: { y: { w: 5, x: 1 } } },
    [
      { path: 'z.y.w', from: 2, to: 5 },
      { path: 'v', from: 3, to: 4 },
    ],
  ],
  [
    { x: [1, 2] },
    { x: [1, 3, 4] },
    [
      { path: 'x[1]', from: 2, to: 3 },
      { path: 'x[2]', to: 4 },
    ],
  ],
  [{ x: [a, b] }, { x: [b] }, [{ path: 'x[a]', from: a }]],
  [
    { x: [a, b, c] },
    { x: [c, { ...a, y: 1 }] },
    [
      { path: 'x (order)', from: ['a', 'c'], to: ['c', 'a'] },
      { path: 'x[a].y', to: 1 },
      { path: 'x[b]', from: b },
    ],
  ],
  [{ x: [a, a] }, { x: [a, b] }, [{ path: 'x[1].id', from: 'a', to: 'b' }]],
  [{ x: [a, {}] }, { x: [a, { id: 5 }] }, [{ path: 'x[1].id', to: 5 }]],
])('from %j to %j', (from, to, changes) => {
  expect(compare(from, to)).toEqual(changes);
});

test('lists at most 500 changes, as copies', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, {}]));
  expect(compare({}, many(500))).toHaveLength(500);
  expect(compare({}, many(501))).toHaveLength(500);
  expect(compare({}, { requests: 1, ...many(500) })).toHaveLength(500);
  const to = { x: { y: [1] } };
  const [change] = compare({}, to);
  expect(change?.to).toEqual(to.x);
  expect(change?.to).not.toBe(to.x);
});
