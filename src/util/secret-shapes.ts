import type { Found } from './find-secrets.ts';
import { tryParse } from './try-parse.ts';

/**
 * What is a credential by its shape, wherever it stands: a JWT, a key such as `sk-…`, the user of a URL or of a whole value
 * `user:password@host`, what follows `Bearer` or `Basic`. Each starts only where a word starts, so that the search stays linear.
 */
const shapes =
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?|(?<![\w-])(?:(?:sk|pk|rk)[-_]|gh[opsu]_|github_pat_|glpat-|xox[abprs]-)[\w-]{16,}|(?<=:\/\/)[^\s/?#"'<>\\]{1,1000}(?=@)|^[^\s/?#@"'<>\\:]{1,1000}:[^\s/?#"'<>\\]{1,1000}(?=@[\w.:[\]-]+$)|(?<=\b(?:[Bb]earer|BEARER)\s)(?=[\w.~+/-]*(?:\d|=|[a-z][A-Z]))[\w.~+/-]{7,}[\w~+/-]=*|(?<=\b(?:[Bb]asic|BASIC)\s)[\w+/-]{8,}={0,2}/g;

/** What each of them contains: much faster to search for, and most texts have none. */
const hints = /eyJ|[spr]k[-_]|gh[opsu]_|github_pat_|glpat-|xox|@|(?:earer|EARER|asic|ASIC)\s/;

/** The credentials in a text that are known by their shape. */
export const findShapes = (text: string): readonly Found[] =>
  hints.test(text)
    ? Array.from(text.matchAll(shapes), ({ 0: secret, index }) => ({
        start: index,
        end: index + secret.length,
        secret,
      })).filter(({ start, secret }) => !/^basic/i.test(text.slice(start - 6, start)) || passwordOf(secret))
    : [];

/** The password in what follows `Basic`, or the user if it has no password; undefined if it is not the base64 of both. */
export const passwordOf = (token: string): string | undefined => {
  const text = tryParse(token.replaceAll('-', '+').replaceAll('_', '/'), (base64) =>
    new TextDecoder().decode(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))),
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no text has them, but other bytes do
  const [, user, password] = /^([^\0-\x1f:]*):([^\0-\x1f]*)$/.exec(text ?? '') ?? [];
  return password || user;
};

/** Whether a whole value looks like a random token: long, one word, and of small and capital letters and digits. */
export const isRandom = (value: string): boolean =>
  /^[\w+/=.~-]{32,}$/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);
