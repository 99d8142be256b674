import { flattenHeaders } from '../protocol/call.ts';
import {
  credentialsIn,
  hideBodies,
  type IsCredential,
  isKnownCredential,
  maskHeader,
} from '../protocol/credentials.ts';
import { createHide, type HideText, maskCredential } from '../util/mask.ts';
import type { Entry } from './entry.ts';

type Texts = Readonly<Record<string, string>>;

/** Masks all texts of an entry except its bodies, the first time. Returns the entry. */
export const maskTexts = (entry: Entry): Entry => {
  if (entry.credentials !== undefined) return entry;
  const { call, trace, replyHeaders, isCredential = isKnownCredential } = entry;
  const headers = flattenHeaders(entry.headers);
  const credentials = credentialsIn(headers, call.query, isCredential);
  const ids = trace.page?.ids ?? [];
  const pairs = call.query === '' ? [] : [...new URLSearchParams(call.query)];
  const hide = createHide(credentials, [
    call.path,
    ...pairs.flat(),
    ...Object.entries(headers).flatMap(([name, value]) =>
      maskHeader(name, value, isCredential) === value ? [value] : [],
    ),
    ...Object.values(trace.params ?? {}),
    ...(trace.faults ?? []),
    ...(trace.idleFaults ?? []).flatMap(({ fault, reason }) => [fault, reason]),
    trace.nearest ?? '',
    ...ids,
    ...Object.values(replyHeaders ?? {}),
  ]);
  const hideTexts = (texts: Texts): Texts => mapValues(texts, hide);
  entry.credentials = credentials;
  entry.headers = mapValues(headers, (value, name) => {
    const masked = maskHeader(name, value, isCredential);
    return masked === value ? hide(value) : masked;
  });
  entry.call = { ...call, path: hide(call.path), query: hideQuery(call.query, pairs, hide, isCredential) };
  entry.trace = {
    ...trace,
    params: trace.params && hideTexts(trace.params),
    faults: trace.faults?.map(hide),
    idleFaults: trace.idleFaults?.map(({ fault, reason }) => ({ fault: hide(fault), reason: hide(reason) })),
    nearest: trace.nearest === undefined ? undefined : hide(trace.nearest),
  };
  const joined = ids.join('\n');
  if (hide(joined) !== joined) entry.shownIds = ids.map(hide);
  if (replyHeaders !== null) {
    // A short API key may equal part of an assumption's id, which is not secret.
    const marks = replyHeaders['x-mock-assumptions'];
    const hidden = hideTexts(replyHeaders);
    entry.replyHeaders = marks === undefined ? hidden : { ...hidden, 'x-mock-assumptions': marks };
  }
  return entry;
};

/** Masks the bodies of an entry, the first time that they are read. */
export const maskBodies = (entry: Entry): void => {
  const { credentials = [], body, replyBody, status, isCredential = isKnownCredential } = maskTexts(entry);
  if (entry.bodySize !== undefined) return;
  entry.bodySize = (body?.length ?? 0) + (replyBody?.length ?? 0);
  entry.credentials = [];
  const bodies = {
    body: textOf(body) ?? '',
    replyBody: hideQuoted(textOf(replyBody) ?? '', status ?? 0, credentials),
  };
  const hidden = hideBodies(bodies, credentials, isCredential);
  if (hidden.body !== bodies.body) entry.body = new TextEncoder().encode(hidden.body);
  if (replyBody !== null) entry.replyBody = hidden.replyBody;
};

/** The text of a body. */
export const textOf = (body: string | Uint8Array | null): string | null =>
  body === null || typeof body === 'string' ? body : new TextDecoder().decode(body);

/** A query with its names and values masked. It is written anew only if that changes it. */
const hideQuery = (
  query: string,
  pairs: readonly (readonly [string, string])[],
  hide: HideText,
  isCredential: IsCredential,
): string => {
  const hidden = pairs.map(([name, value]) => [
    hide(name),
    isCredential(name) ? maskCredential(value) : hide(value),
  ]);
  const isHidden = hidden.some(([name, value], at) => name !== pairs[at]?.[0] || value !== pairs[at]?.[1]);
  return isHidden ? new URLSearchParams(hidden).toString() : query;
};

/** Masks the key that an error quotes at the end of its message, however short the key is. */
const hideQuoted = (body: string, status: number, credentials: readonly string[]): string =>
  status < 400
    ? body
    : credentials.reduce(
        (left, credential) =>
          left.replaceAll(
            `: ${JSON.stringify(credential).slice(1)}`,
            () => `: ${maskCredential(credential)}"`, // a function, since the text may contain $&
          ),
        body,
      );

const mapValues = (texts: Texts, change: (value: string, name: string) => string): Texts => {
  const changed: Record<string, string> = Object.create(null); // a header may have any name
  for (const name in texts) changed[name] = change(texts[name] ?? '', name);
  return changed;
};
