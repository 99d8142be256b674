import { ControlError, versionCode } from '../../protocol/errors.ts';
import { toJsonText } from '../../util/json.ts';
import { truncate } from '../../util/truncate.ts';
import { hashToHex } from '../../world/hash.ts';
import type { Kind, Resource } from '../../world/kind.ts';

/** A hash of a record as it is now: records with the same JSON have the same version. */
export const versionOf = (record: Resource): string => hashToHex(toJsonText(record));

/** @throws ControlError 412 if the record has another version than a client expects */
export const checkVersion = (kind: Kind, record: Resource, expected: string | undefined): void => {
  if (expected === undefined) return;
  const present = versionOf(record);
  if (expected === present) return;
  throw new ControlError(
    412,
    `Failed to update the ${kind.name} "${record.id}": it was changed since it was read. Its version is ${present}, not "${truncate(expected)}". Read the record again, and repeat the change.`,
    versionCode,
  );
};
