import { type Assumptions, createAssumptions } from '../protocol/assume.ts';
import type { AssumptionChoices } from '../protocol/assumptions.ts';
import type { Keys } from '../protocol/auth.ts';
import { baseOf } from './base.ts';
import { type Clock, createClock, toDateTime, toSeconds } from './clock.ts';
import type { Collection } from './collection.ts';
import { hash, mix } from './hash.ts';
import type { Kind, Resource, Seeding } from './kind.ts';
import type { WorldScenario } from './scenario.ts';
import { createStore } from './store.ts';

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
  /** How often records were written or taken out: as long as that and the time stay, so does every answer. */
  readonly writes: () => number;
  /** How many records were made by hand, for the id of the next one. */
  readonly made: () => number;
  readonly countMade: () => void;
  /** A new id for a request: it follows from the seed and the number of requests before it. */
  readonly nextRequestId: () => string;
  /** This state as a scenario: a world made of it answers the same bytes. */
  readonly toScenario: () => WorldScenario;
  /** The same in the one form that two worlds can be compared by: whatever is written by hand is whole, and no part is short. */
  readonly toLongScenario: () => WorldScenario;
}

/** @param scenario it has passed the schema made of the sections of these kinds; it is shared, and never changed */
export const createWorld = (kinds: readonly Kind[], scenario: WorldScenario): World => {
  const { seed, clock: time, keys } = scenario;
  const seeding: Seeding = { seed, start: Math.floor(toSeconds(time.start)) };
  const clock = createClock(time.now === undefined ? seeding.start : toSeconds(time.now), time.speed);
  const store = createStore(kinds, scenario, baseOf(kinds, scenario, seeding), clock);
  const requestLanes = [1, 2, 3].map((lane) => hash(`${seed}/request`, lane));
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
    // A collection holds records of the kind that it was opened for.
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
      const [a = 0, b = 0, c = 0] = requestLanes;
      const ordinal = mix(requests);
      return `req_${toHex(mix(a ^ ordinal))}${toHex(mix(b ^ ordinal))}${toHex(mix(c ^ ordinal))}`;
    },
    toScenario: () => withPresent(store.toScenario()),
    toLongScenario: () => withPresent(store.toLongScenario()),
  };
};

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Eight digits, by a table: `toString(16)` takes eight times as long, a fifth of our own time for a page. */
const toHex = (word: number): string =>
  `${bytes[word >>> 24]}${bytes[(word >>> 16) & 0xff]}${bytes[(word >>> 8) & 0xff]}${bytes[word & 0xff]}`;

/** What a world of this scenario answers where the contract is silent, where that is not the default. */
export const choicesIn = ({ assumptions, keys }: WorldScenario): AssumptionChoices => {
  const choices = assumptions as AssumptionChoices; // the schema has checked them
  return keys.valid === undefined ? choices : { 'api-keys': 'listed', ...choices };
};
