import type { Clock } from './clock.ts';
import { Collection } from './collection.ts';
import { createDatabase } from './database.ts';
import type { Kind, Resource, Seeding } from './kind.ts';
import { omitUndefined } from './pinned.ts';
import type { WorldScenario } from './scenario.ts';
import { emptySource } from './source.ts';

/** The records of one world, kind by kind and owner by owner. Nothing is opened before it is asked for. */
export interface Store {
  /** The records of a kind that belong to an owner; undefined where there is no such owner. */
  readonly collection: (kind: Kind, owner: string) => Collection<Resource> | undefined;
  /** All collections of a kind, whatever their owners. */
  readonly collections: (kind: Kind) => Collection<Resource>[];
  /** The collection that has the record of this id, whatever its owner. */
  readonly find: (kind: Kind, id: string) => Collection<Resource> | undefined;
  /** Takes a record out, with all that belongs to it; false where there is none of this id. */
  readonly remove: (kind: Kind, id: string) => boolean;
  /** How often something was written or taken out. */
  readonly writes: () => number;
  /** The scenario with all that was written since. */
  readonly toScenario: () => WorldScenario;
  /** The same in the one form that two worlds can be compared by: whatever is written by hand is whole, and no part is short. */
  readonly toLongScenario: () => WorldScenario;
}

export const createStore = (
  kinds: readonly Kind[],
  scenario: WorldScenario,
  seeding: Seeding,
  clock: Clock,
): Store => {
  const opened = new Map<
    string,
    { readonly kind: Kind; readonly owner: string; readonly collection: Collection<Resource> }
  >();
  let writes = 0;
  const openedOf = (kind: string, owner: string) => opened.get(`${kind}/${owner}`)?.collection;
  const database = createDatabase(
    kinds.map(({ name }) => name),
    (kind) => ({
      onCreate: (entity) => {
        if (entity.written) writes += 1;
        openedOf(kind, entity.owner)?.onCreate(entity);
      },
      onReplace: (previous, next) => {
        writes += 1;
        openedOf(kind, next.owner)?.onReplace(previous, next);
      },
      onRemove: (entity) => {
        writes += 1;
        openedOf(kind, entity.owner)?.onRemove(entity);
      },
    }),
  );
  const ownersOf = (kind: Kind): string[] => {
    const ownerKind = kinds.find(({ name }) => name === kind.owner?.kind);
    return ownerKind === undefined
      ? ['']
      : [...(collection(ownerKind, '')?.walk(undefined, 'asc') ?? [])].map(({ id }) => id);
  };

  const collectionsOf = (kind: Kind): Collection<Resource>[] =>
    ownersOf(kind).flatMap((owner) => collection(kind, owner) ?? []);

  const collection = (kind: Kind, owner: string): Collection<Resource> | undefined => {
    const ownerKind = kinds.find(({ name }) => name === kind.owner?.kind);
    if (ownerKind !== undefined && collection(ownerKind, '')?.locate(owner) === undefined) return undefined;
    return openedOf(kind.name, owner) ?? open(kind, owner);
  };

  const open = (kind: Kind, owner: string): Collection<Resource> => {
    const part = partOf(kind, scenario);
    const fresh = new Collection(
      kind,
      kind.source(part, owner, seeding),
      owner,
      database.openTable(kind.name),
      clock,
    );
    opened.set(`${kind.name}/${owner}`, { kind, owner, collection: fresh });
    const { records, deleted } = kind.changes(part, owner);
    for (const id of deleted) fresh.remove(id);
    const gone = new Set(deleted);
    for (const record of records)
      fresh.write(complete(kind, fresh, gone.has(record.id), owner, record, seeding));
    return fresh;
  };

  /** An owner that is gone leaves nothing behind, should there be one of its id again. */
  const empty = (kind: Kind, owner: string): void => {
    const table = database.openTable(kind.name);
    table.removeAllOf(owner);
    const collection = new Collection<Resource>(kind, emptySource, owner, table, clock);
    opened.set(`${kind.name}/${owner}`, { kind, owner, collection });
  };

  const find = (kind: Kind, id: string): Collection<Resource> | undefined =>
    collectionsOf(kind).find((one) => one.locate(id) !== undefined);

  /** Records that stand in the scenario are completed as soon as their collection is opened. */
  const openWritten = (): void => {
    for (const kind of kinds)
      for (const owner of ownersOf(kind)) {
        const { records, deleted } = kind.changes(partOf(kind, scenario), owner);
        if (owner === '' || records.length > 0 || deleted.length > 0) collection(kind, owner);
      }
  };

  const tell = (isTold: (one: Collection<Resource>, owner: string) => boolean): WorldScenario => {
    let whole = scenario;
    for (const { kind, owner, collection: one } of opened.values()) {
      if (!isTold(one, owner)) continue;
      whole = {
        ...whole,
        [kind.section.name]: kind.withChanges(partOf(kind, whole), owner, one.changes()),
      };
    }
    return whole;
  };

  return {
    collection,
    collections: collectionsOf,
    find,
    writes: () => writes,
    remove: (kind, id) => {
      if (find(kind, id)?.remove(id) !== true) return false;
      for (const owned of kinds) if (owned.owner?.kind === kind.name) empty(owned, id);
      return true;
    },
    toScenario: () => tell((one) => one.isChanged),
    toLongScenario: () => {
      openWritten();
      return tell((one, owner) => one.isChanged || owner === '');
    },
  };
};

/** The scenario's schema is made of the kinds' own sections, so that each finds its part there. */
const partOf = ({ section }: Kind, whole: WorldScenario): unknown =>
  (whole as Readonly<Record<string, unknown>>)[section.name];

/** What is written in the scenario goes over what is seeded, as it stands at the start, whenever one asks for it. */
const complete = (
  kind: Kind,
  present: Collection<Resource>,
  isGone: boolean,
  owner: string,
  written: Resource,
  seeding: Seeding,
): Resource => {
  const given = omitUndefined(written);
  const { id } = given;
  const seeded = isGone ? undefined : present.seededAt(id, seeding.start);
  if (seeded !== undefined) return { ...seeded, ...given };
  return kind.complete(given, { ...seeding, id, owner, others: () => present.all(), now: seeding.start });
};
