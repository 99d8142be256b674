// What passes from a call to another server, and from that server's reply to the client.
import { flattenHeaders, type RawCall } from '../protocol/call.ts';
import { type IsCredential, maskHeader } from '../protocol/credentials.ts';
import { maskNamed } from '../protocol/mask-named.ts';

/** Headers of one connection (RFC 9110, 7.6.1), beside those that `connection` names. */
const ofConnection =
  /^(?:connection|keep-alive|proxy-.*|te|trailers?|transfer-encoding|upgrade|http2-settings|expect)$/;

/** Drops the headers of the connection, and those whose names match. */
export const dropHeaders = <Value>(headers: Readonly<Record<string, Value>>, dropped: RegExp) => {
  const { connection = '' } = headers;
  const named = String(connection)
    .toLowerCase()
    .split(/\s*,\s*/);
  const isDropped = (name: string) => ofConnection.test(name) || named.includes(name) || dropped.test(name);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isDropped(name)));
};

/** Drops each header and each parameter of the query in which the journal would mask something. */
export const dropCredentials = (call: RawCall, isCredential: IsCredential): RawCall => {
  const hasCredential = (name: string, text: string): boolean => {
    let isFound = isCredential(name);
    maskNamed(text, isCredential, () => {
      isFound = true;
    });
    return isFound;
  };
  // A random value is a credential in a header, but an id in a query.
  const isSecret = (name: string, value: string): boolean =>
    hasCredential(name, value) || maskHeader(name, value, isCredential) !== value;
  const headers = Object.entries(flattenHeaders(call.headers())).filter((header) => !isSecret(...header));
  const query = call.query.split('&').filter((pair) => {
    const [[name, value] = ['', '']] = new URLSearchParams(pair);
    return !hasCredential(name, value) && !hasCredential('', pair);
  });
  return { ...call, headers: () => Object.fromEntries(headers), query: query.join('&') };
};
