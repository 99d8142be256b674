// What the admin API answers with: JSON.
import { expect, test } from 'vitest';
import { parseJson } from '../util/json.ts';
import { toJson } from './replies.ts';

test.each(['[]', '[1,"é",null,[],{"a":[2]}]', '[12345678901234567890]', '{"a":1}'])(
  '%s is sent as it is',
  (text) => {
    expect(toJson(parseJson(text)).body).toBe(text);
  },
);

test('a command without a result sends null', () => {
  expect(toJson(undefined).body).toBe('null');
});
