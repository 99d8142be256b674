import { kinds } from '../../scenario/schema.ts';
import { limits } from '../../util/limits.ts';
import { suggest } from '../../util/nearest.ts';
import { endSentence } from '../../util/sentence.ts';
import type { Kind, Resource } from '../../world/kind.ts';
import type { RecordEntry } from '../../world/record-list.ts';
import type { World } from '../../world/world.ts';
import type { CountQuery, RecordQuery } from '../types.ts';

/** The entries that match, newest first. */
export const findEntries = <Value extends Resource>(
  action: string,
  kind: Kind<Value>,
  world: World,
  query: CountQuery,
): RecordEntry<Value>[] => {
  const { search = '', status } = query;
  const owner = ownerOf(kind, query);
  if (kind.owner !== undefined && Reflect.get(query, kind.owner.field) !== undefined)
    requireKnownOwner(action, kind, owner, world);
  const lists =
    kind.owner === undefined || owner !== '' ? [world.list(kind, owner) ?? []].flat() : world.lists(kind);
  // Newest first; of two records of one time, that of the list ahead comes first.
  const newest = lists
    .flatMap((one) => one.entries().toReversed())
    .sort((a, b) => b.created_at - a.created_at);
  const [text, now] = [search.toLowerCase(), world.clock.now()];
  const found = text === '' ? newest : newest.filter(({ id }) => id.toLowerCase().includes(text));
  if (status === undefined) return found;
  const readField = readerOf(action, kind, found, 'status', now);
  return found.filter((entry) => readField(entry) === status);
};

/** Reads a field of entries, and makes as few records for that as possible. @throws Error if it needs too many */
const readerOf = <Value extends Resource>(
  action: string,
  kind: Kind<Value>,
  entries: readonly RecordEntry<Value>[],
  field: string,
  now: number,
): ((entry: RecordEntry<Value>) => unknown) => {
  if (field === 'id' || field === 'created_at') return (entry) => entry[field];
  const { lifespan = 0 } = kind;
  const hasEnded = ({ finalStatus, created_at }: RecordEntry) =>
    field === 'status' && finalStatus !== undefined && created_at + lifespan <= now;
  const toMake = entries.filter((entry) => !hasEnded(entry)).length;
  if (toMake > limits.listed)
    throw new Error(
      `Failed to ${action} the ${kind.plural} by ${field}: ${toMake} records would have to be made, and at most ${limits.listed} are. Set search${kind.owner ? ` or ${kind.owner.field}` : ''} to look at fewer.`,
    );
  const path = field.split('.');
  return (entry) =>
    hasEnded(entry)
      ? entry.finalStatus
      : path.reduce<unknown>((value, name) => Reflect.get(Object(value), name), entry.at(now));
};

/** Sorts entries by a field: numbers by size, other values as text, and those without a value first. Equal ones stay in their order. */
const sortEntries = <Value extends Resource>(
  kind: Kind<Value>,
  entries: readonly RecordEntry<Value>[],
  field: string,
  order: 'asc' | 'desc',
  now: number,
): RecordEntry<Value>[] => {
  const fields = kind.columns;
  const [name = ''] = field.split('.');
  if (!fields.includes(name))
    throw new Error(
      `Failed to list the ${kind.plural} by "${field}": no such field.${endSentence(suggest(name, fields))}`,
    );
  const readField = readerOf('list', kind, entries, field, now);
  const sign = order === 'asc' ? 1 : -1;
  return entries
    .map((entry) => ({ entry, value: toComparable(readField(entry)) }))
    .sort(({ value: a }, { value: b }) => (a === b ? 0 : a < b ? -sign : sign))
    .map(({ entry }) => entry);
};

/** Numbers come before texts, which a comparison of both would leave in any order. */
const toComparable = (value: unknown): number | string =>
  typeof value === 'number' ? value : value === undefined || value === null ? -Infinity : String(value);

export const listRecords = <Value extends Resource>(
  kind: Kind<Value>,
  world: World,
  query: RecordQuery,
): Value[] => {
  const { order = 'desc', sort, limit, after, offset = 0 } = query;
  const now = world.clock.now();
  const newest = findEntries('list', kind, world, query);
  const entries =
    sort !== undefined && sort !== 'created_at'
      ? sortEntries(kind, newest, sort, order, now)
      : order === 'desc'
        ? newest
        : newest.reverse();
  const first = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && first === 0)
    throw new Error(
      `Failed to list the ${kind.plural} after "${after}": no record of this list has this id.`,
    );
  const start = first + offset;
  const listed = entries.slice(start, limit === undefined ? undefined : start + limit);
  if (listed.length > limits.listed)
    throw new Error(
      `Failed to list the ${kind.plural}: there are ${listed.length}. Set limit to ${limits.listed} or less. For the next page, set after to the id of the last record.`,
    );
  return listed.map((entry) => structuredClone(entry.at(now)));
};

/** A misspelt owner would look like one without records. */
const requireKnownOwner = (action: string, kind: Kind, owner: string, world: World): void => {
  if (kind.owner === undefined || world.list(kind, owner) !== undefined) return;
  const ownerKind = kinds.find(({ name }) => name === kind.owner?.kind);
  const owners = ownerKind === undefined ? undefined : world.list(ownerKind);
  const ids = (owners?.entries() ?? []).slice(-maxNamed).map(({ id }) => id);
  throw new Error(
    `Failed to ${action} the ${kind.plural} of "${owner}": no such ${kind.owner.kind}.${endSentence(suggest(owner, ids))}`,
  );
};

/** How many owners are compared to find the nearest name: there may be very many. */
const maxNamed = 100;

export const ownerOf = (kind: Kind, values: object): string => {
  const owner: unknown = kind.owner === undefined ? '' : Reflect.get(values, kind.owner.field);
  return typeof owner === 'string' ? owner : '';
};
