import { flattenHeaders } from '../protocol/call.ts';
import { credentialsIn, isKnownCredential, maskHeader } from '../protocol/credentials.ts';
import { mapEncoded, maskNamed, maskQuery } from '../protocol/mask-named.ts';
import { createHide, type HideText, maskCredential } from '../util/mask.ts';
import type { Entry } from './entry.ts';

type Texts = Readonly<Record<string, string>>;

/**
 * Masks all texts of an entry except those of its bodies, the first time. All credentials are found first, since each may
 * stand in any of the texts. Returns the entry.
 */
export const maskTexts = (entry: Entry): Entry => {
  if (entry.credentials !== undefined) return entry;
  const { call, trace, replyHeaders, isCredential = isKnownCredential } = entry;
  const flat = flattenHeaders(entry.headers);
  const credentials = credentialsIn(flat, isCredential);
  const mask = (text: string): string => maskNamed(text, isCredential, (value) => credentials.push(value));
  /** Those that are credentials as a whole are not searched. */
  const whole = mapValues(flat, (value, name) => maskHeader(name, value, isCredential));
  const headers = mapValues(flat, (value, name) => (whole[name] === value ? mask(value) : ''));
  const query = maskQuery(call.query, isCredential, (value) => credentials.push(value));
  mask(call.path);
  maskSentBody(entry, mask);
  const ids = trace.page?.ids ?? [];
  const found = [...new Set(credentials)];
  const hide = createHide(found, [
    call.path,
    query,
    ...Object.values(headers),
    ...Object.values(trace.params ?? {}),
    ...(trace.faults ?? []),
    ...(trace.idleFaults ?? []).flatMap(({ fault, reason }) => [fault, reason]),
    trace.nearest ?? '',
    trace.refusal?.quota?.name ?? '',
    ...ids,
    ...Object.values(replyHeaders ?? {}),
  ]);
  const hideTexts = (texts: Texts): Texts => mapValues(texts, hide);
  entry.credentials = found;
  entry.headers = mapValues(headers, (value, name) => (value === '' ? (whole[name] ?? '') : hide(value)));
  entry.call = { ...call, path: hide(call.path), query: hide(mapEncoded(query, hide)) };
  entry.trace = {
    ...trace,
    params: trace.params && hideTexts(trace.params),
    faults: trace.faults?.map(hide),
    idleFaults: trace.idleFaults?.map(({ fault, reason }) => ({ fault: hide(fault), reason: hide(reason) })),
    nearest: trace.nearest === undefined ? undefined : hide(trace.nearest),
    refusal: hideName(trace.refusal, hide),
  };
  const joined = ids.join('\n');
  if (hide(joined) !== joined) entry.shownIds = ids.map(hide);
  if (replyHeaders !== null) {
    // A short API key may equal part of an assumption's id, which is not secret.
    const marks = replyHeaders['x-mock-assumptions'];
    const hidden = hideTexts(replyHeaders);
    entry.replyHeaders = marks === undefined ? hidden : { ...hidden, 'x-mock-assumptions': marks };
  }
  if (found.length > maxKept) maskBodies(entry);
  return entry;
};

/** A policy may have any name. */
const hideName = (refusal: Entry['trace']['refusal'], hide: HideText): typeof refusal =>
  refusal?.quota?.name
    ? { ...refusal, quota: { ...refusal.quota, name: hide(refusal.quota.name) } }
    : refusal;

/** How many credentials are kept until the bodies are read: the journal does not count what they take. */
const maxKept = 100;

/** Masks what has the name of a credential in the body of a request. */
const maskSentBody = (entry: Entry, mask: HideText): void => {
  const body = textOf(entry.body);
  if (body === null) return;
  keepSize(entry);
  const masked = mask(body);
  if (masked !== body) entry.body = new TextEncoder().encode(masked);
};

/** Masks the bodies of an entry, the first time that they are read. */
export const maskBodies = (entry: Entry): void => {
  const { credentials = [], status } = maskTexts(entry);
  if (entry.areBodiesMasked) return;
  entry.areBodiesMasked = true;
  keepSize(entry);
  entry.credentials = [];
  const body = textOf(entry.body) ?? '';
  const replyBody = hideQuoted(textOf(entry.replyBody) ?? '', status ?? 0, credentials);
  const hide = createHide(credentials, [body, replyBody]);
  const hidden = hide(body);
  if (hidden !== body) entry.body = new TextEncoder().encode(hidden);
  if (entry.replyBody !== null) entry.replyBody = hide(replyBody);
};

/** Keeps the size of the bodies as they were sent. */
const keepSize = (entry: Entry): void => {
  entry.bodySize ??= (entry.body?.length ?? 0) + (entry.replyBody?.length ?? 0);
};

/** The text of a body. */
export const textOf = (body: string | Uint8Array | null): string | null =>
  body === null || typeof body === 'string' ? body : new TextDecoder().decode(body);

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
