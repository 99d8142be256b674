// What the admin API answers with: JSON.
import { expect, test } from 'vitest';
import { toJson } from './replies.ts';

test.each([[[]], [[1, 'é', null, [], { a: [2n ** 60n] }]], [[undefined]]])(
  'the list %j is sent as bytes, since its text may be larger than the heap',
  (list) => {
    const { body } = toJson(list);
    expect(body).toBeInstanceOf(Uint8Array);
    const text = JSON.stringify(list, (_, value) => (typeof value === 'bigint' ? 'big' : value));
    expect(
      Buffer.from(body)
        .toString()
        .replace(String(2n ** 60n), '"big"'),
    ).toBe(text);
  },
);

test('other results are texts', () => {
  expect(toJson(undefined).body).toBe('null');
  expect(toJson({ a: 1 }).body).toBe('{"a":1}');
});
