import type { Changes, Kind, Resource, Seeding } from './kind.ts';
import { RecordList } from './record-list.ts';
import { omitUndefined } from './record-schema.ts';
import type { WorldScenario } from './scenario.ts';
import { layOver, type Transition } from './timeline.ts';

/** The base of each scenario: the lists that it and its seed make, by kind and owner. It is dropped once no world uses the scenario. */
const bases = new WeakMap<WorldScenario, Map<string, RecordList>>();

/** The list that a scenario and its seed make. All worlds of the scenario share it. */
export const baseList = (
  kind: Kind,
  owner: string,
  scenario: WorldScenario,
  seeding: Seeding,
): RecordList => {
  const lists = bases.get(scenario) ?? new Map<string, RecordList>();
  bases.set(scenario, lists);
  const name = `${kind.name}/${owner}`;
  const list = lists.get(name) ?? createList(kind, owner, scenario, seeding);
  lists.set(name, list);
  return list;
};

const createList = (kind: Kind, owner: string, scenario: WorldScenario, seeding: Seeding): RecordList => {
  const part = sectionOf(kind, scenario);
  const list = new RecordList(owner, kind.seeds(part, owner, seeding));
  const { records, deleted } = changesIn(kind, scenario, owner);
  for (const id of deleted) list.remove(id);
  for (const record of records) {
    const { transitions, ...given }: WrittenRecord = omitUndefined(record);
    const seeded = list.find(given.id)?.timeline();
    const timeline =
      seeded === undefined
        ? kind.write(given, { ...seeding, owner, now: seeding.start, newest: list.newest() })
        : layOver(seeded, given, seeding.start);
    list.write(transitions === undefined ? timeline : { record: timeline.record, transitions });
  }
  return list;
};

/** A record of a scenario: some of its fields, and the transitions of one that a world wrote and exported. */
type WrittenRecord = Resource & { readonly transitions?: readonly Transition<Resource>[] };

/** The part of a scenario that describes a kind. The scenario's schema is built from these sections, so each is present. */
export const sectionOf = ({ section }: Kind, scenario: WorldScenario): unknown =>
  (scenario as Readonly<Record<string, unknown>>)[section.name];

/** The changes that a scenario makes to the seeded records of an owner. */
export const changesIn = (kind: Kind, scenario: WorldScenario, owner: string): Changes =>
  kind.changes?.(sectionOf(kind, scenario), owner) ?? { records: [], deleted: [] };

/** A copy of a scenario in which these changes replace its own. */
export const withChanges = (
  kind: Kind,
  scenario: WorldScenario,
  owner: string,
  changes: Changes,
): WorldScenario => ({
  ...scenario,
  [kind.section.name]: kind.withChanges(sectionOf(kind, scenario), owner, changes),
});
