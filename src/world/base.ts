import type { Kind, NewRecord, Resource, Seeding } from './kind.ts';
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

const createBase = (kinds: readonly Kind[], scenario: WorldScenario, seeding: Seeding): Base => {
  const lists = new Map<string, RecordList>();
  const tableOf = createTables(kinds);
  return (kind, owner) => {
    const name = `${kind.name}/${owner}`;
    const known = lists.get(name);
    if (known !== undefined) return known;
    const part = sectionOf(kind, scenario);
    const list = RecordList.of(owner, () => tableOf(kind), kind.seeds(part, owner, seeding));
    const { records, deleted } = kind.changes(part, owner);
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
