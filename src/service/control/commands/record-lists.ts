import { policySchema } from '../../../core/operations/get-rate-limits-policy/contract.ts';
import { limits } from '../../../core/util/limits.ts';
import { suggest } from '../../../core/util/nearest.ts';
import { endSentence } from '../../../core/util/sentence.ts';
import type { Kind, Resource } from '../../../core/world/kind.ts';
import { type AnyLifecycle, lifespanOf } from '../../../core/world/lifecycle.ts';
import type { RecordEntry } from '../../../core/world/timeline.ts';
import type { World } from '../../../core/world/world.ts';
import type { CountQuery, RecordQuery } from '../control-interface.ts';

export const findEntries = <Value extends Resource>(
  action: string,
  kind: Kind<Value>,
  world: World,
  query: CountQuery,
): RecordEntry<Value>[] => {
  const { search = '', status } = query;
  const owner = ownerOf(kind, query);
  const namesOwner = kind.owner !== undefined && Reflect.get(query, kind.owner.field) !== undefined;
  // A misspelt owner would look like an owner without records.
  if (namesOwner && world.list(kind, owner) === undefined)
    throw new Error(`Failed to ${action} the ${kind.plural}: ${describeUnknownOwner(kind, owner, world)}`);
  const lists =
    kind.owner === undefined || owner !== '' ? [world.list(kind, owner) ?? []].flat() : world.lists(kind);
  // Newest first. If two records have the same time, the record of the earlier list comes first.
  const newest = lists
    .flatMap((list) => list.entries().toReversed())
    .sort((a, b) => b.created_at - a.created_at);
  const [text, now] = [search.toLowerCase(), world.clock.now()];
  const found = text === '' ? newest : newest.filter(({ id }) => id.toLowerCase().includes(text));
  if (status === undefined) return found;
  requireKnownStatus(action, kind, status, world);
  const lifespan = lifespanOf(kind.lifecycle);
  const hasEnded = ({ finalStatus, created_at }: RecordEntry) =>
    finalStatus !== undefined && created_at + lifespan <= now;
  // Makes as few records as possible.
  const toMake = found.filter((entry) => !hasEnded(entry)).length;
  if (toMake > limits.listed)
    throw new Error(
      `Failed to ${action} the ${kind.plural} by status: ${toMake} records would have to be made, and at most ${limits.listed} are. Set search${kind.owner ? ` or ${kind.owner.field}` : ''} to look at fewer.`,
    );
  return found.filter(
    (entry) => (hasEnded(entry) ? entry.finalStatus : Reflect.get(entry.readAt(now), 'status')) === status,
  );
};

/** A misspelt status would look like a status that no record has. Other statuses exist only if the assumption allows any. */
const requireKnownStatus = (action: string, kind: Kind, status: string, world: World): void => {
  const { assumption, states: names = policySchema.shape.status.options }: Partial<AnyLifecycle> =
    kind.lifecycle ?? {};
  if (names.includes(status)) return;
  if (assumption !== undefined && world.assumptions.choiceOf(assumption) === 'any') return;
  const anyName = assumption && ` To allow any name, set the assumption ${assumption} to "any".`;
  throw new Error(
    `Failed to ${action} the ${kind.plural} by status: no record can have the status "${status}".${suggest(status, names)}${anyName ?? ''}`,
  );
};

export const listRecords = <Value extends Resource>(
  kind: Kind<Value>,
  world: World,
  query: RecordQuery,
): Value[] => {
  const { order = 'desc', limit, after, offset = 0 } = query;
  const now = world.clock.now();
  const newest = findEntries('list', kind, world, query);
  const entries = order === 'desc' ? newest : newest.reverse();
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
  return listed.map((entry) => structuredClone(entry.readAt(now)));
};

export const describeUnknownOwner = (kind: Kind, owner: string, world: World): string => {
  const ownerKind = world.kinds.find(({ name }) => name === kind.owner?.kind);
  const owners = ownerKind === undefined ? undefined : world.list(ownerKind);
  const ids = (owners?.entries() ?? []).slice(-maxNamed).map(({ id }) => id);
  return endSentence(`no such ${kind.owner?.kind}: "${owner}".${suggest(owner, ids)}`);
};

/** How many owners are compared to find the nearest name: a world may have very many. */
const maxNamed = 100;

export const ownerOf = (kind: Kind, values: object): string => {
  const owner: unknown = kind.owner === undefined ? '' : Reflect.get(values, kind.owner.field);
  return typeof owner === 'string' ? owner : '';
};
