// The headers of calls that are passed on to another server, and of its replies.
import { flattenHeaders, type Reply } from '../protocol/call.ts';
import { type IsCredential, maskHeader } from '../protocol/credentials.ts';
import { maskNamed } from '../protocol/mask-named.ts';

type Sent = Parameters<typeof flattenHeaders>[0];

/** Headers of one connection (RFC 9110, 7.6.1), beside those that `connection` names. */
const ofConnection =
  /^(?:connection|keep-alive|proxy-.*|te|trailers?|transfer-encoding|upgrade|http2-settings|expect)$/;

const withoutConnection = (headers: Sent): [name: string, value: string][] => {
  const flat = flattenHeaders(headers);
  const named = (flat.connection ?? '').toLowerCase().split(/\s*,\s*/);
  return Object.entries(flat).filter(([name]) => !ofConnection.test(name) && !named.includes(name));
};

/**
 * The headers of a call as the other server gets them.
 *
 * @param isCredential if given, headers are left out that hold a credential
 */
export const toPassedHeaders = (
  headers: Sent,
  isCredential: IsCredential | undefined,
): Record<string, string> =>
  Object.fromEntries(
    withoutConnection(headers).filter(
      ([name, value]) =>
        !/^(?:host|content-length)$|^x-mock-/.test(name) &&
        !(isCredential && holdsCredential(name, value, isCredential)),
    ),
  );

/** A query without its parameters that hold a credential. Ids are random, so only headers are known by that. */
export const withoutCredentials = (query: string, isCredential: IsCredential): string =>
  query
    .split('&')
    .filter((pair) => {
      const [[name, value] = ['', '']] = new URLSearchParams(pair);
      return !isCredential(name) && !hasWithin(pair, isCredential) && !hasWithin(value, isCredential);
    })
    .join('&');

/** Whether the journal would mask a header, or a part of it, such as a parameter of the URL in `referer`. */
const holdsCredential = (name: string, value: string, isCredential: IsCredential): boolean =>
  isCredential(name) || maskHeader(name, value, isCredential) !== value || hasWithin(value, isCredential);

const hasWithin = (text: string, isCredential: IsCredential): boolean => {
  let isFound = false;
  maskNamed(text, isCredential, () => {
    isFound = true;
  });
  return isFound;
};

/**
 * The headers of the other server's reply as the client gets them.
 *
 * @param own the mock's, which take the place of those of the same name; it decides who may read the reply
 * @param hasCookies whether the other server may set cookies
 */
export const toReplyHeaders = (
  headers: Sent,
  own: Reply['headers'],
  hasCookies: boolean,
): Record<string, string | string[]> => {
  const passed = withoutConnection(headers).filter(
    ([name]) => !/^(?:access-control-|x-mock-|set-cookie$)/.test(name),
  );
  const cookies = hasCookies ? headers['set-cookie'] : undefined;
  return { ...Object.fromEntries(passed), ...(cookies && { 'set-cookie': [...cookies] }), ...own };
};
