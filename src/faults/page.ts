import type * as z from 'zod';
import { refuse } from '../protocol/errors.ts';
import type { Kind } from '../world/kind.ts';
import { completeRecord, nextId } from '../world/make-record.ts';
import { type AnyCall, type AnyOperation, ownerIn } from '../world/operation.ts';
import type { World } from '../world/world.ts';
import type { PageEffect } from './effect.ts';

/** Whether a page fault needs a call with a cursor. */
export const needsCursor = ({ kind }: PageEffect): boolean =>
  ['cursor-loop', 'repeat-record', 'vanish-record', 'expire-cursor'].includes(kind);

/** Why a page fault cannot act on a call (with a cursor, if it needs one); undefined if it can. */
export const whyIdle = (
  effect: PageEffect,
  operation: AnyOperation,
  call: AnyCall,
  world: World,
): string | undefined => {
  const { kind, count } = effect;
  const collection = collectionOf(operation, call, world);
  if (collection === undefined) {
    const owner = operation.lists?.owner;
    return `the ${owner?.kind} "${call.params[owner?.field ?? '']}" does not exist`;
  }
  if (kind === 'cursor-loop' || kind === 'expire-cursor') return undefined; // they work with any cursor
  for (const name of ['after', 'before'] as const)
    if (call.query[name] !== undefined && !collection.has(String(call.query[name])))
      return `${name} is not the id of a record of this list`;
  if (kind === 'repeat-record' && stepBack(operation, call, world) === undefined)
    return 'the cursor is the last record of its list';
  if (kind === 'clamp-limit' && lengthOf(operation.handle(call, world)) <= count)
    return `the page has no more than ${count} records`;
  return undefined;
};

const lengthOf = (page: object): number => {
  const data: unknown = Reflect.get(page, 'data');
  return Array.isArray(data) ? data.length : 0;
};

/** The page that a page fault gives: the reply of the operation to a changed call, or a changed reply. */
export const hostilePage = (
  { kind, count }: PageEffect,
  operation: AnyOperation,
  call: AnyCall,
  world: World,
): object => {
  const { lists } = operation;
  if (lists === undefined) throw new Error(`The operation ${operation.id} lists nothing.`);
  const ask = (query: Readonly<Record<string, unknown>>): object =>
    operation.handle({ ...call, query: { ...call.query, ...query } }, world);
  switch (kind) {
    case 'cursor-loop':
      return { ...ask({ after: undefined, before: undefined }), has_more: true };
    case 'empty-page':
      return toEmptyPage(ask({}), operation);
    case 'repeat-record':
      return ask(stepBack(operation, call, world) ?? {});
    case 'vanish-record':
      world.remove(lists, cursorOf(call).id);
      return ask({});
    case 'insert-records':
      insertRecords(count, lists, ownerIn(lists, call.params), world);
      return ask({});
    case 'clamp-limit':
      return ask({ limit: Math.min(Number(call.query.limit), count) });
    case 'expire-cursor':
      return refuse('unknown-cursor', {
        status: 400,
        message: 'The cursor has expired. Start again from the first page.',
        param: cursorOf(call).name,
        code: 'cursor_expired',
      });
  }
};

/** An empty page whose first_id and last_id are as the list's contract allows: null, absent, or the empty string. */
const toEmptyPage = (page: object, { contract }: AnyOperation): object => {
  const shape: Readonly<Record<string, z.ZodType>> = Object(Reflect.get(contract.reply, 'shape'));
  const end = [null, ''].find((value) => shape.first_id?.safeParse(value).success);
  const isOptional = shape.first_id?.safeParse(undefined).success === true;
  const { first_id: _first, last_id: _last, has_more: _more, ...others } = page as Record<string, unknown>;
  return { ...others, data: [], ...(isOptional ? {} : { first_id: end, last_id: end }), has_more: true };
};

const cursorOf = ({ query }: AnyCall): { readonly name: 'after' | 'before'; readonly id: string } => {
  const name = query.after === undefined ? 'before' : 'after';
  return { name, id: String(query[name]) };
};

/**
 * The query with its cursor one record earlier, so that the page repeats the cursor's record. Undefined if there is no
 * such cursor: no record follows the last one, to which `before` could be moved.
 */
const stepBack = (operation: AnyOperation, call: AnyCall, world: World): AnyCall['query'] | undefined => {
  const { name, id } = cursorOf(call);
  const collection = collectionOf(operation, call, world);
  const index = collection?.indexOf(id) ?? -1;
  if (collection === undefined || index === -1) return undefined;
  const isForward = name === 'after';
  const isRising = call.query.order === 'asc';
  const earlier = index + (isForward === isRising ? -1 : 1);
  // Without `after`, the page starts at the first record.
  if (earlier < 0 || earlier >= collection.length) return isForward ? { [name]: undefined } : undefined;
  return { [name]: collection.at(earlier).id };
};

const insertRecords = (count: number, kind: Kind, owner: string, world: World): void => {
  const belongsTo = kind.owner === undefined ? {} : { [kind.owner.field]: owner };
  for (let made = 0; made < count; made += 1) {
    const id = nextId(world, kind, owner);
    world.collection(kind, owner)?.write(completeRecord(world, kind, owner, { ...belongsTo, id }));
    world.countMade();
  }
};

const collectionOf = ({ lists }: AnyOperation, { params }: AnyCall, world: World) =>
  lists && world.collection(lists, ownerIn(lists, params));
