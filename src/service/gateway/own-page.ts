// Pages of a list of a user's own: the cursors, ends, errors and page faults of the contract's lists.

import type { Assume } from '../../core/assumptions/table.ts';
import type { PageEffect } from '../../core/faults/effect.ts';
import { hostilePage, type ListCall, whyIdle } from '../../core/faults/page-faults.ts';
import { listRunsContract } from '../../core/operations/list-runs/contract.ts';
import type { TurnPage } from '../../core/operations/operation.ts';
import type { Page } from '../../core/protocol/call.ts';
import { type ListQuery, listPage, type OrderedList } from '../../core/protocol/list-page.ts';
import { parseQuery } from '../../core/protocol/query.ts';
import { describeJson } from '../../core/util/json.ts';
import type { Resource } from '../../core/world/kind.ts';

/** A page of a list of one's own. */
export interface OwnPage {
  readonly page: Page;
  /** The whole list, in its order. */
  readonly records: readonly Resource[];
  /** Why a page fault could not act. */
  readonly idleReason: string | undefined;
}

/**
 * @param sent the query string of the call, and what it was parsed to: it has repeated parameters, too
 * @param onPage is called with each page
 */
export const createTurnPage =
  (
    sent: { readonly text: string; readonly query: object },
    effect: PageEffect | undefined,
    assume: Assume,
    onPage: (page: OwnPage) => void,
  ): TurnPage =>
  (records, query) => {
    for (const record of records)
      if (typeof record?.id !== 'string')
        throw new Error(`page() takes records with an id, but found ${describeJson(record?.id ?? record)}`);
    const text = query === sent.query ? sent.text : new URLSearchParams(toPairs(query)).toString();
    const named = [...new URLSearchParams(text)].filter(([name]) => Object.hasOwn(schema.shape, name));
    const parsed = parseQuery(schema, new URLSearchParams(named).toString(), assume);
    const call = toListCall(records, parsed, assume);
    const idleReason = effect && whyIdle(effect, call);
    const page = effect === undefined || idleReason !== undefined ? call.ask({}) : hostilePage(effect, call);
    const { data, has_more } = page as { readonly data: Resource[]; readonly has_more: boolean };
    onPage({ page: { ids: data.map(({ id }) => id), has_more }, records, idleReason });
    return page;
  };

/** The parameters of the contract's list that has all of them. */
const schema = listRunsContract.query;

const toPairs = (query: Readonly<Record<string, string | undefined>>): string[][] =>
  Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));

const toListCall = (given: readonly Resource[], query: ListQuery, assume: Assume): ListCall => {
  let records = given;
  const ask: ListCall['ask'] = (changes) => {
    const { items, hasMore } = listPage(toOrdered(records), { ...query, ...changes } as ListQuery, assume);
    return {
      object: 'list',
      data: items,
      first_id: items[0]?.id ?? null,
      last_id: items.at(-1)?.id ?? null,
      has_more: hasMore,
    };
  };
  return {
    query: { ...query },
    records: toOrdered(records),
    ask,
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
