import { describe, expect, test, vi } from 'vitest';
import { createIsCredential, isKnownCredential } from './credentials.ts';
import { maskNamed, maskQuery } from './mask-named.ts';

const mask = (text: string): string => maskNamed(text, isKnownCredential);

const part = (name: string, value: string): string =>
  `--x-1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

test.each<[what: string, text: string, masked: string]>([
  ['a field', '{"password":"abc","name":"Ada"}', '{"password":"***","name":"Ada"}'],
  ['a name with escapes', '{"pass\\u0077ord": "abc"}', '{"pass\\u0077ord": "***"}'],
  ['a list', '{"api_keys":["a","b", ["c"]],"n":"d"}', '{"api_keys":["***","***", ["***"]],"n":"d"}'],
  [
    'an object',
    '{"password":{"value":"a","of":[{"b":"c"}]},"d":"e"}',
    '{"password":{"value":"***","of":[{"b":"***"}]},"d":"e"}',
  ],
  ['a value with escapes', '{"token":"a\\"b","c":"d\\"e"}', '{"token":"***","c":"d\\"e"}'],
  ['JSON in JSON', '{"payload":"{\\"password\\":\\"x\\"}"}', '{"payload":"{\\"password\\":\\"***\\"}"}'],
  [
    'JSON in JSON in JSON',
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ pwd: 'x' }) }) }),
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ pwd: '***' }) }) }),
  ],
  ['a form in JSON', '{"a":"b=c&token=x"}', '{"a":"b=c&token=***"}'],
  ['a URL in JSON', '{"a":"see https://h/?b=c&key=x#d"}', '{"a":"see https://h/?b=c&key=***#d"}'],
  ['a part of JSON', 'b","password":"x","name":"Ada"}', 'b","password":"***","name":"Ada"}'],
  ['JSON that is cut off', '{"a":[{"password":"abc', '{"a":[{"password":"***'],
  ['JSON within a text', 'got {"a":{"sid":"x"}} for ?sid=y', 'got {"a":{"sid":"***"}} for ?sid=***'],
  ['a form', 'user[password]=a b&user%5Bpwd%5D=x&c=d', 'user[password]=***&user%5Bpwd%5D=***&c=d'],
  ['JSON in a form', 'a=%7B%22otp%22%3A%221%22%7D&b=1', 'a=%7B%22otp%22%3A%22***%22%7D&b=1'],
  [
    'a URL in a URL',
    'https://h/?to=https%3A%2F%2Fg%2F%3Fsig%3Dx',
    'https://h/?to=https%3A%2F%2Fg%2F%3Fsig%3D***',
  ],
  [
    'a multipart body',
    `${part('password', 'abc')}${part('name', 'Ada')}${part('a', '{"sid":"b"}')}--x-1--\r\n`,
    `${part('password', '***')}${part('name', 'Ada')}${part('a', '{"sid":"***"}')}--x-1--\r\n`,
  ],
])('masks %s', (_what, text, masked) => {
  expect(mask(text)).toBe(masked);
  expect(mask(masked)).toBe(masked);
});

test.each([
  '{"key":"workspace_id","max_tokens":5,"password":"","token":null}',
  '{"tools":[{"parameters":{"properties":{"api_key":{"type":"string"}},"required":["api_key"]}}]}',
  '{"content":"What is a password? It is \\"secret\\": keep it."}',
  'a text: "quoted", [listed], {braced} and 1=1',
  '"\\',
  '{"a"}]]}{[',
  '--dashes="x"',
])('leaves %s', (text) => {
  expect(mask(text)).toBe(text);
});

test('a query keeps all but its credentials', () => {
  const masked = maskQuery('after=run_1&access_token=abc&a=%zz&&x', isKnownCredential);
  expect(masked).toBe('after=run_1&access_token=***&a=%zz&&x');
});

test('further names are masked, and what was masked is reported', () => {
  const found: string[] = [];
  const body = '{"tenant":{"a":"x\\"y"},"b":"Bearer abcdefgh1"}';
  const masked = maskNamed(body, createIsCredential(['tenant']), (value) => found.push(value));
  expect(masked).toBe('{"tenant":{"a":"***"},"b":"Bearer abcdefgh1"}');
  expect(new Set(found)).toEqual(new Set(['abcdefgh1', 'x"y']));
});

describe('the work grows with the text', () => {
  /** How many characters of strings and names were looked at. */
  const workOf = (text: string): number => {
    const read = vi.spyOn(String.prototype, 'charCodeAt');
    let names = 0;
    maskNamed(text, (name) => {
      names += name.length;
      return isKnownCredential(name);
    });
    const work = read.mock.calls.length + names;
    read.mockRestore();
    return work;
  };

  test.each([
    ['open quotes', '"\\'],
    ['escaped quotes in an object', '\\"', '{"a":"'],
    ['names outside of objects', '"a":"'],
    ['open brackets', '{"a":['],
    ['fields', '"password":"x",', '{'],
    ['nested JSON', '{\\"password\\":\\"{x=y}\\"}', '{"a":"'],
    ['parameters', '&a[b]=c'],
    ['values with parameters', '&a=%22b%3D'],
  ])('%s', (_what, unit, start = '') => {
    const once = workOf(start + unit.repeat(500));
    expect(workOf(start + unit.repeat(1000))).toBeLessThan(2.1 * once + 100);
  });
});
