// An entry of the journal as users see it: readable, without credentials.
import { flattenHeaders } from '../protocol/call.ts';
import { limits } from '../util/limits.ts';
import { mapValues } from '../util/mapping.ts';
import { Mask } from '../util/mask.ts';
import { toDateTime } from '../world/clock.ts';
import type { CallCopy, Entry } from './entry.ts';
import type { MaskedValues } from './masked-values.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** Masks credentials by their names first, and then wherever the same values occur. Also returns the values that masks replaced. */
export const toRequest = (
  copy: CallCopy,
  entry: Entry,
): { readonly request: RecordedRequest; readonly maskedValues: MaskedValues } => {
  const { hasReply, facts } = copy;
  const { time, assumptions, faults, idleFaults } = facts;
  const { headers, query, body, replyHeaders, hide, maskedValues } = maskCall(copy);
  const reply = readReply(copy, entry, replyHeaders, hide);
  const request: RecordedRequest = {
    id: copy.replyHeaders['x-request-id'] ?? '',
    ordinal: entry.ordinal,
    time: toDateTime(time),
    receivedAt: toDateTime(copy.receivedAt / 1000),
    method: copy.method,
    path: hide(copy.path),
    operation: facts.operation ?? null,
    params: mapValues(facts.params ?? {}, hide),
    query: mapValues(groupByName(query.map(([name, , shown]) => [name, shown])), (values) =>
      values.length === 1 ? (values[0] ?? '') : values,
    ),
    headers,
    body: body && body + describeCut(copy.bodySize),
    get outcome() {
      return hasReply ? (entry.settlement?.outcome ?? 'pending') : null;
    },
    get status() {
      return entry.settlement?.status ?? null;
    },
    get bytes() {
      return entry.settlement?.bytes ?? 0;
    },
    get reply() {
      return entry.settlement === undefined || entry.settlement.status === null ? null : reply;
    },
    faults: faults?.map(hide) ?? [],
    idleFaults: idleFaults?.map(({ fault, reason }) => ({ fault: hide(fault), reason: hide(reason) })) ?? [],
    assumptions,
    refusal: facts.refusal ?? null,
    get page() {
      return (entry.settlement?.outcome === 'sent' && facts.page) || null;
    },
    nearest: facts.nearest === undefined ? null : hide(facts.nearest),
    upstream: facts.upstream ?? null,
    get duration() {
      return entry.duration;
    },
  };
  return { request, maskedValues };
};

/** What the journal shows of a call, the values that masks replaced, and what masks them in other texts. */
const maskCall = (copy: CallCopy) => {
  const mask = new Mask(copy.facts.isCredential);
  const sentHeaders = flattenHeaders(copy.headers);
  const maskedHeaders = mask.headers(sentHeaders);
  const replyHeaders = mask.headers(copy.replyHeaders);
  const maskedQuery = [...new URLSearchParams(copy.query)].map(
    ([name, value]) => [name, value, mask.parameter(name, value)] as const,
  );
  const sentBody = copy.body && new TextDecoder().decode(copy.body);
  const maskedBody = sentBody && mask.body(sentBody);
  const hide = mask.createHide();
  const headers = mapValues(maskedHeaders, hide);
  const body = maskedBody && hide(maskedBody);
  const query = maskedQuery.map(([name, value, masked]) => [hide(name), value, hide(masked)] as const);
  const maskedValues: MaskedValues = {
    headers: Object.fromEntries(
      Object.entries(sentHeaders).filter(([name, value]) => headers[name] !== value),
    ),
    query: groupByName(query.map(([name, value, shown]) => [name, shown === value ? null : value])),
    ...(sentBody !== null && sentBody !== body && { body: sentBody }),
    ...(copy.bodySize > limits.keptBody && { isCut: true }),
  };
  return { headers, query, body, replyHeaders, hide, maskedValues };
};

/** The reply. Its body is masked when it is first read: it may be long, and events and lists do not need it. */
const readReply = (
  { replyBody }: CallCopy,
  entry: Entry,
  headers: Readonly<Record<string, string>>,
  hide: (text: string) => string,
) => {
  let masked: string | null | undefined;
  return {
    headers: mapValues(headers, hide),
    get body() {
      if (masked === undefined) {
        const { outcome, bytes = 0 } = entry.settlement ?? {};
        const text = typeof replyBody === 'string' ? replyBody : (replyBody?.join('') ?? null);
        masked = text && (outcome === 'cut' ? cutOff(text, bytes, hide) : hide(text));
      }
      return masked;
    },
  };
};

/** The values of each name, in their order. */
const groupByName = <Value>(pairs: readonly (readonly [string, Value])[]): Record<string, Value[]> => {
  const values = new Map<string, Value[]>();
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(values);
};

/** The start of the note at the end of a body that was cut. */
export const cutNote = '… (cut: ';

/** The part of a body that was sent. If the cut is inside a credential, its start is left out: it would not be masked. */
const cutOff = (body: string, bytesSent: number, hide: (text: string) => string): string => {
  const bytes = new TextEncoder().encode(body);
  const part = hide(new TextDecoder().decode(bytes.subarray(0, bytesSent)));
  const masked = hide(body);
  let end = 0;
  while (end < part.length && part[end] === masked[end]) end += 1;
  return `${part.slice(0, end)}${cutNote}${bytesSent} of ${bytes.byteLength} bytes were sent)`;
};

export const describeCut = (size: number): string =>
  size > limits.keptBody ? `${cutNote}the journal keeps ${limits.keptBody} of ${size} bytes)` : '';
