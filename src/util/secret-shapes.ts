import type { Found } from './find-secrets.ts';

/**
 * What is a credential by its shape, wherever it stands: a JWT, a key such as `sk-…`, the user of a URL. Each starts only
 * where a word starts, so that the search stays linear.
 */
const shapes =
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?|(?<![\w-])(?:(?:sk|pk|rk)[-_]|gh[opsu]_|github_pat_|glpat-|xox[abprs]-)[\w-]{16,}|(?<=:\/\/)[^\s/?#@"'<>\\]{1,1000}(?=@)/g;

/** What each of them contains: much faster to search for, and most texts have none. */
const hints = /eyJ|[spr]k[-_]|gh[opsu]_|github_pat_|glpat-|xox|:\/\//;

/** The credentials in a text that are known by their shape. */
export const findShapes = (text: string): readonly Found[] =>
  hints.test(text)
    ? Array.from(text.matchAll(shapes), ({ 0: secret, index }) => ({
        start: index,
        end: index + secret.length,
        secret,
      }))
    : [];

/** Whether a whole value looks like a random token: long, one word, and of small and capital letters and digits. */
export const isRandom = (value: string): boolean =>
  /^[\w+/=.~-]{32,}$/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);
