import { type Ask, CaptureError, expectOk, type Got } from './gateway-client.ts';

/** A record as the gateway returned it. Only its id is checked. */
export type RawRecord = Readonly<Record<string, unknown>> & { readonly id: string };

/** The records of one list, newest first. */
export interface Walked {
  readonly records: readonly RawRecord[];
  /** Whether the list has more records than were requested. */
  readonly isCut: boolean;
  /** Whether its last page was empty, with has_more true. */
  readonly isOpen?: boolean;
  /** `first_id` of an empty list; undefined if it is missing or the list is not empty. */
  readonly emptyEnd?: unknown;
}

/** The largest page that the contract allows for runs and batches. It states none for checkpoints. */
const pageSize = 100;

/**
 * Reads a list with `after`, as real clients do, up to a number of records.
 *
 * @param order further parameters of every page, such as `order=desc`
 * @throws CaptureError if a page is refused or invalid, or the list repeats itself
 */
export const walkList = async (ask: Ask, path: string, maxRecords: number, order = ''): Promise<Walked> => {
  const records = new Map<string, RawRecord>();
  let limit = `limit=${pageSize}`;
  for (let after: string | undefined; ; ) {
    const cursor = after === undefined ? '' : `after=${encodeURIComponent(after)}`;
    const askWith = (size: string): Promise<Got> =>
      ask(`${path}?${[order, size, cursor].filter((part) => part !== '').join('&')}`);
    let got = await askWith(limit);
    if (after === undefined && mayBeTooLarge(got)) {
      limit = '';
      got = await askWith(limit);
    }
    const page = readPage(got, path);
    const known = records.size;
    for (const record of page.data) if (!records.has(record.id)) records.set(record.id, record);
    const last = page.data.at(-1);
    if (records.size > maxRecords || (records.size === maxRecords && page.hasMore && last !== undefined))
      return { records: [...records.values()].slice(0, maxRecords), isCut: true };
    if (!page.hasMore || last === undefined)
      return {
        records: [...records.values()],
        isCut: false,
        ...(page.hasMore && { isOpen: true }),
        ...(records.size === 0 && { emptyEnd: page.firstId }),
      };
    if (records.size === known)
      throw new CaptureError(`the pages of ${path} repeat: the one after ${last.id} has no new records.`);
    after = last.id;
  }
};

/** Whether a page may have been refused because of its size; the default size is then requested. */
const mayBeTooLarge = ({ status }: Got): boolean =>
  status >= 400 && status < 500 && ![401, 403, 404, 429].includes(status);

const readPage = (got: Got, path: string) => {
  const body = expectOk(got, `GET ${path}`);
  const { data, has_more, first_id } = Object(body);
  if (!Array.isArray(data) || !data.every(isRecord))
    throw new CaptureError(
      `GET ${path} returned 200, but not a list of records: ${got.quote(JSON.stringify(body), 80)}. Check that this is the base URL of a gateway.`,
    );
  return {
    data,
    hasMore: has_more !== false, // as real clients read it
    firstId: first_id as unknown,
  };
};

const isRecord = (item: unknown): item is RawRecord =>
  typeof Object(item).id === 'string' && Object(item).id !== '';
