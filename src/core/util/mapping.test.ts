import { expect, test } from 'vitest';
import { isMapping, ownValue } from './mapping.ts';

test('only an object that is neither null nor a list is a mapping', () => {
  expect([{}, { a: 1 }].every(isMapping)).toBe(true);
  expect([null, undefined, [], 'a', 1].some(isMapping)).toBe(false);
});

test('a value is read from the object itself, never from its prototype', () => {
  expect(ownValue<object>({}, 'constructor')).toBeUndefined();
  expect(ownValue({ thread_a: 1 }, 'thread_a')).toBe(1);
});
