import { expect, test } from 'vitest';
import { halfOf, toDrips } from './partial-body.ts';

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => at);

test.each([
  [0, 0],
  [1, 0],
  [2, 1],
  [9, 4],
])('half of %i bytes are the first %i', (length, half) => {
  expect(halfOf(bytesOf(length))).toEqual(bytesOf(half));
});

test.each<[length: number, dripOver: number, sizes: number[], pause: number]>([
  [100, 0, [100], 0],
  [100, 19, [100], 19],
  [100, 20, [50, 50], 10],
  [100, 39, [33, 33, 34], 13],
  [3, 1000, [1, 1, 1], 1000 / 3],
  [0, 1000, [0], 1000],
  [40, 200, Array<number>(20).fill(2), 10],
  [40, 10_000, Array<number>(20).fill(2), 500],
])('%i bytes over %i ms go out in pieces of %j', (length, dripOver, sizes, pause) => {
  const drips = toDrips(bytesOf(length), dripOver);
  expect(drips.pieces.map(({ byteLength }) => byteLength)).toEqual(sizes);
  expect(drips.pieces.flatMap((piece) => [...piece])).toEqual([...bytesOf(length)]);
  expect(drips.pause).toBe(pause);
});
