// Sections of a scenario that are mappings: of records by their ids, or of the records of each owner.

import { ownValue } from '../util/mapping.ts';
import type { ListChanges, RecordPlan, Resource } from './kind.ts';

/** Plans a record for each key of a mapping. They have no order and no transitions. */
export const seedsOfKeys = <Part, Value extends Resource>(
  parts: Readonly<Record<string, Part>>,
  make: (id: string, part: Part) => Value,
): readonly RecordPlan<Value>[] =>
  // The first key is listed first, like the newest record of other kinds.
  Object.entries(parts)
    .map(([id, part]) => ({ id, created_at: 0, make: () => ({ record: make(id, part), transitions: [] }) }))
    .reverse();

/**
 * Puts changes into a mapping of records.
 *
 * @param toPart returns the part of a written record; `before` is the present one
 */
export const withKeys = <Part, Value extends Resource>(
  parts: Readonly<Record<string, Part>>,
  { records, deleted }: ListChanges<Value>,
  toPart: (record: Value, before: Part | undefined) => NoInfer<Part>,
): Record<string, Part> => {
  const remaining = Object.fromEntries(Object.entries(parts).filter(([id]) => !deleted.includes(id)));
  const written = records.map(
    (record) => [record.id, toPart(record, ownValue(remaining, record.id))] as const,
  );
  // The newest comes first, as in the rest of the section.
  const fresh = written.filter(([id]) => !Object.hasOwn(remaining, id)).reverse();
  return { ...Object.fromEntries(fresh), ...remaining, ...Object.fromEntries(written) };
};

/** Puts the changes of one owner's records into a section. Returns the section itself if it has no such owner. */
export const withChangesOf = <Part extends ListChanges>(
  parts: Record<string, Part>,
  owner: string,
  changes: ListChanges,
): Record<string, Part> => {
  const part = ownValue(parts, owner);
  return part ? { ...parts, [owner]: { ...part, ...changes } } : parts;
};
