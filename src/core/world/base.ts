import { filterValues } from '../util/mapping.ts';
import type { Kind, ListChanges, Resource, Seeding, WriteContext } from './kind.ts';
import { layOver } from './lay-over.ts';
import { type Ending, toEnding, type WrittenEnding } from './lifecycle.ts';
import { ownSection } from './own-section.ts';
import { RecordList } from './record-list.ts';
import { whyEndingFails } from './schedule.ts';
import { recordAt, type Transition } from './timeline.ts';
import type { WorldScenario } from './world-schema.ts';

/** The base of each scenario: the lists that follow from it and its seed, by kind and owner. It is freed once no world uses the scenario. */
const bases = new WeakMap<WorldScenario, Map<string, RecordList>>();

/** The list that follows from a scenario and its seed. All worlds of the scenario share it. */
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
  list.remove(new Set(deleted));
  for (const record of records) {
    const context = {
      ...seeding,
      owner,
      now: seeding.start,
      neighbours: (time: number) => list.neighbours(time),
    };
    // `ends`, `after` and `transitions` are ordinary fields in a user's own kind.
    if (kind.section.name === ownSection.name) {
      list.write(kind.write(record, context));
      continue;
    }
    const written = filterValues(record, (value) => value !== undefined) as WrittenRecord; // its id is there
    const { transitions, ends, after, ...fields } = written;
    const ending = toEnding({ ends, after });
    const seeded = list.entry(fields.id)?.timeline();
    const timeline =
      seeded === undefined ? kind.write(fields, context, ending) : layOver(seeded, fields, seeding.start);
    if (transitions !== undefined) list.write({ record: { ...timeline.record, ...fields }, transitions });
    else if (seeded === undefined || ending === undefined) list.write(timeline);
    else list.write(changeEnding(kind, recordAt(timeline, seeding.start), context, ending));
  }
  return list;
};

/** A changed seeded record continues from its status at the start; if that cannot lead to its end, its lifecycle starts again. */
const changeEnding = (kind: Kind, record: Resource, context: WriteContext, ending: Ending) => {
  const status = String(Reflect.get(record, 'status'));
  const created_at = Number(Reflect.get(record, 'created_at'));
  const { lifecycle } = kind;
  if (lifecycle === undefined || kind.enter === undefined) return { record, transitions: [] };
  const reason = whyEndingFails(lifecycle, { status, created_at }, { ends: ending.ends }, context.now);
  return kind.enter(record, reason === undefined ? status : lifecycle.initial, context, ending);
};

/** A record of a scenario: some of its fields, how it ends, and its transitions if a world wrote and exported it. */
type WrittenRecord = Resource & WrittenEnding & { readonly transitions?: readonly Transition<Resource>[] };

/** The part of a scenario that describes a kind. The scenario's schema is built from these sections, so each is present. */
export const sectionOf = ({ section }: Kind, scenario: WorldScenario): unknown =>
  (scenario as Readonly<Record<string, unknown>>)[section.name];

/** The changes that a scenario makes to the seeded records of an owner. */
export const changesIn = (kind: Kind, scenario: WorldScenario, owner: string): ListChanges =>
  kind.changes?.(sectionOf(kind, scenario), owner) ?? { records: [], deleted: [] };

/** A copy of a scenario in which these changes replace its own. */
export const withChanges = (
  kind: Kind,
  scenario: WorldScenario,
  owner: string,
  changes: ListChanges,
): WorldScenario => ({
  ...scenario,
  [kind.section.name]: kind.withChanges(sectionOf(kind, scenario), owner, changes),
});
