// An entry of the journal as users see it: readable, without credentials.
import { flattenHeaders } from '../protocol/call.ts';
import { limits } from '../util/limits.ts';
import { mapValues } from '../util/mapping.ts';
import { Mask } from '../util/mask.ts';
import { toDateTime } from '../world/clock.ts';
import type { Entry, Kept } from './entry.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** Credentials are masked by their names first, and then wherever the same values occur. */
export const toRequest = (kept: Kept, entry: Entry): RecordedRequest => {
  const { status, recording } = kept;
  const { time, assumptions, isCredential, faults, idleFaults } = recording;
  const mask = new Mask(isCredential);
  const headers = mask.headers(flattenHeaders(kept.headers));
  const replyHeaders = mask.headers(kept.replyHeaders);
  const query = [...new URLSearchParams(kept.query)];
  for (const pair of query) pair[1] = mask.parameter(...pair);
  const body = kept.body && mask.body(new TextDecoder().decode(kept.body)) + describeCut(kept.bodySize);
  const hide = mask.createHide();
  let replyBody: string | null = null;
  const replied = {
    headers: mapValues(replyHeaders, hide),
    /** Masked when it is first read, since it may be long: events and lists do without it. */
    get body() {
      replyBody ??= kept.replyBody && hide(kept.replyBody);
      return replyBody;
    },
  };
  return {
    id: kept.replyHeaders['x-request-id'] ?? '',
    ordinal: entry.ordinal,
    time: toDateTime(time),
    receivedAt: toDateTime(kept.receivedAt / 1000),
    method: kept.method,
    path: hide(kept.path),
    operation: recording.operation ?? null,
    params: mapValues(recording.params ?? {}, hide),
    query: toQuery(query, hide),
    headers: mapValues(headers, hide),
    body: body && hide(body),
    status,
    reply: status === null ? null : replied,
    faults: faults?.map(hide) ?? [],
    idleFaults: idleFaults?.map(({ fault, reason }) => ({ fault: hide(fault), reason: hide(reason) })) ?? [],
    assumptions,
    refusal: recording.refusal ?? null,
    page: recording.page ?? null,
    nearest: recording.nearest === undefined ? null : hide(recording.nearest),
    upstream: recording.upstream ?? null,
    get duration() {
      return entry.duration;
    },
  };
};

/** The parameters of a query by their names; a repeated one is a list. */
const toQuery = (
  pairs: readonly (readonly [name: string, value: string])[],
  hide: (text: string) => string,
): RecordedRequest['query'] => {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [hide(value)]);
    else known.push(hide(value));
  }
  return Object.fromEntries(
    Array.from(values, ([name, all]) => [hide(name), all.length === 1 ? (all[0] ?? '') : all]),
  );
};

export const describeCut = (size: number): string =>
  size > limits.keptBody ? `… (cut: the journal keeps ${limits.keptBody} of ${size} bytes)` : '';
