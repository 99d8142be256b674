import { createHide, maskCredential } from '../util/mask.ts';
import { isRandom } from '../util/secret-shapes.ts';

/** Whether a header, a query parameter or a field of a body holds a credential, by its name in any case. */
export type IsCredential = (name: string) => boolean;

const credentialNames =
  /authorization|cookie|credential|passw|passphrase|passcode|secret|token(?!s)|jwt|dpop|bearer|signature|hmac|(?:api|access|private)-?key|sess(?:ion)?id|(?:^|(?<!idempotency)[-_])key(?:[-_]|$)|(?:^|[-_])(?:pass|pwd|sig|otp|sid)(?:[-_]|$)|(?:^|(?<!mock)[-_])session(?:[-_]?(?:id|key))?$|^x-auth|^auth(?:[-_]|$)|^x-gateway-config$/;

/** Headers whose long values are random, but not secret: ids, traces, digests. */
const harmlessHeaders =
  /(?:^|[-_])(?:ids?|uuid|trace(?:parent|state)?|baggage|b3|match|etag|digest|hash|agent|version|cursor|idempotency|nonce)(?:[-_]|$)|^(?:accept|content|sec|x-mock|x-stainless)-|^(?:host|origin|referer|via)$/;

/**
 * Creates a check for the names of credentials.
 *
 * @param more further names, beside the known ones
 */
export const createIsCredential = (more: readonly string[] = []): IsCredential => {
  const names = new Set(more.map((name) => name.toLowerCase()));
  /** Clients send few different names, and each is checked with every call. */
  const known = new Map<string, boolean>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const lower = name.toLowerCase();
    const isOne = names.has(lower) || credentialNames.test(lower);
    if (known.size < 1000 && name.length < 100) known.set(name, isOne);
    return isOne;
  };
};

/** By the known names alone. */
export const isKnownCredential = createIsCredential();

/** Whether a header holds a credential: by its name, or by a value that looks like a random token. */
const holdsCredential = (name: string, value: string, isCredential: IsCredential): boolean =>
  isCredential(name) || (value.length >= 32 && isRandom(value) && !harmlessHeaders.test(name));

/** A header's value without its secret: a long credential is reduced to its last four characters, a short one to `***`. */
export const maskHeader = (name: string, value: string, isCredential = isKnownCredential): string =>
  holdsCredential(name, value, isCredential) ? maskCredential(value) : value;

/** The values of headers and of a query that are masked there, so that they can be masked elsewhere too. */
export const credentialsIn = (
  headers: Readonly<Record<string, string>>,
  query = '',
  isCredential = isKnownCredential,
): string[] => [
  ...Object.entries(headers).flatMap(([name, value]) =>
    value !== '' && holdsCredential(name, value, isCredential) ? [value] : [],
  ),
  ...(query === '' ? [] : [...new URLSearchParams(query)]).flatMap(([name, value]) =>
    value !== '' && isCredential(name) ? [value] : [],
  ),
];

/** Masks the values of parameters with the name of a credential, such as `api_key`, and leaves all else as it was sent. */
export const maskQuery = (query: string, isCredential: IsCredential): string =>
  query === ''
    ? ''
    : query
        .split('&')
        .map((pair) => {
          if (!/[%+]/.test(pair) && !isCredential(pair.slice(0, pair.indexOf('=')))) return pair;
          const [[name, value] = ['', '']] = new URLSearchParams(pair);
          return isCredential(name) ? `${encodeURIComponent(name)}=${maskCredential(value)}` : pair;
        })
        .join('&');

/**
 * Masks the fields of a JSON text, or of a part of one, that have the name of a credential. A field `key` is not masked, since
 * conditions have one.
 */
export const maskFields = (
  text: string,
  isCredential: IsCredential,
  onFound: (value: string) => void = () => {},
): string =>
  text.replace(jsonFields, (field, name: string, colon: string, value: string) => {
    if (name === 'key' || value === '' || !isCredential(name)) return field;
    onFound(value);
    return `"${name}"${colon}${JSON.stringify(maskCredential(value))}`;
  });

/** The bodies of a request and its reply; empty texts if there are none. */
export interface Bodies {
  readonly body: string;
  readonly replyBody: string;
}

/** The fields of a JSON text that are texts themselves. */
const jsonFields = /"([^"\\]{1,100})"(\s*:\s*)"((?:[^"\\]|\\.)*)"/gs;

/**
 * Masks the fields of a body that have the name of a credential, in JSON or in a form, and then their values, and the
 * credentials that are known, wherever they stand.
 */
export const hideBodies = (
  { body, replyBody }: Bodies,
  credentials: readonly string[],
  isCredential: IsCredential,
): Bodies => {
  const found: string[] = [];
  const isForm = /^[^\s={}[\]"]{1,100}=/.test(body);
  if (isForm) found.push(...credentialsIn({}, body, isCredential));
  const masked = isForm
    ? maskQuery(body, isCredential)
    : maskFields(body, isCredential, (value) => found.push(value));
  const hide = createHide([...credentials, ...found], [masked, replyBody]);
  return { body: hide(masked), replyBody: hide(replyBody) };
};
