import { type Base, sectionOf } from './base.ts';
import type { Clock } from './clock.ts';
import { Collection } from './collection.ts';
import type { Kind } from './kind.ts';
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
  /** The same, in the long form by which two worlds can be compared: every written record is whole. */
  readonly toLongScenario: () => WorldScenario;
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

  /** Removes all records of a deleted owner, in case an owner with its id is created again. */
  const empty = (kind: Kind, owner: string): void => {
    opened.get(`${kind.name}/${owner}`)?.collection.clear();
    open(
      kind,
      owner,
      RecordList.of(owner, () => tableOf(kind), []),
    );
  };

  /** The scenario with the changes of these collections. */
  const withChangesOf = (isIncluded: (one: Opened) => boolean): WorldScenario => {
    let whole = scenario;
    for (const one of opened.values())
      if (isIncluded(one)) {
        const { kind, owner, collection: changed } = one;
        const part = kind.withChanges(sectionOf(kind, whole), owner, changed.changes());
        whole = { ...whole, [kind.section.name]: part };
      }
    return whole;
  };

  /** Whether the scenario may describe these records in a shorter form than `withChangesOf` does. */
  const isShort = (kind: Kind, owner: string): boolean => {
    const { records, deleted } = kind.changes(sectionOf(kind, scenario), owner);
    return owner === '' || records.length > 0 || deleted.length > 0;
  };

  return {
    collection,
    collections,
    find,
    writes: () => writes,
    remove: (kind, id) => {
      if (find(kind, id)?.remove(id) !== true) return false;
      for (const owned of kinds) if (owned.owner?.kind === kind.name) empty(owned, id);
      return true;
    },
    toScenario: () => withChangesOf((one) => one.collection.isChanged),
    toLongScenario: () => {
      for (const kind of kinds)
        for (const owner of ownersOf(kind)) if (isShort(kind, owner)) collection(kind, owner);
      return withChangesOf(({ kind, owner, collection: one }) => one.isChanged || isShort(kind, owner));
    },
  };
};
