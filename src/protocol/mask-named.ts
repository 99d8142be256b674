import { mapJsonStrings } from '../util/map-json-strings.ts';
import { maskCredential } from '../util/mask.ts';
import { findShapes, passwordOf } from '../util/secret-shapes.ts';
import type { IsCredential } from './credentials.ts';

/** Called with each credential that was found. */
type OnFound = (value: string) => void;

/** Masks a text that stands `depth` texts above the innermost one that is searched. */
type MaskText = (text: string, depth: number) => string;

/** How many texts within each other are searched, such as the JSON in a field of JSON. */
const maxDepth = 3;

/**
 * Masks what has the name of a credential in a text of any kind: the fields of JSON, or of a part of it, with all strings
 * below them; the parameters of a form and of URLs; the parts of a multipart body. Values that hold such a text are searched
 * as well. It takes time linear in the text.
 *
 * @param onFound gets what was masked, and what is a credential by its shape, also twice
 */
export const maskNamed = (text: string, isCredential: IsCredential, onFound: OnFound = () => {}): string => {
  for (const { secret } of findShapes(text)) {
    onFound(secret);
    onFound(passwordOf(secret) ?? secret);
  }
  return createMaskText(isCredential, onFound).maskText(text, maxDepth);
};

/** Masks the parameters of a query that have the name of a credential, and leaves all else as it was sent. */
export const maskQuery = (query: string, isCredential: IsCredential, onFound: OnFound = () => {}): string =>
  createMaskText(isCredential, onFound).maskForm(query, maxDepth);

/** Changes the names and values of a query that are encoded, as they are decoded. */
export const mapEncoded = (query: string, change: (text: string) => string): string =>
  !/[%+]/.test(query)
    ? query
    : query.replace(/[^&=]+/g, (written) => {
        if (!/[%+]/.test(written)) return written;
        const decoded = decodeForm(written);
        const changed = change(decoded);
        return changed === decoded ? written : encodeURIComponent(changed);
      });

const createMaskText = (
  isCredential: IsCredential,
  onFound: OnFound,
): { readonly maskText: MaskText; readonly maskForm: MaskText } => {
  const mask = (value: string): string => {
    if (value !== '') onFound(value);
    return maskCredential(value);
  };

  const maskText: MaskText = (text, depth) => {
    if (depth === 0 || !/["=]/.test(text)) return text;
    if (/^--[^\r\n]{1,100}\r?\ncontent-/i.test(text)) return maskParts(text, depth);
    return isForm(text) ? maskForm(text, depth) : maskJson(text, depth);
  };

  /**
   * A field `key` is not masked, since the conditions of policies have one, with plain words. Nor is an object in `properties`: it
   * describes a parameter of a tool.
   */
  const maskJson: MaskText = (text, depth) =>
    mapJsonStrings(text, {
      isNamed: (name, parent, isObject) =>
        name !== 'key' && isCredential(name) && !(isObject && parent === 'properties'),
      change: (value, isBelow) => (isBelow && value !== '' ? mask(value) : maskText(value, depth - 1)),
      changeOther: (other) => other.replace(urlParameter, (pair) => maskPair(pair, depth)),
    });

  const maskForm: MaskText = (text, depth) =>
    text.includes('=')
      ? text
          .split('&')
          .map((pair) => maskPair(pair, depth))
          .join('&')
      : text;

  const maskPair: MaskText = (pair, depth) => {
    const end = pair.indexOf('=');
    if (end === -1) return pair;
    const [written, value] = [pair.slice(0, end), pair.slice(end + 1)];
    if (isCredential(decodeForm(written))) return `${written}=${mask(decodeForm(value))}`;
    if (!/["=]|%(?:22|3d)/i.test(value)) return pair;
    const decoded = decodeForm(value);
    const masked = maskText(decoded, depth - 1);
    return masked === decoded ? pair : `${written}=${encodeURIComponent(masked)}`;
  };

  const maskParts: MaskText = (text, depth) => {
    const [boundary = ''] = /^--[^\r\n]*/.exec(text) ?? [];
    return text
      .split(boundary)
      .map((part) => {
        const [head = ''] = /^\r?\n(?:[^\r\n]+\r?\n)+\r?\n/.exec(part) ?? [];
        const [, name = ''] = /;\s*name="?([^"\r\n;]*)/i.exec(head) ?? [];
        const value = part.slice(head.length).replace(/\r?\n$/, '');
        if (head === '' || value === '') return part;
        const masked = isCredential(name) ? mask(value) : maskText(value, depth - 1);
        return head + masked + part.slice(head.length + value.length);
      })
      .join(boundary);
  };
  return { maskText, maskForm };
};

const isForm = (text: string): boolean => /^[^\s={}"?]{1,200}=/.test(text);

/** A parameter in a URL, which may stand within a text. */
const urlParameter = /(?<=[?&#;])[^\s=?&#;"'<>]{1,100}=[^\s&#;"'<>]+/g;

/** Decodes a part of a form. */
const decodeForm = (text: string): string =>
  /[%+]/.test(text) ? (new URLSearchParams(`=${text.replaceAll('&', '%26')}`).get('') ?? text) : text;
