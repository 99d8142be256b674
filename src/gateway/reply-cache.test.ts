import { expect, test } from 'vitest';
import { WorldCache } from './reply-cache.ts';

/** A world of which the test says what it is. */
const openWorld = () => {
  const world = { written: 0, time: 0, writes: () => world.written, clock: { now: () => world.time } };
  return world;
};

/** Each value takes its own length, and that of its name twice: the world's number, a space, and its key. */
const openValues = (maxSize: number) => {
  const world = openWorld();
  const values = new WorldCache<string>(maxSize, ({ length }) => length);
  return {
    world,
    values,
    set: (key: string, value: string) => values.set(world, key, value),
    get: (...keys: string[]) => keys.map((key) => values.get(world, key)),
  };
};

test('a value is kept until something is written or the time goes on', () => {
  const { world, set, get } = openValues(100);
  set('a', '1');
  expect(get('a', 'b')).toEqual(['1', undefined]);
  world.written = 1;
  expect(get('a')).toEqual([undefined]);
  set('a', '2');
  world.time = 1;
  expect(get('a')).toEqual([undefined]);
  set('a', '3');
  expect(get('a', 'a')).toEqual(['3', '3']);
});

test('a value that comes after the time went on is kept, and those before it are not', () => {
  const { world, set, get } = openValues(100);
  set('a', '1');
  world.time = 1;
  set('b', '2');
  expect(get('a', 'b')).toEqual([undefined, '2']);
});

test('worlds have values of their own', () => {
  const { values, set, get } = openValues(100);
  const other = openWorld();
  set('a', '1');
  expect(values.get(other, 'a')).toBeUndefined();
  values.set(other, 'a', '2');
  expect([...get('a'), values.get(other, 'a')]).toEqual(['1', '2']);
});

test('beyond the size of all the oldest values go, whosever they are', () => {
  const { values, set, get } = openValues(20); // each takes its text and twice its name: ten
  const other = openWorld();
  set('a', '1234');
  values.set(other, 'b', '1234');
  expect([...get('a'), values.get(other, 'b')]).toEqual(['1234', '1234']);
  set('c', '12');
  expect([...get('a', 'c'), values.get(other, 'b')]).toEqual([undefined, '12', '1234']);
  // Two characters are free again.
  values.set(other, 'd', '1');
  expect([...get('c'), values.get(other, 'b'), values.get(other, 'd')]).toEqual(['12', undefined, '1']);
  set('e', '12345');
  expect([...get('c', 'e'), values.get(other, 'd')]).toEqual([undefined, '12345', '1']);
});

test('what is larger than all of it is not kept, and takes nothing else away', () => {
  const { set, get } = openValues(20);
  set('a', '1234');
  set('b', '1'.repeat(15));
  set('k'.repeat(10), '1');
  expect(get('a', 'b', 'k'.repeat(10))).toEqual(['1234', undefined, undefined]);
  set('c', '1'.repeat(14)); // as large as all of it
  expect(get('a', 'c')).toEqual([undefined, '1'.repeat(14)]);
});

test('a value in the place of another counts alone', () => {
  const { world, set, get } = openValues(20);
  set('a', '1234');
  world.written = 1;
  set('a', '4321');
  set('b', '1234');
  expect(get('a', 'b')).toEqual(['4321', '1234']);
});
