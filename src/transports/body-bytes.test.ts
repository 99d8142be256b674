import { expect, test } from 'vitest';
import { maxBodyRoom, maxBodySize } from '../protocol/call.ts';
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
    for (let left = size; left > 0; left -= 1_000_000) body.add(new Uint8Array(Math.min(left, 1_000_000)));
    return body.end();
  };
  expect(bodyOf(maxBodySize)).toHaveLength(maxBodySize);
  expect(bodyOf(maxBodySize + 1)).toBe('too-large');
  expect(bodyOf(3 * maxBodySize)).toBe('too-large');
});

test('bodies that arrive at the same time share a room, which each leaves at its end', () => {
  const count = Math.floor(maxBodyRoom / maxBodySize);
  const fill = (): BodyBytes => {
    const body = new BodyBytes();
    body.add(new Uint8Array(maxBodySize));
    return body;
  };
  const bodies = Array.from({ length: count }, fill);
  expect(fill().end()).toBe('no-room');
  const small = new BodyBytes();
  small.add(new Uint8Array(1000));
  expect(small.end()).toHaveLength(1000);
  bodies[0]?.drop();
  bodies[0]?.drop();
  expect(fill().end()).toHaveLength(maxBodySize);
  for (const body of bodies) body.drop();
});
