import type { ListId } from '../operations/ids.ts';
import { didYouMean } from '../util/nearest.ts';
import { endSentence } from '../util/sentence.ts';
import { type AnyOperation, isList, listedKind, ownerIn } from '../world/operation.ts';
import type { World } from '../world/world.ts';
import { type Entry, queryOf, toRecordedRequest } from './entry.ts';
import { findUnknownParams } from './filter.ts';
import { type Journal, maxIds } from './journal.ts';
import { judgeWalk, type Walk } from './walk.ts';

/** Which walk is judged. */
export interface WalkOptions {
  /** The list's owner, such as `{ thread_id: 'thread_demo' }`, where the calls were of several. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The ids that the client took for the records, in its order. Default: those on the pages that it went on from. */
  readonly seen?: readonly string[] | undefined;
}

/**
 * Reports how a client walked the pages of a list.
 *
 * @throws Error if the operation is not a list, was not called, or was called for several owners
 */
export const reportWalk = (
  journal: Journal,
  world: World,
  operations: readonly AnyOperation[],
  id: ListId,
  { params = {}, seen }: WalkOptions,
): Walk => {
  const operation = findList(id, operations);
  const [unknown] = findUnknownParams(params, [operation]);
  if (unknown !== undefined) fail(id, endSentence(unknown));
  const entries = journal.list({ operation: id, params });
  const owner = onlyOwner(id, entries);
  if (entries.some(({ isPageLost }) => isPageLost))
    fail(id, `its pages have more than ${maxIds} records, and the journal has dropped the first ones.`);
  if (journal.hasLost && entries[0] !== undefined && hasCursor(entries[0]))
    fail(
      id,
      `the journal keeps ${journal.size} requests, and has dropped the first ones. Give it more room (journal: …), or clear it before the walk.`,
    );
  const kind = listedKind(operation);
  const collection = kind && world.collection(kind, ownerIn(kind, owner));
  return judgeWalk(entries, collection?.newest().map((entry) => entry.id) ?? [], seen);
};

const fail = (id: string, reason: string): never => {
  throw new Error(`Failed to judge a walk of "${id}": ${reason}`);
};

const findList = (id: string, operations: readonly AnyOperation[]): AnyOperation => {
  const lists = operations.filter(isList);
  const ids = lists.map((operation) => operation.id);
  return (
    lists.find((operation) => operation.id === id) ??
    fail(id, `it is not a list.${didYouMean(id, ids)} The lists are: ${ids.join(', ')}.`)
  );
};

const hasCursor = (entry: Entry): boolean => {
  const { after, before } = queryOf(entry);
  return Boolean(after || before);
};

const onlyOwner = (id: string, entries: readonly Entry[]): Readonly<Record<string, string>> => {
  const owners = new Map(entries.map(({ trace }) => [JSON.stringify(trace.params), trace.params ?? {}]));
  const [owner, ...others] = owners.values();
  if (others.length > 0)
    fail(
      id,
      `there were calls of several, ${describeOwners(entries)}. Pick one: walk('${id}', { params: … }).`,
    );
  return owner ?? fail(id, 'there was no such call.');
};

const describeOwners = (entries: readonly Entry[]): string => {
  const owners = new Set(entries.map((entry) => JSON.stringify(toRecordedRequest(entry).params)));
  return [...owners].slice(0, 5).join(', ');
};
