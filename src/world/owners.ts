import { ownValue } from '../util/mapping.ts';
import type { Changes } from './kind.ts';

type Parts<Part> = Readonly<Record<string, Part>>;

/** A section with owners made and taken out; `blank` is what it says of a new one. */
export const withOwners = <Part>(
  parts: Parts<Part>,
  { records, deleted }: Changes,
  blank: NoInfer<Part>,
): Record<string, Part> => {
  const kept = Object.entries(parts).filter(([id]) => !deleted.includes(id));
  const fresh = records.filter(({ id }) => !Object.hasOwn(parts, id) || deleted.includes(id));
  // The newest comes first, as among those that are kept.
  const added = fresh.toReversed().map(({ id }) => [id, blank] as const);
  return Object.fromEntries([...added, ...kept]);
};

/** A section with the changes of one owner's records; the same where it has no such owner. */
export const withChangesOf = <Part extends { readonly records: unknown; readonly deleted: unknown }>(
  parts: Record<string, Part>,
  owner: string,
  { records, deleted }: Changes,
): Record<string, Part> => {
  const part = ownValue(parts, owner);
  // They are of the part's own kind of record: the collection of that kind gave them.
  return part ? { ...parts, [owner]: { ...part, records: [...records], deleted: [...deleted] } } : parts;
};
