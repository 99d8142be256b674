import { type Assumptions, createAssumptions } from '../protocol/assume.ts';
import type { AssumptionChoices } from '../protocol/assumptions.ts';
import type { Keys } from '../protocol/auth.ts';
import { type Clock, createClock, toSeconds } from './clock.ts';
import { Collection } from './collection.ts';
import { createDatabase, type Table } from './database.ts';
import type { Fixtures, Kind } from './kind.ts';
import { hash } from './random.ts';
import type { WorldScenario } from './scenario.ts';

/** One isolated state: what handlers read. */
export interface World {
  readonly seed: number;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly assumptions: Assumptions;
  /** The records of a kind that belong to an owner; undefined where there is no such owner. */
  readonly collection: <Resource extends object>(
    kind: Kind<Resource>,
    owner?: string,
  ) => Collection<Resource> | undefined;
  /** A new id for a request: it follows from the seed and the number of requests before it. */
  readonly nextRequestId: () => string;
}

export interface WorldOptions {
  readonly kinds: readonly Kind[];
  /** It has passed the schema made of the sections of these kinds. */
  readonly scenario: WorldScenario;
  readonly fixtures: Fixtures;
}

export const createWorld = ({ kinds, scenario, fixtures }: WorldOptions): World => {
  const seeding = { seed: scenario.seed, start: toSeconds(scenario.clock.start), fixtures };
  const clock = createClock(seeding.start);
  const collections = new Map<string, Collection<object>>();
  const database = createDatabase(
    kinds.map(({ name }) => name),
    (kind) => ({
      onCreate: (entity) => collections.get(`${kind}/${entity.owner}`)?.onCreate(entity),
      onReplace: (previous, next) => collections.get(`${kind}/${next.owner}`)?.onReplace(previous, next),
      onRemove: (entity) => collections.get(`${kind}/${entity.owner}`)?.onRemove(entity),
    }),
  );
  const rooms = new Map(kinds.map((kind) => [kind.name, { kind, table: database.openTable(kind.name) }]));
  let requests = 0;

  const open = (name: string, owner: string): Collection<object> | undefined => {
    const { kind, table } = rooms.get(name) ?? unknownKind(name);
    // The scenario's schema is made of the kinds' own sections, so that each finds its part there.
    const part = (scenario as Readonly<Record<string, unknown>>)[kind.section.name];
    const source = kind.source(part, owner, seeding);
    return source && new Collection(source, owner, table, clock);
  };

  const collection = (name: string, owner: string): Collection<object> | undefined => {
    const key = `${name}/${owner}`;
    const opened = collections.get(key) ?? open(name, owner);
    if (opened !== undefined) collections.set(key, opened);
    return opened;
  };
  for (const { name } of kinds) collection(name, ''); // a mistake in the scenario shows now, not at the first call

  return {
    seed: scenario.seed,
    clock,
    keys: scenario.keys,
    assumptions: createAssumptions(withListedKeys(scenario.assumptions, scenario.keys)),
    // It was opened for this kind.
    collection: <Resource extends object>(kind: Kind<Resource>, owner = '') =>
      collection(kind.name, owner) as Collection<Resource> | undefined,
    nextRequestId: () => {
      requests += 1;
      return `req_${[1, 2, 3].map((lane) => hash(`${scenario.seed}/request/${requests}`, lane).toString(16).padStart(8, '0')).join('')}`;
    },
  };
};

const withListedKeys = (choices: AssumptionChoices, keys: Keys): AssumptionChoices =>
  keys.valid === undefined ? choices : { 'api-keys': 'listed', ...choices };

const unknownKind = (name: string): { kind: Kind; table: Table } => {
  throw new Error(`This world holds no records of the kind "${name}".`);
};
