import { type Assumptions, createAssumptions } from '../assumptions/marking.ts';
import type { AssumptionChoices } from '../assumptions/table.ts';
import type { Keys } from '../protocol/auth.ts';
import { baseList, withChanges } from './base.ts';
import { type Clock, createClock, toDateTime, toSeconds } from './clock.ts';
import { fakerOf } from './faker.ts';
import { hash, scramble } from './hash.ts';
import type { Kind, Resource, Seeding, Writing } from './kind.ts';
import type { Ending } from './lifecycle.ts';
import { type ListBefore, RecordList } from './record-list.ts';
import { recordAt } from './timeline.ts';
import type { WorldScenario } from './world-schema.ts';

/** One isolated state, which handlers read and the control changes. */
export interface World {
  readonly seeding: Seeding;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly assumptions: Assumptions;
  /** Changes the value of an assumption; the id and the value must exist. */
  readonly choose: (id: string, choice: string) => void;
  /** The records of a kind and owner, of which the first ones come from `kind.seeds`; undefined if the owner does not exist. */
  readonly list: <Value extends Resource>(kind: Kind<Value>, owner?: string) => RecordList<Value> | undefined;
  /** The list that has a record with this id, of any owner. */
  readonly find: <Value extends Resource>(kind: Kind<Value>, id: string) => RecordList<Value> | undefined;
  /** The lists of a kind, of all owners. */
  readonly lists: <Value extends Resource>(kind: Kind<Value>) => RecordList<Value>[];
  /** What a record that is written now depends on, besides its given fields. */
  readonly writing: <Value extends Resource>(kind: Kind<Value>, owner: string) => Writing<Value>;
  /** The id of the next record of a kind that is created. Ids that are in use are skipped. */
  readonly nextId: (kind: Kind, owner: string) => string;
  /** Creates a record now. The given fields must have been checked, the owner exist, and the id be free. */
  readonly create: <Value extends Resource>(
    kind: Kind<Value>,
    owner: string,
    fields: Partial<Value> & Resource,
    ending?: Ending,
  ) => Value;
  /** Deletes a record and all records that it owns. Returns false if there is no record with this id. */
  readonly remove: (kind: Kind, id: string) => boolean;
  /** Deletes these records and all that they own, in one pass. Ids of no record are ignored. */
  readonly removeAll: (kind: Kind, ids: ReadonlySet<string>) => void;
  /** Runs a change, and returns what it changed as it was before, for `undo`. */
  readonly track: (change: () => void) => WorldBefore;
  /** Puts back what a change changed. Changes are undone in reverse order. */
  readonly undo: (before: WorldBefore) => void;
  /** How many times records were written or deleted, or assumptions changed: while this and the time stay the same, so do all replies. */
  readonly writes: () => number;
  /** A new request id, made from the seed and the number of requests before it. */
  readonly nextRequestId: () => string;
  /** How many requests it had. */
  readonly requests: () => number;
  /** Continues the numbers of requests after this many, so that no id is used twice. */
  readonly skipRequests: (count: number) => void;
  /** The present state as a scenario: a world made from it sends the same bytes. */
  readonly toScenario: () => WorldScenario;
}

/** What one change of a world changed, as it was before. */
export interface WorldBefore {
  /** The time and speed of the clock; undefined if they were not changed. */
  readonly clock: { readonly now: number; readonly speed: number } | undefined;
  /** The assumptions that the world had chosen, and how many records it had created. */
  readonly chosen: AssumptionChoices;
  readonly createdCount: number;
  /** The records that were written or deleted, by list. */
  readonly records: ReadonlyMap<RecordList, ListBefore>;
  /** The lists of owners that were deleted, by name; undefined for a list that had not been used. */
  readonly lists: ReadonlyMap<string, OpenList | undefined>;
}

interface OpenList {
  readonly kind: Kind;
  readonly list: RecordList;
}

/** @param scenario must have passed the schema of these kinds; it is shared and never changed */
export const createWorld = (kinds: readonly Kind[], scenario: WorldScenario): World => {
  const { seed, clock: time, keys } = scenario;
  const seeding: Seeding = { seed, start: Math.floor(toSeconds(time.start)) };
  const clock = createClock(time.now === undefined ? seeding.start : toSeconds(time.now), time.speed);
  const lists = new Map<string, OpenList>();
  /** What the change that runs now has changed. */
  let tracked:
    | { readonly records: Map<RecordList, ListBefore>; readonly lists: Map<string, OpenList | undefined> }
    | undefined;
  const requestHashes = [1, 2, 3].map((salt) => hash(`${seed}/request`, salt));
  const assumptions = createAssumptions(scenario.assumptions as AssumptionChoices, keys); // the schema has checked them
  let writes = 0;
  let { requests, made: createdCount } = scenario;

  const onWrite = (list: RecordList, id: string): void => {
    writes += 1;
    if (tracked === undefined) return;
    const before = tracked.records.get(list) ?? list.before();
    tracked.records.set(list, before);
    if (!before.entries.has(id)) before.entries.set(id, list.find(id));
  };

  const open = (kind: Kind, list: RecordList): RecordList => {
    lists.set(`${kind.name}/${list.owner}`, { kind, list });
    return list;
  };

  const ownerKindOf = ({ owner }: Kind): Kind | undefined => kinds.find(({ name }) => name === owner?.kind);

  const listOf = (kind: Kind, owner = ''): RecordList | undefined => {
    const ownerKind = ownerKindOf(kind);
    if (ownerKind !== undefined && listOf(ownerKind)?.has(owner) !== true) return undefined;
    return (
      lists.get(`${kind.name}/${owner}`)?.list ??
      open(kind, baseList(kind, owner, scenario, seeding).share(clock.now, onWrite))
    );
  };

  const listsOf = (kind: Kind): RecordList[] => {
    const ownerKind = ownerKindOf(kind);
    const owners = ownerKind === undefined ? [''] : (listOf(ownerKind)?.entries() ?? []).map(({ id }) => id);
    return owners.flatMap((owner) => listOf(kind, owner) ?? []);
  };

  const find = (kind: Kind, id: string): RecordList | undefined => listsOf(kind).find((list) => list.has(id));

  const ownedBy = (kind: Kind): Kind[] => kinds.filter(({ owner }) => owner?.kind === kind.name);

  const nextMade = (kind: Kind, owner: string): { readonly id: string; readonly count: number } => {
    for (let count = createdCount + 1; ; count += 1) {
      fakerOf(seed, 'made', kind.name, owner, count);
      const id = kind.newId();
      if (find(kind, id) === undefined) return { id, count };
    }
  };

  const writing = (kind: Kind, owner: string): Writing => ({
    ...seeding,
    owner,
    now: Math.floor(clock.now()),
    newest: listOf(kind, owner)?.newest(),
  });

  const create = (kind: Kind, owner: string, fields: Resource, ending?: Ending): Resource => {
    const { id, count } = nextMade(kind, owner);
    const timeline = kind.write(fields, writing(kind, owner), ending);
    listOf(kind, owner)?.write(timeline);
    if (fields.id === id) createdCount = count;
    return recordAt(timeline, clock.now());
  };

  /** Empties the lists of the records that a deleted record owned. Otherwise they would be those of the base again if an owner with this id is created. */
  const emptyOwned = (kind: Kind, id: string): void => {
    for (const owned of ownedBy(kind)) {
      const name = `${owned.name}/${id}`;
      if (tracked !== undefined && !tracked.lists.has(name)) tracked.lists.set(name, lists.get(name));
      open(owned, new RecordList(id, [], clock.now, onWrite));
    }
  };

  const choose = (id: string, choice: string): void => {
    assumptions.choose(id, choice);
    writes += 1;
  };

  const world = {
    seeding,
    clock,
    keys,
    assumptions,
    choose,
    list: listOf,
    lists: listsOf,
    find,
    writing,
    nextId: (kind: Kind, owner: string) => nextMade(kind, owner).id,
    create,
    remove: (kind: Kind, id: string) => {
      if (find(kind, id)?.remove(id) !== true) return false;
      emptyOwned(kind, id);
      return true;
    },
    removeAll: (kind: Kind, ids: ReadonlySet<string>) => {
      for (const list of listsOf(kind)) list.removeAll(ids);
      for (const id of ids) emptyOwned(kind, id);
    },
    track: (change: () => void): WorldBefore => {
      const former = { chosen: assumptions.chosen(), createdCount };
      const time = { now: clock.now(), speed: clock.speed() };
      const clockChanges = clock.changes();
      const changed = {
        records: new Map<RecordList, ListBefore>(),
        lists: new Map<string, OpenList | undefined>(),
      };
      tracked = changed;
      try {
        change();
      } finally {
        tracked = undefined;
      }
      return { ...former, ...changed, clock: clock.changes() === clockChanges ? undefined : time };
    },
    undo: (before: WorldBefore): void => {
      for (const [name, former] of before.lists)
        if (former === undefined) lists.delete(name);
        else lists.set(name, former);
      for (const [list, former] of before.records) list.restore(former);
      assumptions.restore(before.chosen);
      createdCount = before.createdCount;
      if (before.clock !== undefined) {
        clock.run(before.clock.speed);
        clock.set(before.clock.now);
      }
      writes += 1;
    },
    writes: () => writes,
    requests: () => requests,
    skipRequests: (count: number): void => {
      requests = Math.max(requests, count);
    },
    nextRequestId: () => {
      requests += 1;
      const [a = 0, b = 0, c = 0] = requestHashes;
      const ordinal = scramble(requests);
      return `req_${toHex(scramble(a ^ ordinal))}${toHex(scramble(b ^ ordinal))}${toHex(scramble(c ^ ordinal))}`;
    },
    toScenario: () => {
      let written: WorldScenario = scenario;
      for (const { kind, list } of lists.values())
        if (list.isChanged) written = withChanges(kind, written, list.owner, list.changes());
      return {
        ...written,
        assumptions: assumptions.chosen(),
        requests,
        made: createdCount,
        clock: { start: time.start, now: toDateTime(clock.now()), speed: clock.speed() }, // in the order of the schema
      };
    },
  };
  // A list has the records of the kind for which it was opened.
  return world as unknown as World;
};

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Eight hex digits, from a table: `toString(16)` takes eight times as long, 20 % of our time for a page. */
const toHex = (word: number): string =>
  `${bytes[word >>> 24]}${bytes[(word >>> 16) & 0xff]}${bytes[(word >>> 8) & 0xff]}${bytes[word & 0xff]}`;
