import { type Base, sectionOf } from './base.ts';
import type { Clock } from './clock.ts';
import { Collection, viewOf } from './collection.ts';
import { type Changes, type Kind, noChanges } from './kind.ts';
import { createTables } from './models.ts';
import { RecordList } from './record-list.ts';
import type { WorldScenario } from './scenario.ts';

/** The records of one world: the base, and the changes written over it. */
export interface Store {
  /** The records of a kind and owner; undefined if the owner does not exist. */
  readonly collection: (kind: Kind, owner: string) => Collection | undefined;
  /** The collections of a kind, of all owners. */
  readonly collections: (kind: Kind) => Collection[];
  /** The collection that has a record with this id, of any owner. */
  readonly find: (kind: Kind, id: string) => Collection | undefined;
  /** Deletes a record and all records that it owns. Returns false if there is no record with this id. */
  readonly remove: (kind: Kind, id: string) => boolean;
  /** How many times records were written or deleted. */
  readonly writes: () => number;
  /** The scenario with all changes since. */
  readonly toScenario: () => WorldScenario;
  /** Returns a record to what the start makes of it, with all records that it owns if it was deleted. False if the start has none with this id. */
  readonly revert: (kind: Kind, id: string, start: Start) => boolean;
  /** The start and the present, to be compared: both list whole records, as they are now, of those that differ. */
  readonly comparison: (start: Start) => { readonly from: WorldScenario; readonly to: WorldScenario };
}

/** The scenario that a world started from, and its records. Its present state may be based on another one, such as a saved state. */
export interface Start {
  readonly scenario: WorldScenario;
  readonly base: Base;
}

interface Opened {
  readonly kind: Kind;
  readonly owner: string;
  readonly collection: Collection;
}

export const createStore = (
  kinds: readonly Kind[],
  scenario: WorldScenario,
  base: Base,
  clock: Clock,
): Store => {
  const opened = new Map<string, Opened>();
  const tableOf = createTables(kinds);
  let writes = 0;

  const open = (kind: Kind, owner: string, list: RecordList): Collection => {
    const collection = new Collection(
      kind,
      list,
      () => tableOf(kind),
      clock,
      () => {
        writes += 1;
      },
    );
    opened.set(`${kind.name}/${owner}`, { kind, owner, collection });
    return collection;
  };

  const ownerKindOf = ({ owner }: Kind): Kind | undefined => kinds.find(({ name }) => name === owner?.kind);

  const collection = (kind: Kind, owner: string): Collection | undefined => {
    const ownerKind = ownerKindOf(kind);
    if (ownerKind !== undefined && collection(ownerKind, '')?.has(owner) !== true) return undefined;
    return opened.get(`${kind.name}/${owner}`)?.collection ?? open(kind, owner, base(kind, owner));
  };

  const ownersOf = (kind: Kind): string[] => {
    const ownerKind = ownerKindOf(kind);
    return ownerKind === undefined
      ? ['']
      : (collection(ownerKind, '')?.newest() ?? []).map(({ id }) => id).reverse();
  };

  const collections = (kind: Kind): Collection[] =>
    ownersOf(kind).flatMap((owner) => collection(kind, owner) ?? []);

  const find = (kind: Kind, id: string): Collection | undefined => {
    for (const owner of ownersOf(kind)) {
      const one = collection(kind, owner);
      if (one?.has(id)) return one;
    }
    return undefined;
  };

  /** Replaces all records of an owner: by none if it is deleted, in case an owner with its id is created again. */
  const replaceOwned = (kind: Kind, owner: string, listOf: (owned: Kind) => RecordList): void => {
    for (const owned of kinds) {
      if (owned.owner?.kind !== kind.name) continue;
      opened.get(`${owned.name}/${owner}`)?.collection.clear();
      open(owned, owner, listOf(owned));
    }
  };

  const withChanges = (whole: WorldScenario, { kind, owner }: Opened, changes: Changes): WorldScenario => ({
    ...whole,
    [kind.section.name]: kind.withChanges(sectionOf(kind, whole), owner, changes),
  });

  const toScenario = (): WorldScenario => {
    let whole = scenario;
    for (const one of opened.values())
      if (one.collection.isChanged) whole = withChanges(whole, one, one.collection.changes());
    return whole;
  };

  /** Whether a scenario may describe these records in a shorter form than `withChanges` does. */
  const isShort = (whole: WorldScenario, kind: Kind, owner: string): boolean => {
    const { records, deleted } = kind.changes?.(sectionOf(kind, whole), owner) ?? noChanges;
    return owner === '' || records.length > 0 || deleted.length > 0;
  };

  const comparison = (start: Start) => {
    for (const kind of kinds)
      for (const owner of ownersOf(kind))
        if (isShort(scenario, kind, owner) || isShort(start.scenario, kind, owner)) collection(kind, owner);
    let [from, to] = [start.scenario, scenario];
    for (const one of opened.values()) {
      const { kind, owner, collection: present } = one;
      const list = start.base(kind, owner);
      const { records, deleted } = present.changes();
      const ids = [...list.changes().records, ...records].map(({ id }) => id);
      const entries = [...new Set([...ids, ...deleted])].flatMap((id) => list.find(id) ?? []);
      from = withChanges(from, one, {
        records: entries.map((entry) => viewOf(entry, clock.now())),
        deleted: [],
      });
      // A deleted record of a list is one that only the start lists.
      to = withChanges(to, one, { records, deleted: kind.changes === undefined ? deleted : [] });
    }
    return { from, to };
  };

  const revert = (kind: Kind, id: string, start: Start): boolean => {
    for (const owner of ownersOf(kind)) {
      const entry = start.base(kind, owner).find(id);
      if (entry === undefined) continue;
      // What it owned was emptied when it was deleted.
      if (collection(kind, owner)?.revert(entry)) replaceOwned(kind, id, (owned) => start.base(owned, id));
      return true;
    }
    return false;
  };

  return {
    collection,
    collections,
    find,
    writes: () => writes,
    remove: (kind, id) => {
      if (find(kind, id)?.remove(id) !== true) return false;
      replaceOwned(kind, id, (owned) => RecordList.of(id, () => tableOf(owned), []));
      return true;
    },
    revert,
    toScenario,
    comparison,
  };
};
