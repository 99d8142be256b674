// All forms of a credential are hidden, and other texts are kept.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tries } from '../../test/support/settings.ts';
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

  test('is hidden among hundreds of others', () => {
    const keys = Array.from({ length: 500 }, (_, at) => `key-${'x'.repeat(4 + at)}-${at}`);
    const hide = createHide([keys.join('; ')]);
    for (const key of keys) expect(hide(`<${key}>`)).toMatch(/^<\*\*\*.{0,4}>$/);
  });

  test('is hidden where it begins like many others', () => {
    const keys = Array.from({ length: 100 }, (_, at) => `${'a'.repeat(8 + at)}${at % 10}`);
    const hide = createHide(keys);
    for (const key of keys) expect(hide(`<${key}>`)).toMatch(/^<\*\*\*.{0,4}>$/);
    expect(hide('<aaaaaaab>')).toBe('<aaaaaaab>');
  });
});

/** The forms of one character, each hidden within a longer key. */
const forms: Readonly<Record<string, readonly string[]>> = {
  a: ['a', '\\u0061', '%61', '&#97;', '&#097;', '&#x61;'],
  '/': ['/', '\\/', '%2f', '%2F', '\\u002f', '\\u002F', '&#47;', '&#047;', '&#x2f;', '&#x2F;'],
  '&': ['&', '&amp;', '%26', '\\u0026', '&#38;', '&#038;', '&#x26;'],
  '+': ['+', ' ', '%2B', '%2b', '\\u002b', '&#43;'],
  '+\\': ['+\\', '+\\\\', '%2B%5C', '\\u002b\\u005c', '&#43;&#92;'],
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
  expect(createHideKeys(['one+two+three'])('one two three')).toBe('***'); // as a form decodes it
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

test('what is a credential by its shape is hidden without being known', () => {
  const hide = createHide([]);
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
  expect(hide(`a ${jwt}, b`)).toBe('a ***dXJl, b');
  expect(hide('key sk-live-0123456789abcdef!')).toBe('key ***cdef!');
  expect(hide('https://user:pass@host/x?a=b@c')).toBe('https://***@host/x?a=b@c');
  expect(hide('https%3A%2F%2Fuser%3Apass%40host')).toBe('https%3A%2F%2F***%40host');
  for (const text of ['run_abc123DEF456ghi789', 'https://host/@me', 'task-0123456789abcdefgh', 'eyJ.b.c'])
    expect(hide(text)).toBe(text);
});

/** How an encoder writes a whole text. */
const encoders: readonly ((text: string) => string)[] = [
  (text) => text,
  encodeURIComponent,
  (text) => new URLSearchParams([['', text]]).toString().slice(1),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  (text) => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`),
  (text) => Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
];

const keyCharacters = fc.constantFrom(...'abcXYZ0189-_.~+/=%&\\"<>$');

test('no form of a credential survives, and other texts are kept', () => {
  const key = fc
    .string({ unit: keyCharacters, minLength: 16, maxLength: 40 })
    .filter((text) => text.replace(/[%\\&]/g, '').length >= 16);
  const other = fc.string({ unit: fc.constantFrom(...'ghijkl {}[],:\n'), maxLength: 40 });
  fc.assert(
    fc.property(key, other, other, fc.constantFrom(...encoders), (secret, before, after, encode) => {
      const hide = createHide([secret]);
      expect(hide(`${before} ${encode(secret)} ${after}`)).not.toContain(encode(secret));
      expect(hide(before + after)).toBe(before + after);
    }),
    tries(500),
  );
});

test('a key is hidden inside of base64, whatever stands beside it', () => {
  const key = 'key-?>0123456789';
  const hide = createHideKeys([key], { inBase64: true });
  for (const before of ['', 'u', 'us', 'user:'])
    for (const after of ['', '!', '!!', '!!!']) {
      const text = Buffer.from(before + key + after);
      for (const encoding of ['base64', 'base64url'] as const) {
        const hidden = hide(`<${text.toString(encoding)}>`);
        expect(hidden).toContain('***');
        expect(hidden.length).toBeLessThan(20);
      }
    }
  expect(createHideKeys([key])(btoa(key))).toBe(btoa(key));
});
