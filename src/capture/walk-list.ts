import {
  type ListPage,
  type ListQuery,
  maxLimit,
  type SeenRecord,
  toPage,
  toQuery,
  walkPages,
} from '../conformance/lists.ts';
import { isMapping } from '../util/mapping.ts';
import { type Ask, CaptureError, expectOk, type Got } from './gateway-client.ts';

/** The records of one list, newest first. */
export interface Walked {
  readonly records: readonly SeenRecord[];
  /** Whether the list has more records than were requested. */
  readonly isCut: boolean;
  /** Whether its last page was empty, with has_more true. */
  readonly isOpen?: boolean;
  /** `first_id` of an empty list; undefined if it is missing or the list is not empty. */
  readonly emptyEnd?: unknown;
}

/**
 * Reads a list as real clients do, up to a number of records.
 *
 * @throws CaptureError if a page is refused or invalid, or the list repeats itself
 */
export const walkList = async (
  ask: Ask,
  path: string,
  maxRecords: number,
  order?: ListQuery['order'],
): Promise<Walked> => {
  const records = new Map<string, SeenRecord>();
  let limit: number | undefined = maxLimit;
  const read = async (query: ListQuery): Promise<ListPage> => {
    const askWith = (size: typeof limit): Promise<Got> => ask(path, toQuery({ ...query, limit: size }));
    let got = await askWith(limit);
    if (query.after === undefined && mayBeTooLarge(got)) {
      limit = undefined;
      got = await askWith(limit);
    }
    const body = expectOk(got, `GET ${path}`);
    const page = isMapping(body) ? toPage(body) : undefined;
    if (page !== undefined) return page;
    throw new CaptureError(
      `GET ${path} returned 200, but not a list of records: ${got.quote(JSON.stringify(body), 80)}. Check that this is the base URL of a gateway.`,
    );
  };
  for await (const page of walkPages(read, { order })) {
    const known = records.size;
    for (const record of page.records) if (!records.has(record.id)) records.set(record.id, record);
    const last = page.records.at(-1);
    const hasMore = page.hasMore && last !== undefined;
    if (records.size > maxRecords || (records.size === maxRecords && hasMore))
      return { records: [...records.values()].slice(0, maxRecords), isCut: true };
    if (!hasMore)
      return {
        records: [...records.values()],
        isCut: false,
        ...(page.hasMore && { isOpen: true }),
        ...(records.size === 0 && { emptyEnd: page.envelope.first_id }),
      };
    if (records.size === known)
      throw new CaptureError(`the pages of ${path} repeat: the one after ${last?.id} has no new records.`);
  }
  throw new CaptureError(`the pages of ${path} have no end.`); // the walk ends with one of the pages above
};

/** Whether a page may have been refused because of its size; the default size is then requested. */
const mayBeTooLarge = ({ status }: Got): boolean =>
  status >= 400 && status < 500 && ![401, 403, 404, 429].includes(status);
