import { hasEscapes, toCanonical } from './canonical.ts';
import { createFinder, type Found, minSecret, sharesWindow } from './find-secrets.ts';
import { findShapes } from './secret-shapes.ts';

/** Masks what is secret in a text. */
export type HideText = (text: string) => string;

/** Replaces a credential by `***`, followed by its last four characters if it has 16 or more. */
export const maskCredential = (value: string): string =>
  value.length >= 16 ? `***${value.slice(-4)}` : '***';

/**
 * Makes a function that masks credentials anywhere in a text: plain, or as encoded in a URL, in JSON or in HTML; and what is a
 * credential by its shape, such as a JWT. Credentials of fewer than 8 characters stay, since masking such words would make
 * texts unreadable.
 *
 * @param credentials the values of headers that hold one, such as `Bearer KEY` and `name=KEY; other=KEY`
 * @param texts those that it will get, if they are few: where they share nothing with the credentials, it is made at once
 */
export const createHide = (credentials: readonly string[], texts?: readonly string[]): HideText => {
  const mayMatch = texts === undefined || mayContain(texts.join('\n'), credentials);
  const search = mayMatch ? createSearch(credentials.flatMap(partsOf)) : findShapes;
  return (text) => replace(text, search, maskCredential);
};

/** Whether a text shares 8 characters with a credential. Only short texts are checked: for others it is always true. */
const mayContain = (text: string, credentials: readonly string[]): boolean => {
  const total = credentials.reduce((sum, { length }) => sum + length, 0);
  if (text.length > Math.max(total, 1000)) return true;
  const given = credentials.flatMap(formsOf);
  return formsOf(text).some((form) => sharesWindow(given, form));
};

/** The whole of a value, and the secrets in it; a pair `name=value` counts as one if its value is too short. */
const partsOf = (value: string): string[] => [
  value,
  ...value.split(/[;,\s]+/).map((part) => {
    const inner = part.slice(part.indexOf('=') + 1);
    return inner.length < minSecret ? part : inner;
  }),
];

/**
 * Makes a function that masks our own keys completely. Keys of fewer than 8 characters are masked only as whole words;
 * such a key with letters only, such as `any`, protects nothing and stays.
 *
 * @param options `inBase64`: whether to mask them inside of base64, too
 */
export const createHideKeys = (
  keys: readonly (string | undefined)[],
  { inBase64 = false }: { readonly inBase64?: boolean } = {},
): HideText => {
  const given = keys.filter((key): key is string => key !== undefined && !/^[a-z]{0,7}$/i.test(key));
  const long = createSearch(inBase64 ? given.flatMap((key) => [key, ...toBase64(key)]) : given);
  const words = given
    .filter(({ length }) => length < minSecret)
    .flatMap(formsOf)
    .map(toWholeWord);
  const search: Search = (text) => [
    ...long(text),
    ...words.flatMap((word) =>
      Array.from(text.matchAll(word), ({ 0: secret, index }) => ({
        start: index,
        end: index + secret.length,
        secret,
      })),
    ),
  ];
  return (text) => replace(text, search, () => '***');
};

/** Finds secrets in a text as it is, or as it is decoded. */
type Search = (text: string) => readonly Found[];

const createSearch = (secrets: readonly string[]): Search => {
  const originals = new Map(secrets.flatMap((secret) => formsOf(secret).map((form) => [form, secret])));
  const { find } = createFinder([...originals.keys()]);
  return (text) => [
    ...find(text).map((found) => ({ ...found, secret: originals.get(found.secret) ?? found.secret })),
    ...findShapes(text),
  ];
};

/**
 * A text, and the same decoded. A decoded text is searched for decoded secrets; so one form of each is enough. Decoding leaves
 * backslashes out, so a short secret also needs its usual encoded forms.
 */
const formsOf = (text: string): string[] => {
  if (!hasEscapes(text) && !/[^\0-\x7f]/.test(text)) return [text];
  const decoded = toCanonical(text).text;
  return decoded.length < minSecret && text.length >= minSecret
    ? [text, encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')), JSON.stringify(text).slice(1, -1)]
    : [text, decoded];
};

/** Replaces what is found in a text as it is, and in the same text decoded. */
const replace = (text: string, search: Search, mask: (secret: string) => string): string => {
  const found = [...search(text)];
  if (hasEscapes(text)) {
    const { text: decoded, originOf } = toCanonical(text);
    for (const { start, end, secret } of search(decoded))
      found.push({ start: originOf(start), end: originOf(end), secret });
  }
  if (found.length === 0) return text;
  let hidden = '';
  let from = 0;
  for (const { start, end, secret } of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= from) hidden += text.slice(from, start) + mask(secret);
    from = Math.max(from, end);
  }
  return hidden + text.slice(from);
};

const toWholeWord = (key: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${key.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'gu');

/** A key as it stands within base64: its first byte is the first, second or third of a group; in both alphabets. */
const toBase64 = (key: string): string[] => {
  const bytes = toBytes(key);
  const inner = ['', '\0', '\0\0'].map((before) => {
    const text = btoa(before + bytes).replace(/=+$/, '');
    // The characters at both ends also hold bits of what stands beside the key.
    const end = (before.length + bytes.length) % 3 === 0 ? text.length : -1;
    return text.slice(before.length === 0 ? 0 : before.length + 1, end);
  });
  return inner.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
};

/** The bytes of a text in UTF-8, one character each. */
const toBytes = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));
