import { expect, test } from 'vitest';
import { drawId, drawUuid, fakerOf } from './faker.ts';
import { hash } from './hash.ts';
import { createWorldId } from './world-id.ts';

test('a hash has 32 bits, which depend on the whole text and the salt', () => {
  const texts = ['', 'a', 'b', 'ab', 'ba', 'aa', 'aaa', '\u0000', '\u0000\u0000', '1', '11'];
  const hashes = texts.flatMap((text) => [hash(text), hash(text, 1), hash(text, 2)]);
  expect(new Set(hashes).size).toBe(hashes.length);
  for (const one of hashes)
    expect([Number.isInteger(one), one >= 0, one < 2 ** 32]).toEqual([true, true, true]);
  expect(hash('a', 0)).toBe(hash('a'));
});

test('draws depend on the key alone', () => {
  const draw = (...key: readonly (string | number)[]) => {
    const faker = fakerOf(...key);
    return [faker.number.int(1e9), drawId('x_'), drawId('', 8), drawUuid()];
  };
  const drawn = draw(42, 'run', 'thread_a');
  draw('another');
  expect(draw(42, 'run', 'thread_a')).toEqual(drawn);
  expect(drawn[1]).toMatch(/^x_[A-Za-z0-9]{24}$/);
  expect(drawn[2]).toMatch(/^[A-Za-z0-9]{8}$/);
  const others = [draw(43, 'run', 'thread_a'), draw(42, 'run', 'thread_b'), draw(42, 'runthread_a')];
  expect(new Set([drawn, ...others].flat()).size).toBe(16);
});

// Other ids here mean other bytes in all replies of all scenarios.
test('draws these ids for this key', () => {
  fakerOf(42, 'run', 'thread_a');
  expect([drawId('x_'), drawId('', 8)]).toEqual(['x_yxl5qX9VwkDXdKKhJ1ZScbum', 'qdF3BNcc']);
});

test('world ids are 12 hex digits and differ', () => {
  const ids = Array.from({ length: 1000 }, createWorldId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(1000);
});
