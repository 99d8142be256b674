import { maskCredential } from '../util/mask.ts';
import { isRandom } from '../util/secret-shapes.ts';

/** Whether a header, a query parameter or a field of a body holds a credential, by its name in any case. */
export type IsCredential = (name: string) => boolean;

const credentialNames =
  /authorization|cookie|credential|passw|passphrase|passcode|secret|token(?!s)|jwt|dpop|bearer|signature|hmac|(?:api|access|private)[-_]?key|sess(?:ion)?id|(?:^|(?<!idempotency)[-_])key(?:[-_]|$)|(?:^|[-_])(?:pass|pwd|sig|otp|sid)(?:[-_]|$)|(?:^|(?<!mock)[-_])session(?:[-_]?(?:id|key))?$|^x-auth|^auth(?:[-_]|$)|^x-gateway-config$/;

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
    // A form writes `user[pwd]` for the field `pwd` of `user`. There, `key` may be that of a condition, as in JSON.
    const parts = lower.includes('[') ? lower.split(/[[\]]/).filter((part) => part !== 'key') : [];
    const isOne = [lower, ...parts].some((part) => names.has(part) || credentialNames.test(part));
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

/** The values of headers that are masked there, so that they can be masked elsewhere too. */
export const credentialsIn = (
  headers: Readonly<Record<string, string>>,
  isCredential = isKnownCredential,
): string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value !== '' && holdsCredential(name, value, isCredential) ? [value] : [],
  );
