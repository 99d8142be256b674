import { type Ask, CaptureError, expectOk, type Got } from './gateway-client.ts';

/** A record as the gateway gave it; nothing of it is checked yet but its id. */
export type RawRecord = Readonly<Record<string, unknown>> & { readonly id: string };

/** The records of one list, newest first. */
export interface Walked {
  readonly records: readonly RawRecord[];
  /** Whether the list goes on beyond the records that were asked for. */
  readonly isCut: boolean;
  /** Whether its last page was empty, and said that more follows. */
  readonly isOpen?: boolean;
  /** `first_id` of an empty list; undefined where it is missing or the list is not empty. */
  readonly emptyEnd?: unknown;
}

/** The largest page that the contract allows for runs and batches; checkpoints state no bound. */
const pageSize = 100;

/**
 * Walks a list by `after`, as real pagers do, up to a number of records.
 *
 * @param order further parameters of every page, such as `order=desc`
 * @throws CaptureError where a page is refused or none, or the pages go in circles
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
      throw new CaptureError(
        `the pages of ${path} go in circles: the one after ${last.id} has no record that was not there before.`,
      );
    after = last.id;
  }
};

/** A page may be refused for its size: the default one is then asked for, which has no other reason to be. */
const mayBeTooLarge = ({ status }: Got): boolean =>
  status >= 400 && status < 500 && ![401, 403, 404, 429].includes(status);

const readPage = (got: Got, path: string) => {
  const body = expectOk(got, `GET ${path}`);
  const { data, has_more, first_id } = Object(body);
  if (!Array.isArray(data) || !data.every(isRecord))
    throw new CaptureError(
      `GET ${path} answered 200 with no list of records: ${got.quote(JSON.stringify(body), 80)}. Please check that this is the base URL of a gateway.`,
    );
  return {
    data,
    hasMore: has_more !== false, // as real pagers read it
    firstId: first_id as unknown,
  };
};

const isRecord = (item: unknown): item is RawRecord =>
  typeof Object(item).id === 'string' && Object(item).id !== '';
