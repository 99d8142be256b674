// All forms of a credential are hidden, and other texts are kept.
import { describe, expect, test } from 'vitest';
import { createHide, createHideKeys } from './mask.ts';

describe('a credential', () => {
  test('has 8 characters at least', () => {
    const hide = createHide(['1234567', 'abcdefgh']);
    expect(hide('1234567 abcdefg abcdefgh')).toBe('1234567 abcdefg ***');
  });

  test('is hidden as a whole before its parts', () => {
    const hide = createHide(['token=abcdefghijklmnop; other=abcdefghijkl']);
    expect(hide('abcdefghijkl abcdefghijklmnop')).toBe('*** ***mnop');
    expect(hide('token=abcdefghijklmnop; other=abcdefghijkl')).toBe('***ijkl');
  });

  test('that is truncated is recognized by its first 16 characters', () => {
    const key = '0123456789abcdefghijklmnop';
    const hide = createHide([key]);
    expect(hide(key.slice(0, 15))).toBe(key.slice(0, 15));
    for (const length of [16, 17, 25, 26]) expect(hide(`<${key.slice(0, length)}>`)).toBe('<***mnop>');
    expect(hide(`${key.slice(0, 16)}ghi-${key}q`)).toBe('***mnop-***mnopq');
    expect(hide(`${key}${key.slice(0, 20)}${key}`)).toBe('***mnop***mnop***mnop');
  });

  test('is kept beyond the forty longest', () => {
    const keys = Array.from({ length: 41 }, (_, at) => `key-${'x'.repeat(4 + at)}-${at}`);
    const hide = createHide(keys);
    expect(keys.map((key) => hide(key) === key)).toEqual([true, ...Array<boolean>(40).fill(false)]);
  });

  test('is hidden after many others', () => {
    const keys = Array.from({ length: 250 }, (_, at) => `secret-key-${at}-`);
    for (const key of [...keys, ...keys]) {
      const hide = createHide([key]);
      expect(hide(`${key}!`)).toMatch(/^\*\*\*.{0,4}!$/);
      expect(createHide([key])).toBe(hide);
    }
  });
});

/** The forms of one character, each hidden within a longer key. */
const forms: Readonly<Record<string, readonly string[]>> = {
  a: ['a', '\\u0061', '%61', '&#97;', '&#097;', '&#x61;'],
  '/': ['/', '\\/', '%2f', '%2F', '\\u002f', '\\u002F', '&#47;', '&#047;', '&#x2f;', '&#x2F;'],
  '&': ['&', '&amp;', '%26', '\\u0026', '&#38;', '&#038;', '&#x26;'],
  '<': ['<', '&lt;', '%3C', '%3c', '\\u003c', '\\u003C', '&#60;', '&#x3c;', '&#x3C;'],
  '>': ['>', '&gt;', '%3E', '\\u003e', '&#62;'],
  '"': ['"', '\\"', '&quot;', '%22', '\\u0022', '&#34;'],
  "'": ["'", '&apos;', '%27', '\\u0027', '&#39;', '&#039;'],
  '\\': ['\\', '\\\\', '%5C', '%5c', '\\u005c', '\\u005C', '&#92;'],
  é: ['é', '%C3%A9', '%c3%a9', '\\u00e9', '\\u00E9', '&#233;', '&#xe9;', '&#xE9;'],
  '😀': ['😀', '%F0%9F%98%80', '\\ud83d\\ude00', '\\uD83D\\uDE00', '&#128512;', '&#x1f600;', '&#x1F600;'],
  '.': ['.', '%2E', '%2e', '&#46;', '\\u002e'],
  '(': ['(', '%28', '&#40;'],
  '|': ['|', '%7C', '%7c', '&#124;', '&#x7C;'],
  $: ['$', '%24', '&#36;'],
};

describe.each(Object.entries(forms))('with %s in it', (character, written) => {
  test.each(written)('is hidden in the form %s', (form) => {
    const [head, tail] = ['head', 'tail-0123456789-last'];
    expect(createHide([`${head}${character}${tail}`])(`<${head}${form}${tail}>`)).toBe('<***last>');
    // Also after the first 16 characters.
    expect(createHide([`${tail}${character}${head}`])(`<${tail}${form}${head}>`)).toBe('<***head>');
  });

  test('is kept with another character', () => {
    const text = '<head#tail-0123456789-last>';
    expect(createHide([`head${character}tail-0123456789-last`])(text)).toBe(text);
  });
});

test('a space may be written as a plus sign', () => {
  const hide = createHideKeys(['one two three']);
  expect(hide('one+two%20three')).toBe('***');
  expect(hide('one-two three')).toBe('one-two three');
  expect(createHideKeys(['one+two+three'])('one two three')).toBe('one two three');
});

describe('an own key', () => {
  test('of 8 or more characters is hidden anywhere, a shorter one only as a whole word', () => {
    const hide = createHideKeys(['abcdefgh', 'key-123', 'k3']);
    expect(hide('xabcdefghx')).toBe('x***x');
    expect(hide('key-123, xkey-123, key-1234, key-123é, _key-123_')).toBe(
      '***, xkey-123, key-1234, key-123é, _***_',
    );
    expect(hide('k3 K3 ok3 k33 ék3 k3')).toBe('*** K3 ok3 k33 ék3 ***');
  });

  test('that is a word of up to 7 letters is kept', () => {
    expect(createHideKeys(['secrets', 'Any', '', undefined])('secrets Any')).toBe('secrets Any');
    expect(createHideKeys(['secrecys'])('secrecys')).toBe('***');
  });

  test('is hidden before its parts', () => {
    expect(createHideKeys(['a-1', 'a-1-b-2'])('a-1-b-2 a-1')).toBe('*** ***');
    expect(createHideKeys(['12345678', '12345678-9'])('12345678-9')).toBe('***');
  });

  test('that is truncated is hidden', () => {
    expect(createHideKeys(['0123456789abcdefghij'])('0123456789abcdefgh…')).toBe('***…');
  });
});
