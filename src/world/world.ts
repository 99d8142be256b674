import { type Assumptions, createAssumptions } from '../protocol/assume.ts';
import type { AssumptionChoices } from '../protocol/assumptions.ts';
import type { Keys } from '../protocol/auth.ts';
import { baseOf } from './base.ts';
import { type Clock, createClock, toDateTime, toSeconds } from './clock.ts';
import type { Collection } from './collection.ts';
import { hash, scramble } from './hash.ts';
import type { Kind, Resource, Seeding } from './kind.ts';
import type { WorldScenario } from './scenario.ts';
import { createStore } from './store.ts';

/** One isolated state, which handlers read and the control changes. */
export interface World {
  readonly seeding: Seeding;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly assumptions: Assumptions;
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
  /** How many times records were written or deleted: while this and the time stay the same, so do all replies. */
  readonly writes: () => number;
  /** How many records were created by commands, from which the next id follows. */
  readonly made: () => number;
  readonly countMade: () => void;
  /** A new request id, made from the seed and the number of requests before it. */
  readonly nextRequestId: () => string;
  /** The present state as a scenario: a world made from it sends the same bytes. */
  readonly toScenario: () => WorldScenario;
  /** The same, in the long form by which two worlds can be compared: every written record is whole. */
  readonly toLongScenario: () => WorldScenario;
}

/** @param scenario must have passed the schema of these kinds; it is shared and never changed */
export const createWorld = (kinds: readonly Kind[], scenario: WorldScenario): World => {
  const { seed, clock: time, keys } = scenario;
  const seeding: Seeding = { seed, start: Math.floor(toSeconds(time.start)) };
  const clock = createClock(time.now === undefined ? seeding.start : toSeconds(time.now), time.speed);
  const store = createStore(kinds, scenario, baseOf(kinds, scenario, seeding), clock);
  const requestHashes = [1, 2, 3].map((salt) => hash(`${seed}/request`, salt));
  let { requests, made } = scenario;

  const withPresent = (written: WorldScenario): WorldScenario => ({
    ...written,
    requests,
    made,
    clock: { ...time, now: toDateTime(clock.now()), speed: clock.speed() },
  });

  return {
    seeding,
    clock,
    keys,
    assumptions: createAssumptions(choicesIn(scenario)),
    // A collection holds records of the kind for which it was opened.
    collection: <Value extends Resource>(kind: Kind<Value>, owner = '') =>
      store.collection(kind, owner) as Collection<Value> | undefined,
    collections: <Value extends Resource>(kind: Kind<Value>) =>
      store.collections(kind) as unknown[] as Collection<Value>[],
    find: <Value extends Resource>(kind: Kind<Value>, id: string) =>
      store.find(kind, id) as Collection<Value> | undefined,
    remove: store.remove,
    writes: store.writes,
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
    toLongScenario: () => withPresent(store.toLongScenario()),
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
