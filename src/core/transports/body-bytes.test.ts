import { expect, test } from 'vitest';
import { setLimit } from '../../../test/support/set-limit.ts';
import { BodyBytes } from './body-bytes.ts';

test('a body is what arrived, in chunks of any size', () => {
  for (const sizes of [[], [0], [5], [1, 1, 1, 1, 1, 1, 1], [3, 0, 100, 2]]) {
    const body = new BodyBytes();
    const sent = sizes.map((size, at) => new Uint8Array(size).fill(at + 1));
    for (const chunk of sent) body.add(chunk);
    expect(body.end()).toEqual(new Uint8Array(sent.flatMap((chunk) => [...chunk])));
  }
});

test('a body of up to the maximum size is kept, a larger one is not', () => {
  const bodyOf = (size: number) => {
    const body = new BodyBytes();
    for (let left = size; left > 0; left -= 10) body.add(new Uint8Array(Math.min(left, 10)));
    return body.end();
  };
  setLimit('body', 100);
  expect(bodyOf(100)).toHaveLength(100);
  expect(bodyOf(101)).toBe('too-large');
  expect(bodyOf(300)).toBe('too-large');
});
