import { type Assumptions, createAssumptions } from '../protocol/assume.ts';
import type { AssumptionChoices } from '../protocol/assumptions.ts';
import type { Keys } from '../protocol/auth.ts';
import { baseOf } from './base.ts';
import { type Clock, createClock, toDateTime, toSeconds } from './clock.ts';
import type { Collection } from './collection.ts';
import { hash, scramble } from './hash.ts';
import type { Kind, Resource, Seeding } from './kind.ts';
import type { WorldScenario } from './scenario.ts';
import { createStore, type Start } from './store.ts';

/** One isolated state, which handlers read and the control changes. */
export interface World {
  readonly seeding: Seeding;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly assumptions: Assumptions;
  /** Changes the value of an assumption; the id and the value must exist. */
  readonly choose: (id: string, choice: string) => void;
  /** The records of a kind and owner; undefined if the owner does not exist. */
  readonly collection: <Value extends Resource>(
    kind: Kind<Value>,
    owner?: string,
  ) => Collection<Value> | undefined;
  /** The collection that has a record with this id, of any owner. */
  readonly find: <Value extends Resource>(kind: Kind<Value>, id: string) => Collection<Value> | undefined;
  /** The collections of a kind, of all owners. */
  readonly collections: <Value extends Resource>(kind: Kind<Value>) => Collection<Value>[];
  /** Deletes a record and all records that it owns. Returns false if there is no record with this id. */
  readonly remove: (kind: Kind, id: string) => boolean;
  /** How many times records were written or deleted, or assumptions changed: while this and the time stay the same, so do all replies. */
  readonly writes: () => number;
  /** How many records were created by commands, from which the next id follows. */
  readonly made: () => number;
  readonly countMade: () => void;
  /** A new request id, made from the seed and the number of requests before it. */
  readonly nextRequestId: () => string;
  /** The present state as a scenario: a world made from it sends the same bytes. */
  readonly toScenario: () => WorldScenario;
  /** What it was made of. */
  readonly start: Start;
  /** Returns a record to what a start makes of it, with all records that it owns if it was deleted. False if the start has none with this id. */
  readonly revert: (kind: Kind, id: string, start: Start) => boolean;
  /** A start and the present, to be compared: both list whole records, as they are now, of those that differ. */
  readonly comparison: (start: Start) => { readonly from: WorldScenario; readonly to: WorldScenario };
}

/** @param scenario must have passed the schema of these kinds; it is shared and never changed */
export const createWorld = (kinds: readonly Kind[], scenario: WorldScenario): World => {
  const { seed, clock: time, keys } = scenario;
  const seeding: Seeding = { seed, start: Math.floor(toSeconds(time.start)) };
  const clock = createClock(time.now === undefined ? seeding.start : toSeconds(time.now), time.speed);
  const base = baseOf(kinds, scenario, seeding);
  const store = createStore(kinds, scenario, base, clock);
  const requestHashes = [1, 2, 3].map((salt) => hash(`${seed}/request`, salt));
  const assumptions = createAssumptions(choicesIn(scenario));
  const first: Readonly<Record<string, string>> = assumptions.choices();
  let chosen = scenario.assumptions;
  let choosings = 0;
  let { requests, made } = scenario;

  const withPresent = (written: WorldScenario): WorldScenario => ({
    ...written,
    assumptions: chosen,
    requests,
    made,
    clock: { ...time, now: toDateTime(clock.now()), speed: clock.speed() },
  });

  return {
    seeding,
    clock,
    keys,
    assumptions,
    choose: (id, choice) => {
      const { [id]: _, ...others } = chosen;
      const given = choice === first[id] ? scenario.assumptions[id] : choice;
      chosen = given === undefined ? others : { ...others, [id]: given };
      assumptions.choose(id, choice);
      choosings += 1;
    },
    // A collection holds records of the kind for which it was opened.
    collection: <Value extends Resource>(kind: Kind<Value>, owner = '') =>
      store.collection(kind, owner) as Collection<Value> | undefined,
    collections: <Value extends Resource>(kind: Kind<Value>) =>
      store.collections(kind) as unknown[] as Collection<Value>[],
    find: <Value extends Resource>(kind: Kind<Value>, id: string) =>
      store.find(kind, id) as Collection<Value> | undefined,
    remove: store.remove,
    start: { scenario, base },
    revert: store.revert,
    writes: () => store.writes() + choosings,
    made: () => made,
    countMade: () => {
      made += 1;
    },
    nextRequestId: () => {
      requests += 1;
      const [a = 0, b = 0, c = 0] = requestHashes;
      const ordinal = scramble(requests);
      return `req_${toHex(scramble(a ^ ordinal))}${toHex(scramble(b ^ ordinal))}${toHex(scramble(c ^ ordinal))}`;
    },
    toScenario: () => withPresent(store.toScenario()),
    comparison: (start) => {
      const { from, to } = store.comparison(start);
      return { from, to: withPresent(to) };
    },
  };
};

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Eight hex digits, from a table: `toString(16)` takes eight times as long, a fifth of our own time for a page. */
const toHex = (word: number): string =>
  `${bytes[word >>> 24]}${bytes[(word >>> 16) & 0xff]}${bytes[(word >>> 8) & 0xff]}${bytes[word & 0xff]}`;

/** The assumptions for which a scenario chooses another value than the default. */
export const choicesIn = ({ assumptions, keys }: WorldScenario): AssumptionChoices => {
  const choices = assumptions as AssumptionChoices; // the schema has checked them
  return keys.valid === undefined ? choices : { 'api-keys': 'listed', ...choices };
};
