import type { Assume } from '../assumptions/table.ts';
import { type AnyParsedCall, type ContractOperation, ownerIn } from '../operations/operation.ts';
import type { OrderedList } from '../protocol/list-page.ts';
import { refuse } from '../protocol/refuse.ts';
import type { Resource } from '../world/kind.ts';
import type { World } from '../world/world.ts';
import type { PageEffect } from './effect.ts';

/** Whether a page fault needs a call with a cursor. */
export const needsCursor = ({ kind }: PageEffect): boolean =>
  ['cursor-loop', 'repeat-record', 'vanish-record', 'expire-cursor'].includes(kind);

type Query = AnyParsedCall['query'];

/** A call for a page of a list, as page faults see it. */
export interface ListCall {
  readonly query: Query;
  /** The records, oldest first; or a text that says why the call has no list. */
  readonly records: OrderedList<Resource> | string;
  /** Returns the page that another query gets. */
  readonly ask: (query: Query) => object;
  readonly remove: (id: string) => void;
  /** Creates records; undefined if that is not possible. */
  readonly insert: ((count: number) => void) | undefined;
  /** Turns a page into an empty page with `has_more: true`. */
  readonly toEmpty: (page: object) => object;
}

/** A fault that changes the page of a call. */
export interface PageFault {
  readonly effect: PageEffect;
  /** Whether it acts on the page, or why it cannot; `unreached` until the call gets as far as a page. */
  state: 'unreached' | 'acts' | { readonly idle: string };
}

/** The page of a call: changed by the fault, if there is a fault and it can act. */
export const pageWithFault = (fault: PageFault | undefined, call: ListCall): object => {
  if (fault === undefined) return call.ask({});
  const idle = whyPageIdle(fault.effect, call);
  fault.state = idle === undefined ? 'acts' : { idle };
  return idle === undefined ? hostilePage(fault.effect, call) : call.ask({});
};

/** Why a page fault cannot act on a call; undefined if it can. If the fault needs a cursor, the call has one. */
const whyPageIdle = ({ kind, count }: PageEffect, call: ListCall): string | undefined => {
  const { records, query } = call;
  if (typeof records === 'string') return records;
  if (kind === 'cursor-loop' || kind === 'expire-cursor') return undefined; // they work with any cursor
  for (const name of ['after', 'before'] as const)
    if (query[name] !== undefined && records.indexOf(String(query[name])) === -1)
      return `${name} is not the id of a record of this list`;
  if (kind === 'repeat-record' && stepBack(call) === undefined)
    return 'the cursor is the last record of its list';
  if (kind === 'clamp-limit' && Object(call.ask({})).data.length <= count)
    return `the page has no more than ${count} records`;
  if (kind === 'insert-records' && call.insert === undefined)
    return 'the records of a list of your own come from its call';
  return undefined;
};

/** The page under a fault: the operation's page for a changed query, or a changed page. */
const hostilePage = ({ kind, count }: PageEffect, call: ListCall): object => {
  const { query, ask } = call;
  const cursor = cursorOf(query);
  switch (kind) {
    case 'cursor-loop':
      return { ...ask({ after: undefined, before: undefined }), has_more: true };
    case 'empty-page':
      return call.toEmpty(ask({}));
    case 'repeat-record':
      return ask(stepBack(call) ?? {});
    case 'vanish-record':
      call.remove(cursor.id);
      return ask({});
    case 'insert-records':
      call.insert?.(count);
      return ask({});
    case 'clamp-limit':
      return ask({ limit: Math.min(Number(query.limit), count) });
    case 'expire-cursor':
      return refuse('unknown-cursor', {
        status: 400,
        message: 'The cursor has expired. Start again from the first page.',
        param: cursor.name,
        code: 'cursor_expired',
      });
  }
};

/** The call of one of the contract's lists. */
export const contractListCall = (
  operation: ContractOperation,
  call: AnyParsedCall,
  world: World,
): ListCall => {
  const { id, listsKind: kind } = operation;
  if (kind === undefined) throw new Error(`The operation ${id} lists nothing.`);
  const { query } = call;
  const owner = ownerIn(kind, call.params);
  return {
    query,
    records: world.list(kind, owner) ?? `the ${kind.owner?.kind} "${owner}" does not exist`,
    ask: (changes) => operation.handle({ ...call, query: { ...query, ...changes } }, world),
    remove: (record) => world.remove(kind, new Set([record])),
    insert: (count) => {
      const belongsTo = kind.owner === undefined ? {} : { [kind.owner.field]: owner };
      for (let index = 0; index < count; index += 1)
        world.create(kind, owner, { ...belongsTo, id: world.nextId(kind, owner) });
    },
    toEmpty: () => {
      // The empty page that the operation returns for `limit=0` under this assumption.
      const assume = ((id) => (id === 'limit-too-small' ? 'empty-page' : call.assume(id))) as Assume;
      const page = operation.handle({ ...call, assume, query: { ...query, limit: 0 } }, world);
      return { ...page, has_more: true };
    },
  };
};

const cursorOf = (query: Query) => {
  const name = query.after === undefined ? 'before' : 'after';
  return { name, id: String(query[name]) };
};

/**
 * The query with its cursor one record earlier, so that the page repeats the cursor's record. Undefined for `before` with the last
 * record: there is no later record to which it could move.
 */
const stepBack = ({ records, query }: ListCall): Query | undefined => {
  const { name, id } = cursorOf(query);
  if (typeof records === 'string') return undefined;
  const index = records.indexOf(id);
  if (index === -1) return undefined;
  const isForward = name === 'after';
  const isTowardsOldest = isForward === (query.order === 'asc'); // the pages of `desc` begin with the newest record
  const previous = index + (isTowardsOldest ? -1 : 1);
  if (previous >= 0 && previous < records.length) return { [name]: records.at(previous).id };
  return isForward ? { after: undefined } : undefined; // without `after`, the page starts at the first record
};
