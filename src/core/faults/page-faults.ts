import type * as z from 'zod';
import { type AnyOperation, type AnyParsedCall, ownerIn } from '../operations/operation.ts';
import { refuse } from '../protocol/errors.ts';
import type { World } from '../world/world.ts';
import type { PageEffect } from './effect.ts';

/** Whether a page fault needs a call with a cursor. */
export const needsCursor = ({ kind }: PageEffect): boolean =>
  ['cursor-loop', 'repeat-record', 'vanish-record', 'expire-cursor'].includes(kind);

/** Why a page fault cannot act on a call (with a cursor, if it needs one); undefined if it can. */
export const whyIdle = (
  { kind, count }: PageEffect,
  operation: AnyOperation,
  call: AnyParsedCall,
  world: World,
): string | undefined => {
  const list = listOf(operation, call, world);
  const { records } = list;
  if (records === undefined) return `the ${list.kind.owner?.kind} "${list.owner}" does not exist`;
  if (kind === 'cursor-loop' || kind === 'expire-cursor') return undefined; // they work with any cursor
  for (const name of ['after', 'before'] as const)
    if (call.query[name] !== undefined && !records.has(String(call.query[name])))
      return `${name} is not the id of a record of this list`;
  if (kind === 'repeat-record' && stepBack(list) === undefined)
    return 'the cursor is the last record of its list';
  if (kind === 'clamp-limit' && Object(operation.handle(call, world)).data.length <= count)
    return `the page has no more than ${count} records`;
  return undefined;
};

/** The page that a page fault gives: the reply of the operation to a changed call, or a changed reply. */
export const hostilePage = (
  { kind, count }: PageEffect,
  operation: AnyOperation,
  call: AnyParsedCall,
  world: World,
): object => {
  const list = listOf(operation, call, world);
  const ask = (query: AnyParsedCall['query']): object =>
    operation.handle({ ...call, query: { ...call.query, ...query } }, world);
  switch (kind) {
    case 'cursor-loop':
      return { ...ask({ after: undefined, before: undefined }), has_more: true };
    case 'empty-page':
      return toEmptyPage(ask({}), operation);
    case 'repeat-record':
      return ask(stepBack(list) ?? {});
    case 'vanish-record':
      world.remove(list.kind, list.cursor.id);
      return ask({});
    case 'insert-records':
      insertRecords(count, list, world);
      return ask({});
    case 'clamp-limit':
      return ask({ limit: Math.min(Number(call.query.limit), count) });
    case 'expire-cursor':
      return refuse('unknown-cursor', {
        status: 400,
        message: 'The cursor has expired. Start again from the first page.',
        param: list.cursor.name,
        code: 'cursor_expired',
      });
  }
};

/** The list that a call asks for, and its cursor. */
const listOf = ({ id, lists: kind }: AnyOperation, { params, query }: AnyParsedCall, world: World) => {
  if (kind === undefined) throw new Error(`The operation ${id} lists nothing.`);
  const owner = ownerIn(kind, params);
  const name = query.after === undefined ? 'before' : 'after';
  return {
    kind,
    owner,
    records: world.list(kind, owner),
    isRising: query.order === 'asc',
    cursor: { name, id: String(query[name]) },
  };
};

type List = ReturnType<typeof listOf>;

/** An empty page whose first_id and last_id are as the list's contract allows: null, absent, or the empty string. */
const toEmptyPage = (page: object, { contract }: AnyOperation): object => {
  const shape: Readonly<Record<string, z.ZodType>> = Object(Reflect.get(contract.reply, 'shape'));
  const end = [null, ''].find((value) => shape.first_id?.safeParse(value).success);
  const isOptional = shape.first_id?.safeParse(undefined).success === true;
  const { first_id: _first, last_id: _last, has_more: _more, ...others } = page as Record<string, unknown>;
  return { ...others, data: [], ...(isOptional ? {} : { first_id: end, last_id: end }), has_more: true };
};

/**
 * The query with its cursor one record earlier, so that the page repeats the cursor's record. Undefined if there is no
 * such cursor: no record follows the last one, to which `before` could be moved.
 */
const stepBack = ({ records, isRising, cursor }: List): AnyParsedCall['query'] | undefined => {
  const { name, id } = cursor;
  const index = records?.indexOf(id) ?? -1;
  if (records === undefined || index === -1) return undefined;
  const isForward = name === 'after';
  const earlier = index + (isForward === isRising ? -1 : 1);
  if (earlier >= 0 && earlier < records.length) return { [name]: records.at(earlier).id };
  return isForward ? { after: undefined } : undefined; // without `after`, the page starts at the first record
};

const insertRecords = (count: number, { kind, owner, records }: List, world: World): void => {
  if (records === undefined) return;
  const belongsTo = kind.owner === undefined ? {} : { [kind.owner.field]: owner };
  for (let index = 0; index < count; index += 1)
    world.create(kind, owner, { ...belongsTo, id: world.nextId(kind, owner) });
};
