// What passes from a call to another server, and from that server's reply to the client.
import { type Call, flattenHeaders } from '../protocol/call.ts';
import { type IsCredential, Mask } from '../util/mask.ts';

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
export const dropCredentials = (call: Call, isCredential: IsCredential): Call => {
  const mask = new Mask(isCredential);
  const headers = flattenHeaders(call.headers());
  const masked = mask.headers(headers);
  const kept = Object.entries(headers).filter(
    ([name, value]) => masked[name] === value && !isCredential(name),
  );
  const query = call.query.split('&').filter((pair) => mask.form(pair) === pair);
  return { ...call, headers: () => Object.fromEntries(kept), query: query.join('&') };
};
