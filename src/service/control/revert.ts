import { changesIn, sectionOf, withChanges } from '../../core/world/base.ts';
import type { Kind, Resource } from '../../core/world/kind.ts';
import type { WorldScenario } from '../../core/world/world-schema.ts';
import type { Session } from './session.ts';
import { createState, exportState } from './world-state.ts';

/**
 * Reverts a record to the start: exports the present state as a scenario, and replaces the part of this record by its part of the
 * start. So it works in any world, even in a restored world whose scenario does not have the record. @returns why it is
 * impossible; undefined if the record was reverted
 */
export const revertRecord = (session: Session, kind: Kind, id: string): string | undefined => {
  const { start, state } = session;
  const list = createState(start, state.world.kinds)
    .world.lists(kind)
    .find((list) => list.find(id) !== undefined);
  const entry = list?.find(id);
  if (entry === undefined || state.world.list(kind, entry.owner) === undefined)
    return 'its scenario has no such record';
  const present = state.world.find(kind, id);
  if (present !== undefined && present.owner !== entry.owner)
    return `a ${kind.name} of another ${kind.owner?.kind} has this id`;
  // The part of a thread or a job in a scenario describes the records that belong to it.
  const hasNoFields =
    kind.changes === undefined &&
    state.world.kinds.some(({ name, section }) => section === kind.section && name !== kind.name);
  if (present !== undefined && hasNoFields) return undefined;
  const { name, scenario } = exportState(session);
  const next = {
    name,
    scenario: { ...scenario, ...withRecord(kind, scenario, start.scenario, entry.owner, id) },
  };
  session.state = createState(next, state.world.kinds);
  // The owner was deleted and created again, so the record is not seeded any more.
  const reverted = session.state.world.list(kind, entry.owner);
  if (reverted?.find(id) === undefined) reverted?.write(entry.timeline());
  return undefined;
};

/** A scenario in which the part of one record is that of the start. */
const withRecord = (
  kind: Kind,
  scenario: WorldScenario,
  start: WorldScenario,
  owner: string,
  id: string,
): WorldScenario => {
  const [given, first] = [sectionOf(kind, scenario), sectionOf(kind, start)];
  if (kind.changes === undefined) {
    const parts = putBack(listParts(given), listParts(first), id).reverse();
    const section = Object.fromEntries(parts.map((part) => [part.id, part.value]));
    return { ...scenario, [kind.section.name]: section };
  }
  const [present, before] = [changesIn(kind, scenario, owner), changesIn(kind, start, owner)];
  return withChanges(kind, scenario, owner, {
    records: putBack(present.records, before.records, id),
    deleted: [...present.deleted.filter((one) => one !== id), ...before.deleted.filter((one) => one === id)],
  });
};

/** The parts of a section that is a mapping, the oldest first. */
const listParts = (section: unknown) =>
  Object.entries(Object(section))
    .map(([id, value]) => ({ id, value }))
    .reverse();

/** The items, with one item as at the start, placed after the items that precede it at the start. */
const putBack = <Item extends Resource>(
  items: readonly Item[],
  start: readonly Item[],
  id: string,
): Item[] => {
  const others = items.filter((item) => item.id !== id);
  const index = start.findIndex((item) => item.id === id);
  if (index === -1) return others;
  const before = new Set(start.slice(0, index).map((item) => item.id));
  const place = others.findLastIndex((item) => before.has(item.id)) + 1;
  return [...others.slice(0, place), ...start.slice(index, index + 1), ...others.slice(place)];
};
