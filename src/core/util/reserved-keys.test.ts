import { expect, test } from 'vitest';
import { findReservedKeys } from './reserved-keys.ts';

test('reserved keys are found wherever they stand, also in a value that contains itself', () => {
  const value = JSON.parse('{"a":[{"b":1},{"__proto__":{"__proto__":1}}],"__proto__":2,"c":null}');
  expect(findReservedKeys(value)).toEqual([['a', 1, '__proto__'], ['__proto__']]);
  expect(findReservedKeys('__proto__')).toEqual([]);
  const round: { self?: object; other: object } = { other: JSON.parse('{"__proto__":1}') };
  round.self = round;
  expect(findReservedKeys(round)).toEqual([['other', '__proto__']]);
});
