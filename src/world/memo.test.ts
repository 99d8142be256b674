import { expect, test } from 'vitest';
import { Memo } from './memo.ts';

/** A world of which the test says what it is. */
const openMemo = (maxSize: number) => {
  const world = { written: 0, time: 0, writes: () => world.written, clock: { now: () => world.time } };
  return { world, memo: new Memo<string>(world, maxSize, ({ length }) => length) };
};

test('a value is kept until something is written or the time goes on', () => {
  const { world, memo } = openMemo(100);
  memo.set('a', '1');
  expect([memo.get('a'), memo.get('b')]).toEqual(['1', undefined]);
  world.written = 1;
  expect(memo.get('a')).toBeUndefined();
  memo.set('a', '2');
  world.time = 1;
  expect(memo.get('a')).toBeUndefined();
  memo.set('a', '3');
  expect([memo.get('a'), memo.get('a')]).toEqual(['3', '3']);
});

test('a value that comes after the time went on is kept, and those before it are not', () => {
  const { world, memo } = openMemo(100);
  memo.set('a', '1');
  world.time = 1;
  memo.set('b', '2');
  expect([memo.get('a'), memo.get('b')]).toEqual([undefined, '2']);
});

test('beyond its size the oldest values go', () => {
  const { memo } = openMemo(20); // each takes its text and twice its key: ten
  memo.set('a', '12345678');
  memo.set('b', '12345678');
  expect([memo.get('a'), memo.get('b')]).toEqual(['12345678', '12345678']);
  memo.set('c', '1234');
  expect([memo.get('a'), memo.get('b'), memo.get('c')]).toEqual([undefined, '12345678', '1234']);
  // Those four characters are free again.
  memo.set('d', '12');
  expect([memo.get('b'), memo.get('c'), memo.get('d')]).toEqual(['12345678', '1234', '12']);
  memo.set('e', '1');
  expect([memo.get('b'), memo.get('c'), memo.get('d'), memo.get('e')]).toEqual([
    undefined,
    '1234',
    '12',
    '1',
  ]);
});

test('what is larger than all of it is not kept, and takes nothing else away', () => {
  const { memo } = openMemo(20);
  memo.set('a', '12345678');
  memo.set('b', '1'.repeat(19));
  memo.set('k'.repeat(10), '1');
  expect([memo.get('a'), memo.get('b'), memo.get('k'.repeat(10))]).toEqual([
    '12345678',
    undefined,
    undefined,
  ]);
  memo.set('c', '1'.repeat(18)); // as large as all of it
  expect([memo.get('a'), memo.get('c')]).toEqual([undefined, '1'.repeat(18)]);
});

test('a value that is kept already counts once', () => {
  const { memo } = openMemo(20);
  memo.set('a', '12345678');
  memo.set('a', 'other');
  memo.set('b', '12345678');
  expect([memo.get('a'), memo.get('b')]).toEqual(['12345678', '12345678']);
});

test('what was forgotten leaves all the room', () => {
  const { world, memo } = openMemo(20);
  memo.set('a', '12345678');
  memo.set('b', '12345678');
  world.written = 1;
  memo.set('c', '12345678');
  memo.set('d', '12345678');
  expect([memo.get('c'), memo.get('d')]).toEqual(['12345678', '12345678']);
});
