// What the admin API answers with: JSON.
import { expect, test } from 'vitest';
import { parseJson } from '../util/json.ts';
import { toJson } from './replies.ts';

test.each(['[]', '[1,"é",null,[],{"a":[2]}]', '[12345678901234567890]'])(
  'the list %s is sent as bytes',
  (text) => {
    const { body } = toJson(parseJson(text));
    expect(body).toBeInstanceOf(Uint8Array);
    expect(Buffer.from(body).toString()).toBe(text);
  },
);

test('other results are texts', () => {
  expect(toJson(undefined).body).toBe('null');
  expect(toJson({ a: 1 }).body).toBe('{"a":1}');
});
