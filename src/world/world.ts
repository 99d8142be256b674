import { type Assumptions, createAssumptions } from '../protocol/assume.ts';
import type { AssumptionChoices } from '../protocol/assumptions.ts';
import type { Keys } from '../protocol/auth.ts';
import { type Clock, createClock, toDateTime, toSeconds } from './clock.ts';
import { Collection } from './collection.ts';
import { createDatabase } from './database.ts';
import type { Kind, Resource, Seeding } from './kind.ts';
import { omitUndefined } from './pinned.ts';
import { hash } from './random.ts';
import type { WorldScenario } from './scenario.ts';
import { emptySource } from './source.ts';

/** One isolated state: what handlers read, and the control steers. */
export interface World {
  readonly seeding: Seeding;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly assumptions: Assumptions;
  /** The records of a kind that belong to an owner; undefined where there is no such owner. */
  readonly collection: <Value extends Resource>(
    kind: Kind<Value>,
    owner?: string,
  ) => Collection<Value> | undefined;
  /** The collection that has the record of this id, whatever its owner. */
  readonly find: <Value extends Resource>(kind: Kind<Value>, id: string) => Collection<Value> | undefined;
  /** All collections of a kind, whatever their owners. */
  readonly collections: <Value extends Resource>(kind: Kind<Value>) => Collection<Value>[];
  /** Takes a record out, with all that belongs to it; false where there is none of this id. */
  readonly remove: (kind: Kind, id: string) => boolean;
  /** How many records were made by hand, for the id of the next one. */
  readonly made: () => number;
  readonly countMade: () => void;
  /** A new id for a request: it follows from the seed and the number of requests before it. */
  readonly nextRequestId: () => string;
  /** This state as a scenario: a world made of it answers the same bytes. */
  readonly toScenario: () => WorldScenario;
}

/** @param scenario it has passed the schema made of the sections of these kinds; it is shared, and never changed */
export const createWorld = (kinds: readonly Kind[], scenario: WorldScenario): World => {
  const seeding: Seeding = { seed: scenario.seed, start: Math.floor(toSeconds(scenario.clock.start)) };
  const clock = createClock(
    scenario.clock.now === undefined ? seeding.start : toSeconds(scenario.clock.now),
    scenario.clock.pace,
  );
  const opened = new Map<
    string,
    { readonly kind: Kind; readonly owner: string; readonly collection: Collection<Resource> }
  >();
  const openedOf = (kind: string, owner: string) => opened.get(`${kind}/${owner}`)?.collection;
  const database = createDatabase(
    kinds.map(({ name }) => name),
    (kind) => ({
      onCreate: (entity) => openedOf(kind, entity.owner)?.onCreate(entity),
      onReplace: (previous, next) => openedOf(kind, next.owner)?.onReplace(previous, next),
      onRemove: (entity) => openedOf(kind, entity.owner)?.onRemove(entity),
    }),
  );
  let requests = scenario.requests;
  let made = scenario.made;

  // The scenario's schema is made of the kinds' own sections, so that each finds its part there.
  const partOf = (kind: Kind, whole: WorldScenario): unknown =>
    (whole as Readonly<Record<string, unknown>>)[kind.section.name];

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
      fresh.write(complete(kind, gone.has(record.id) ? undefined : fresh, owner, record));
    return fresh;
  };

  /** An owner that is gone leaves nothing behind, should there be one of its id again. */
  const empty = (kind: Kind, owner: string): void => {
    const table = database.openTable(kind.name);
    table.removeAllOf(owner);
    const collection = new Collection<Resource>(kind, emptySource, owner, table, clock);
    opened.set(`${kind.name}/${owner}`, { kind, owner, collection });
  };

  /** What is written in the scenario goes over what is seeded, as it stands at the start, whenever one asks for it. */
  const complete = (
    kind: Kind,
    present: Collection<Resource> | undefined,
    owner: string,
    written: Resource,
  ): Resource => {
    const given = omitUndefined(written);
    const { id } = given;
    const base =
      present?.seededAt(id, seeding.start) ??
      kind.complete(given, { ...seeding, id, owner, now: seeding.start });
    return { ...base, ...given };
  };

  return {
    seeding,
    clock,
    keys: scenario.keys,
    assumptions: createAssumptions(withListedKeys(scenario.assumptions as AssumptionChoices, scenario.keys)),
    // A collection holds records of the kind that it was opened for.
    collection: <Value extends Resource>(kind: Kind<Value>, owner = '') =>
      collection(kind, owner) as Collection<Value> | undefined,
    collections: <Value extends Resource>(kind: Kind<Value>) => collectionsOf(kind) as Collection<Value>[],
    find: <Value extends Resource>(kind: Kind<Value>, id: string) =>
      collectionsOf(kind).find((one) => one.locate(id) !== undefined) as Collection<Value> | undefined,
    remove: (kind, id) => {
      const found = collectionsOf(kind).find((one) => one.locate(id) !== undefined);
      if (found?.remove(id) !== true) return false;
      for (const owned of kinds) if (owned.owner?.kind === kind.name) empty(owned, id);
      return true;
    },
    made: () => made,
    countMade: () => {
      made += 1;
    },
    nextRequestId: () => {
      requests += 1;
      const words = [1, 2, 3].map((lane) => hash(`${scenario.seed}/request/${requests}`, lane));
      return `req_${words.map((word) => word.toString(16).padStart(8, '0')).join('')}`;
    },
    toScenario: () => {
      let whole: WorldScenario = {
        ...scenario,
        requests,
        made,
        clock: { ...scenario.clock, now: toDateTime(clock.now()), pace: clock.pace() },
      };
      for (const { kind, owner, collection: one } of opened.values())
        if (one.isChanged)
          whole = {
            ...whole,
            [kind.section.name]: kind.withChanges(partOf(kind, whole), owner, one.changes()),
          };
      return whole;
    },
  };
};

const withListedKeys = (choices: AssumptionChoices, keys: Keys): AssumptionChoices =>
  keys.valid === undefined ? choices : { 'api-keys': 'listed', ...choices };
