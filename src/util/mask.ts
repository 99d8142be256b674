import { hasEscapes, toCanonical } from './canonical.ts';
import { createFinder, createStartCheck, type Found, minSecret } from './find-secrets.ts';
import { findShapes, passwordOf } from './secret-shapes.ts';

/** Masks what is secret in a text. */
export type HideText = (text: string) => string;

/** Replaces a credential by `***`, followed by its last four characters if it has 16 or more, and no text needs to escape them. */
export const maskCredential = (value: string): string => {
  const last = value.slice(-4);
  return value.length >= 16 && /^[\w.~=-]+$/.test(last) ? `***${last}` : '***';
};

/**
 * Makes a function that masks credentials anywhere in a text: plain, in base64, or as encoded in a URL, in JSON or in HTML; and
 * what is a credential by its shape, such as a JWT. Credentials of fewer than 8 characters stay, since masking such words
 * would make texts unreadable.
 *
 * @param credentials their values, such as `Bearer KEY` and `name=KEY; other=KEY`
 * @param texts those that it will get, if they are known: then it searches only for what may start in them
 */
export const createHide = (
  credentials: readonly string[],
  texts?: readonly string[],
  { inBase64 = true }: { readonly inBase64?: boolean } = {},
): HideText => {
  const given = credentials.filter(
    (value) => value.length >= minSecret && (inBase64 || texts === undefined || mayShare(value, texts)),
  );
  if (given.length === 0) return (text) => replace(text, findShapes, maskCredential);
  const mayStart = createCheck(given, texts);
  const secrets = given.flatMap((value) => {
    const isPlain = !needsForms(value);
    return partsOf(value).flatMap((secret) => [
      ...((isPlain ? [secret] : headsOf(secret)).some(mayStart) ? [secret] : []),
      ...(inBase64 ? findBase64(secret, mayStart) : []),
    ]);
  });
  const search = createSearch(secrets);
  return (text) => replace(text, search, maskCredential);
};

/**
 * Whether a value may share 8 characters with texts. For a long value and short texts, it takes far less than a search: of 8
 * characters, 4 begin at a multiple of 5.
 */
const mayShare = (value: string, texts: readonly string[]): boolean =>
  ['%', '\\', '+', '&'].some((mark) => value.includes(mark)) ||
  texts.some((text) => {
    if (needsForms(text) || text.length > 1000) return true;
    for (let at = 0; at + 4 <= text.length; at += 5) if (value.includes(text.slice(at, at + 4))) return true;
    return false;
  });

/** Makes a check of whether a secret may start in the texts. Long texts are searched without it. */
const createCheck = (
  given: readonly string[],
  texts: readonly string[] | undefined,
): ((secret: string) => boolean) => {
  const isLong = lengthOf(texts ?? []) > Math.max(lengthOf(given), 1000);
  return texts === undefined || isLong
    ? ({ length }) => length >= minSecret
    : createStartCheck(texts.flatMap(formsOf));
};

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);

/** The whole of a value, and the secrets in it; a pair `name=value` counts as one if its value is too short. */
const partsOf = (value: string): string[] => {
  const parts = value.split(/[;,\s]+/);
  // The words of a sentence are not secrets.
  const isSentence = parts.length > 2 && !value.includes('=');
  const secrets = isSentence ? parts.filter((part) => !/^\p{L}+[.:!?]?$/u.test(part)) : parts;
  const password = /^basic\s/i.test(value) ? passwordOf(value.slice(6).trim()) : undefined;
  return [value, password ?? '', ...secrets.map(innerOf)];
};

const innerOf = (part: string): string => {
  const mark = part.indexOf('=');
  const start = (mark === -1 ? part.indexOf(':') : mark) + 1;
  return part.length - start < minSecret ? part : part.slice(start);
};

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
  if (secrets.length === 0) return findShapes;
  const originals = new Map(secrets.flatMap((secret) => formsOf(secret).map((form) => [form, secret])));
  const { find } = createFinder([...originals.keys()]);
  return (text) => [
    ...find(text).map((found) => ({ ...found, secret: originals.get(found.secret) ?? found.secret })),
    ...findShapes(text),
  ];
};

/** Whether a text may be written in several ways. */
const needsForms = (text: string): boolean => hasEscapes(text) || /[^\0-\x7f]/.test(text);

/**
 * A text, and the same decoded. A decoded text is searched for decoded secrets; so one form of each is enough. Decoding leaves
 * backslashes out, so a short secret also needs its usual encoded forms.
 */
const formsOf = (text: string): string[] => {
  if (!needsForms(text)) return [text];
  const decoded = toCanonical(text).text;
  return decoded.length < minSecret && text.length >= minSecret
    ? [text, encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')), JSON.stringify(text).slice(1, -1)]
    : [text, decoded];
};

/** How the forms of a secret begin. Only the start of a long one is decoded. */
const headsOf = (secret: string): string[] => {
  const start = secret.slice(0, 100);
  const heads = hasEscapes(start) || secret.length < 100 ? formsOf(start) : [start];
  // What follows may belong to the last escape.
  const isEnough = secret.length < 100 || heads.every(({ length }) => length >= 2 * minSecret + 4);
  return isEnough ? heads : formsOf(secret);
};

/** The forms in base64 of a secret, if they may start in a text. */
const findBase64 = (secret: string, mayStart: (head: string) => boolean): string[] =>
  secret.length >= minSecret && toBase64(secret.slice(0, 2 * minSecret)).some(mayStart)
    ? toBase64(secret)
    : [];

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
const toBytes = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
