import { toJsonText } from '../util/json.ts';
import { isMapping, ownValue } from '../util/mapping.ts';
import { type Kind, type NewRecord, noChanges, type Resource, type Seeding } from './kind.ts';
import { createTables } from './models.ts';
import { createdAt, RecordList } from './record-list.ts';
import { omitUndefined } from './record-schema.ts';
import type { WorldScenario } from './scenario.ts';
import { recordAt } from './timeline.ts';

/** The record lists that a scenario makes, one for each kind and owner. All worlds of the scenario share them. */
export type Base = (kind: Kind, owner: string) => RecordList;

/** One base for each scenario; it is dropped once no world uses the scenario. */
const bases = new WeakMap<WorldScenario, Base>();

/** The base of a scenario. @param kinds must be the same in every call */
export const baseOf = (kinds: readonly Kind[], scenario: WorldScenario, seeding: Seeding): Base => {
  const known = bases.get(scenario) ?? createBase(kinds, scenario, seeding);
  bases.set(scenario, known);
  return known;
};

/** The scenario that each state of a world started from. */
const origins = new WeakMap<WorldScenario, WorldScenario>();

/** The scenario with which one shares its seeded records: that which the world started from of which it is a state, or itself. */
const originOf = (scenario: WorldScenario): WorldScenario => origins.get(scenario) ?? scenario;

/** Notes that a scenario is a state of a world that started from another one, with the same seed, start and amounts. */
export const noteOrigin = (state: WorldScenario, start: WorldScenario): void => {
  origins.set(state, originOf(start));
};

/** The seeded records of a kind and owner, before any change. Those that cannot be shared are stored in the given tables. */
type Seeds = (kind: Kind, owner: string, scenario: WorldScenario, tables: Tables) => RecordList;
type Tables = ReturnType<typeof createTables>;

/** By the origin of the scenarios that share them. */
const seedsOfOrigins = new WeakMap<WorldScenario, Seeds>();

const seedsOf = (kinds: readonly Kind[], scenario: WorldScenario, seeding: Seeding): Seeds => {
  const origin = originOf(scenario);
  const known = seedsOfOrigins.get(origin) ?? createSeeds(kinds, seeding);
  seedsOfOrigins.set(origin, known);
  return known;
};

const createSeeds = (kinds: readonly Kind[], seeding: Seeding): Seeds => {
  const lists = new Map<string, { readonly list: RecordList; readonly amounts: string }>();
  const sharedTables = createTables(kinds);
  return (kind, owner, scenario, tables) => {
    const name = `${kind.name}/${owner}`;
    const part = sectionOf(kind, scenario);
    const create = (tableOf: Tables): RecordList =>
      RecordList.of(owner, () => tableOf(kind), kind.seeds(part, owner, seeding));
    const amounts = amountsOf(kind, part, owner);
    if (amounts === undefined) return create(tables);
    const known = lists.get(name) ?? { list: create(sharedTables), amounts };
    lists.set(name, known);
    // They differ where an owner was deleted and created again.
    return known.amounts === amounts ? known.list : create(tables);
  };
};

/** What the seeded records of a kind and owner depend on, as text; undefined for kinds whose section is a mapping of the records. */
const amountsOf = (kind: Kind, part: unknown, owner: string): string | undefined => {
  if (kind.changes === undefined) return undefined;
  const own: unknown =
    owner === ''
      ? kind.withChanges(part, owner, noChanges)
      : isMapping(part)
        ? ownValue(part, owner)
        : undefined;
  return toJsonText({ ...(isMapping(own) ? own : {}), records: [], deleted: [] });
};

const createBase = (kinds: readonly Kind[], scenario: WorldScenario, seeding: Seeding): Base => {
  const lists = new Map<string, RecordList>();
  const tableOf = createTables(kinds);
  const seeds = seedsOf(kinds, scenario, seeding);
  return (kind, owner) => {
    const name = `${kind.name}/${owner}`;
    const known = lists.get(name);
    if (known !== undefined) return known;
    const seeded = seeds(kind, owner, scenario, tableOf);
    const { records, deleted } = kind.changes?.(sectionOf(kind, scenario), owner) ?? noChanges;
    const isChanged = records.length + deleted.length > 0;
    const list = isChanged ? seeded.copy(() => tableOf(kind)) : seeded;
    for (const id of deleted) list.remove(id);
    for (const record of records) {
      const whole = completeWritten(kind, list, owner, omitUndefined(record), seeding);
      list.write(whole, createdAt(kind, whole));
    }
    lists.set(name, list);
    return list;
  };
};

/** A record of the scenario, laid over the seeded record of its id as that is at the start. Other ids are completed. */
const completeWritten = (
  kind: Kind,
  list: RecordList,
  owner: string,
  given: Resource,
  seeding: Seeding,
): Resource => {
  const present = list.find(given.id);
  if (present !== undefined) return { ...recordAt(present.timeline(), seeding.start), ...given };
  const others = (): Resource[] =>
    Array.from({ length: list.length }, (_, at) =>
      recordAt(list.at(list.length - 1 - at).timeline(), seeding.start),
    );
  return kind.complete(given, {
    ...seeding,
    id: given.id,
    owner,
    others,
    now: seeding.start,
  } satisfies NewRecord);
};

/** The part of a scenario that describes a kind. The scenario's schema is built from these sections, so each is present. */
export const sectionOf = ({ section }: Kind, whole: WorldScenario): unknown =>
  (whole as Readonly<Record<string, unknown>>)[section.name];
