import { type Assumptions, createAssumptions } from '../assumptions/marking.ts';
import type { AssumptionChoices } from '../assumptions/table.ts';
import type { Keys } from '../protocol/auth.ts';
import { baseList, withChanges } from './base.ts';
import { type Clock, createClock, toDateTime, toSeconds } from './clock.ts';
import { fakerOf } from './faker.ts';
import { hash, scramble, toHex } from './hash.ts';
import type { Kind, Resource, Seeding, WriteContext } from './kind.ts';
import type { Ending } from './lifecycle.ts';
import { type ListBefore, RecordList } from './record-list.ts';
import { recordAt } from './timeline.ts';
import type { WorldScenario } from './world-schema.ts';

/** The state of a world before a change. Of records and lists, it has only those that the change touched. */
export interface WorldBefore {
  /** The time and speed of the clock; undefined if they were not changed. */
  readonly clock: { readonly now: number; readonly speed: number } | undefined;
  /** The assumptions that the world had chosen, and how many records it had created. */
  readonly chosen: AssumptionChoices;
  readonly createdCount: number;
  /** For each list, its records that were written or deleted. */
  readonly records: ReadonlyMap<RecordList, ListBefore>;
  /** The lists of owners that were deleted, by name; undefined for a list that had not been used. */
  readonly lists: ReadonlyMap<string, OpenList | undefined>;
}

interface OpenList {
  readonly kind: Kind;
  readonly list: RecordList;
}

type TrackedChange = Pick<WorldBefore, 'records' | 'lists'> & {
  readonly records: Map<RecordList, ListBefore>;
  readonly lists: Map<string, OpenList | undefined>;
};

/** One isolated state, which handlers read and the control changes. */
export class World {
  readonly seeding: Seeding;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly assumptions: Assumptions;
  /** How many times records were written or deleted, or assumptions changed: while this and the time stay the same, so do all replies. */
  writes = 0;
  /** How many requests it has given an id. */
  requests: number;
  /** The contract's kinds of records, and the kinds that the user defines, which may change when own calls are reloaded. */
  readonly kinds: readonly Kind[];
  readonly #scenario: WorldScenario;
  readonly #requestHashes: readonly number[];
  readonly #lists = new Map<string, OpenList>();
  /** The records and lists that the running change has changed so far; undefined if no change runs. */
  #tracked: TrackedChange | undefined;
  /** How many records it has created: `made` in scenarios. */
  #createdCount: number;
  /** The id that was drawn last for a new record, and the number of that record among all created records. */
  #drawn: { readonly id: string; readonly count: number } | undefined;

  /** @param scenario must have passed the schema of these kinds; it is shared and never changed */
  constructor(kinds: readonly Kind[], scenario: WorldScenario) {
    const { seed, clock, keys, assumptions, requests, made } = scenario;
    this.kinds = kinds;
    this.#scenario = scenario;
    this.seeding = { seed, start: Math.floor(toSeconds(clock.start)) };
    this.clock = createClock(
      clock.now === undefined ? this.seeding.start : toSeconds(clock.now),
      clock.speed,
    );
    this.keys = keys;
    this.assumptions = createAssumptions(assumptions as AssumptionChoices, keys); // the schema has checked them
    this.requests = requests;
    this.#requestHashes = [1, 2, 3].map((salt) => hash(`${seed}/request`, salt));
    this.#createdCount = made;
  }

  /** The list of a kind and owner; undefined if the owner does not exist. Its seeded records come from `kind.seeds`. */
  list<Value extends Resource>(kind: Kind<Value>, owner = ''): RecordList<Value> | undefined {
    const ownerKind = this.#ownerKindOf(kind);
    if (ownerKind !== undefined && this.list(ownerKind)?.has(owner) !== true) return undefined;
    const list =
      this.#lists.get(`${kind.name}/${owner}`)?.list ??
      this.#open(
        kind,
        baseList(kind, owner, this.#scenario, this.seeding).share(this.clock.now, this.#onWrite),
      );
    return list as RecordList<never> as RecordList<Value>; // it was opened for this kind
  }

  /** All lists of a kind: one for each owner. */
  lists<Value extends Resource>(kind: Kind<Value>): RecordList<Value>[] {
    const ownerKind = this.#ownerKindOf(kind);
    const owners =
      ownerKind === undefined ? [''] : (this.list(ownerKind)?.entries() ?? []).map(({ id }) => id);
    return owners.flatMap((owner) => this.list(kind, owner) ?? []);
  }

  /** The list that has a record with this id, whoever owns it. */
  listWith<Value extends Resource>(kind: Kind<Value>, id: string): RecordList<Value> | undefined {
    return this.lists(kind).find((list) => list.has(id));
  }

  /** The context of a record that is written now. */
  writeContext<Value extends Resource>(kind: Kind<Value>, owner: string): WriteContext<Value> {
    const now = Math.floor(this.clock.now());
    return {
      ...this.seeding,
      owner,
      now,
      neighbours: (time) => this.list(kind, owner)?.neighbours(time) ?? {},
    };
  }

  /** Draws the id of the next record of a kind that is created. Ids that are in use are skipped. */
  nextId(kind: Kind, owner: string): string {
    for (let count = this.#createdCount + 1; ; count += 1) {
      fakerOf(this.seeding.seed, 'made', kind.name, owner, count);
      const id = kind.newId();
      if (this.listWith(kind, id) !== undefined) continue;
      this.#drawn = { id, count };
      return id;
    }
  }

  /** Creates a record now. The fields must have been checked, the owner must exist, and the id must be free. */
  create<Value extends Resource>(
    kind: Kind<Value>,
    owner: string,
    fields: Partial<Value> & Resource,
    ending?: Ending,
  ): Value {
    const timeline = kind.write(fields, this.writeContext(kind, owner), ending);
    this.list(kind, owner)?.write(timeline);
    if (fields.id === this.#drawn?.id) this.#createdCount = this.#drawn.count;
    return recordAt(timeline, this.clock.now());
  }

  /** Deletes the records with these ids and all that they own, in one pass. Unknown ids are ignored. */
  remove(kind: Kind, ids: ReadonlySet<string>): void {
    for (const list of this.lists(kind)) list.remove(ids);
    for (const id of ids) this.#emptyOwned(kind, id);
  }

  /** Changes the value of an assumption; the id and the value must exist. */
  choose(id: string, choice: string): void {
    this.assumptions.choose(id, choice);
    this.writes += 1;
  }

  /**
   * Runs a change, and returns its result with the state before it, for `restore`.
   *
   * @param earlier the state before an earlier part of the same change, which moved no clock: it then covers both parts
   */
  runChange<Result>(
    change: () => Result,
    earlier?: WorldBefore,
  ): { readonly result: Result; readonly before: WorldBefore } {
    const { clock } = this;
    const chosen = this.assumptions.chosen();
    const createdCount = this.#createdCount;
    const time = { now: clock.now(), speed: clock.speed() };
    const clockChanges = clock.changes();
    const tracked: TrackedChange = {
      records: new Map(earlier?.records),
      lists: new Map(earlier?.lists),
    };
    this.#tracked = tracked;
    try {
      const result = change();
      const changedClock = clock.changes() === clockChanges ? undefined : time;
      return { result, before: { chosen, createdCount, ...earlier, ...tracked, clock: changedClock } };
    } finally {
      this.#tracked = undefined;
    }
  }

  /** Restores the state before a change. The last change must be undone first. */
  restore({ lists, records, chosen, createdCount, clock }: WorldBefore): void {
    for (const [name, list] of lists)
      if (list === undefined) this.#lists.delete(name);
      else this.#lists.set(name, list);
    for (const [list, before] of records) list.restore(before);
    this.assumptions.restore(chosen);
    this.#createdCount = createdCount;
    if (clock !== undefined) {
      this.clock.run(clock.speed);
      this.clock.set(clock.now);
    }
    this.writes += 1;
  }

  /** A new request id, made from the seed and the number of requests before it. */
  nextRequestId(): string {
    this.requests += 1;
    const [a = 0, b = 0, c = 0] = this.#requestHashes;
    const ordinal = scramble(this.requests);
    return `req_${toHex(scramble(a ^ ordinal))}${toHex(scramble(b ^ ordinal))}${toHex(scramble(c ^ ordinal))}`;
  }

  /** The present state as a scenario: a world made from it sends the same bytes. */
  toScenario(): WorldScenario {
    let written = this.#scenario;
    for (const { kind, list } of this.#lists.values())
      if (list.isChanged) written = withChanges(kind, written, list.owner, list.changes());
    const { clock } = this;
    return {
      ...written,
      assumptions: this.assumptions.chosen(),
      requests: this.requests,
      made: this.#createdCount,
      // The keys are in the order of the schema.
      clock: { start: written.clock.start, now: toDateTime(clock.now()), speed: clock.speed() },
    };
  }

  readonly #onWrite = (list: RecordList, id: string): void => {
    this.writes += 1;
    if (this.#tracked === undefined) return;
    const before = this.#tracked.records.get(list) ?? list.before();
    this.#tracked.records.set(list, before);
    if (!before.entries.has(id)) before.entries.set(id, list.entry(id));
  };

  #open(kind: Kind, list: RecordList): RecordList {
    this.#lists.set(`${kind.name}/${list.owner}`, { kind, list });
    return list;
  }

  #ownerKindOf({ owner }: Kind): Kind | undefined {
    return this.kinds.find(({ name }) => name === owner?.kind);
  }

  /** Empties the lists that a deleted record owned: otherwise, a new record with the same id would own the seeded records again. */
  #emptyOwned(kind: Kind, id: string): void {
    for (const owned of this.kinds.filter(({ owner }) => owner?.kind === kind.name)) {
      const name = `${owned.name}/${id}`;
      const tracked = this.#tracked?.lists;
      if (tracked !== undefined && !tracked.has(name)) tracked.set(name, this.#lists.get(name));
      this.#open(owned, new RecordList(id, [], this.clock.now, this.#onWrite));
    }
  }
}
