// Pages of a list of a user's own: the cursors, ends, errors and page faults of the contract's lists.

import type { Assume } from '../../core/assumptions/table.ts';
import { type ListCall, type PageFault, pageWithFault } from '../../core/faults/page-faults.ts';
import { listRunsContract } from '../../core/operations/list-runs/contract.ts';
import type { AnyParsedCall, MakePage } from '../../core/operations/operation.ts';
import type { Page } from '../../core/protocol/call.ts';
import {
  type ListQuery,
  listPage,
  type OrderedList,
  pageFacts,
  toEnvelope,
} from '../../core/protocol/list-page.ts';
import { parseQuery } from '../../core/protocol/query.ts';
import { describeJson } from '../../core/util/json.ts';
import type { Resource } from '../../core/world/kind.ts';

/** Makes the pages of an own call, and keeps the last one. @param sentQuery the query as it was sent: it has repeated parameters, too */
export const createOwnPages = (
  sentQuery: string,
  call: Pick<AnyParsedCall, 'query' | 'assume'>,
  fault: PageFault | undefined,
) => {
  /** The last page, and the complete list in the order of the handler. */
  let last: { readonly page: Page; readonly records: readonly Resource[] } | undefined;
  const makePage: MakePage = (records, query) => {
    for (const record of records)
      if (typeof record?.id !== 'string')
        throw new Error(`page() takes records with an id, but found ${describeJson(record?.id ?? record)}`);
    const text = query === call.query ? sentQuery : new URLSearchParams(toPairs(query)).toString();
    const named = [...new URLSearchParams(text)].filter(([name]) => Object.hasOwn(schema.shape, name));
    const parsed = parseQuery(schema, new URLSearchParams(named).toString(), call.assume);
    const page = pageWithFault(fault, ownListCall(records, parsed, call.assume));
    last = { page: pageFacts(page), records };
    return page;
  };
  return { makePage, readLast: () => last };
};

/** The query schema of the run list: it has all parameters of lists. */
const schema = listRunsContract.query;

const toPairs = (query: Readonly<Record<string, string | undefined>>): string[][] =>
  Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));

/** A call for a page of a user's own list. */
const ownListCall = (all: readonly Resource[], query: ListQuery, assume: Assume): ListCall => {
  let records = all;
  const pageOf = (changed: ListQuery) => listPage(toOrdered(records), changed, assume);
  return {
    query: { ...query },
    records: toOrdered(records),
    ask: (changes) => toEnvelope(pageOf({ ...query, ...changes } as ListQuery), () => null),
    remove: (id) => {
      records = records.filter((record) => record.id !== id);
    },
    insert: undefined,
    toEmpty: (page) => ({ ...page, data: [], first_id: null, last_id: null, has_more: true }),
  };
};

/** A list whose first record counts as the newest. */
const toOrdered = (records: readonly Resource[]): OrderedList<Resource> => ({
  length: records.length,
  at: (index) => records[records.length - 1 - index] as Resource, // the caller keeps to the length
  indexOf: (id) => {
    const place = records.findIndex((record) => record.id === id);
    return place === -1 ? -1 : records.length - 1 - place;
  },
});
