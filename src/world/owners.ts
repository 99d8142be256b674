import { ownValue } from '../util/mapping.ts';
import type { Changes } from './kind.ts';

type Parts<Part> = Readonly<Record<string, Part>>;

/** Adds owners to a section and deletes others; `blank` is the part of a new owner. */
export const withOwners = <Part>(
  parts: Parts<Part>,
  { records, deleted }: Changes,
  blank: NoInfer<Part>,
): Record<string, Part> => {
  const kept = Object.entries(parts).filter(([id]) => !deleted.includes(id));
  const fresh = records.filter(({ id }) => !Object.hasOwn(parts, id) || deleted.includes(id));
  // The newest comes first, as in the rest of the section.
  const added = fresh.toReversed().map(({ id }) => [id, blank] as const);
  return Object.fromEntries([...added, ...kept]);
};

/** Puts the changes of one owner's records into a section. Returns the section itself if it has no such owner. */
export const withChangesOf = <Part extends { readonly records: unknown; readonly deleted: unknown }>(
  parts: Record<string, Part>,
  owner: string,
  { records, deleted }: Changes,
): Record<string, Part> => {
  const part = ownValue(parts, owner);
  // The records come from the collection of this kind, so they have its type.
  return part ? { ...parts, [owner]: { ...part, records: [...records], deleted: [...deleted] } } : parts;
};
