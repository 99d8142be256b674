import { maxFaults } from '../faults/schema.ts';
import { prompts } from '../operations/render-prompt/record.ts';
import { findReservedKeys, reservedKeyRule } from '../protocol/reserved-keys.ts';
import { isMapping, type Mapping } from '../util/mapping.ts';
import { didYouMean } from '../util/nearest.ts';
import { truncate } from '../util/truncate.ts';
import { maxCount } from '../world/amount.ts';
import type { Kind } from '../world/kind.ts';
import { maxOwners } from './limits.ts';
import type { ScenarioMistake } from './scenario-error.ts';
import { kinds, operations } from './schema.ts';

/**
 * Finds the mistakes that the schema cannot find, one after the other. It skips values of the wrong type, which the schema
 * reports.
 */
export function* findFurtherMistakes(value: unknown): Generator<ScenarioMistake> {
  for (const path of findReservedKeys(value)) yield { path, message: reservedKeyRule };
  yield* findUnknownOperations(value);
  for (const { owner, section } of kinds)
    if (owner !== undefined) yield* findForeignRecords(value, section.name, owner.field);
}

function* findUnknownOperations(value: unknown): Generator<ScenarioMistake> {
  const names: string[] = operations.map(({ id }) => id);
  for (const [key, served] of Object.entries(mappingIn(mappingIn(value, 'keys'), 'limited')))
    for (const [index, id] of (Array.isArray(served) ? served : []).entries())
      if (typeof id === 'string' && !names.includes(id))
        yield {
          path: ['keys', 'limited', key, index],
          message: `unknown operation "${truncate(id)}".${didYouMean(id, names)} Known operations: ${names.join(', ')}`,
        };
}

/** Finds what would take long to check or to list. It comes before any other check. */
export const findTooMany = (value: unknown): ScenarioMistake[] => {
  let total = 0;
  const mistakes: ScenarioMistake[] = [];
  for (const kind of kinds) {
    const { name } = kind.section;
    const before = total;
    total += countRecords(kind, value);
    const isKeyed = kind.owner !== undefined || kind.name === prompts.name;
    const keys = isKeyed ? Object.keys(mappingIn(value, name)).length : 0;
    if (keys > maxOwners)
      mistakes.push({ path: [name], message: `${keys} are too many: at most ${maxOwners}` });
    if (before <= maxCount && total > maxCount)
      mistakes.push({
        path: [name],
        message: `more than ${maxCount} records in total, with all other sections`,
      });
  }
  const faults = isMapping(value) ? value.faults : undefined;
  if (Array.isArray(faults) && faults.length > maxFaults)
    mistakes.push({ path: ['faults'], message: `${faults.length} are too many: at most ${maxFaults}` });
  return mistakes;
};

/** How many records of a kind a scenario asks for, seeded and written ones. */
export const countRecords = ({ owner, plural, section: { name } }: Kind, value: unknown): number => {
  const part: unknown = isMapping(value) ? value[name] : undefined;
  const parts = owner === undefined ? [part] : Object.values(mappingIn(value, name));
  let count = 0;
  for (const one of parts) {
    const seeded = isMapping(one) ? one[owner === undefined ? 'seeded' : plural] : undefined;
    count += countIn(seeded ?? (owner === undefined ? one : 0)) + listIn(one).length;
  }
  return count;
};

/** The number of records that an amount asks for. One that is too large by itself has its own message. */
const countIn = (amount: unknown): number =>
  (isMapping(amount) ? Object.values(amount) : [amount])
    .filter((count) => typeof count === 'number' && count <= maxCount)
    .reduce<number>((sum, count) => sum + Number(count), 0);

/** Finds records that name another owner than the one they are under, or that are under two owners. */
function* findForeignRecords(value: unknown, section: string, field: string): Generator<ScenarioMistake> {
  const ownerOf = new Map<unknown, string>();
  for (const [owner, part] of Object.entries(mappingIn(value, section)))
    for (const [index, record] of listIn(part).entries()) {
      if (!isMapping(record)) continue;
      const { id, [field]: named } = record;
      const path = [section, owner, 'records', index];
      const other = ownerOf.get(id) ?? owner;
      if (id !== undefined) ownerOf.set(id, other);
      if (other !== owner)
        yield {
          path: [...path, 'id'],
          message: `"${truncate(String(id))}" is already under "${truncate(other)}"`,
        };
      else if (typeof named === 'string' && named !== owner)
        yield {
          path: [...path, field],
          message: `expected "${truncate(owner)}", under which the record is, but found "${truncate(named)}"`,
        };
    }
}

const listIn = (part: unknown): readonly unknown[] => {
  const records: unknown = isMapping(part) ? part.records : undefined;
  return Array.isArray(records) ? records : [];
};

const mappingIn = (value: unknown, key: string): Mapping => {
  const inner = isMapping(value) ? value[key] : undefined;
  return isMapping(inner) ? inner : {};
};
