import { findReservedKeys, reservedKeyRule } from '../protocol/reserved-keys.ts';
import { isMapping, type Mapping } from '../util/mapping.ts';
import { didYouMean } from '../util/nearest.ts';
import { maxCount } from '../world/amount.ts';
import type { Kind } from '../world/kind.ts';
import { maxOwners } from './limits.ts';
import type { ScenarioMistake } from './scenario-error.ts';
import { kinds, operations } from './schema.ts';

/** Finds the mistakes that the schema cannot find. It skips values of the wrong type, which the schema reports. */
export const findFurtherMistakes = (value: unknown): ScenarioMistake[] => [
  ...findReservedKeys(value).map((path) => ({ path, message: reservedKeyRule })),
  ...findUnknownOperations(value),
  ...findTooMany(value),
  ...kinds.flatMap(({ owner, section }) =>
    owner === undefined ? [] : findForeignRecords(value, section.name, owner.field),
  ),
];

const findUnknownOperations = (value: unknown): ScenarioMistake[] => {
  const names: string[] = operations.map(({ id }) => id);
  return Object.entries(mappingIn(mappingIn(value, 'keys'), 'limited')).flatMap(([key, served]) =>
    (Array.isArray(served) ? served : []).flatMap((id: unknown, index) =>
      typeof id !== 'string' || names.includes(id)
        ? []
        : {
            path: ['keys', 'limited', key, index],
            message: `unknown operation "${id}".${didYouMean(id, names)} Known operations: ${names.join(', ')}`,
          },
    ),
  );
};

/** Finds what would take long to list, although each single number is allowed. */
const findTooMany = (value: unknown): ScenarioMistake[] => {
  let total = 0;
  return kinds.flatMap((kind) => {
    const { owner, section } = kind;
    const { name } = section;
    const before = total;
    total += countRecords(kind, value);
    const owners = owner === undefined ? 0 : Object.keys(mappingIn(value, name)).length;
    return [
      ...(owners > maxOwners
        ? [{ path: [name], message: `${owners} are too many: at most ${maxOwners}` }]
        : []),
      ...(before <= maxCount && total > maxCount
        ? [{ path: [name], message: `more than ${maxCount} records in total, with all other sections` }]
        : []),
    ];
  });
};

/** How many records of a kind a scenario asks for, seeded and written ones. */
export const countRecords = ({ owner, plural, section: { name } }: Kind, value: unknown): number => {
  const part: unknown = isMapping(value) ? value[name] : undefined;
  const parts = owner === undefined ? [part] : Object.values(mappingIn(value, name));
  let count = 0;
  for (const one of parts) {
    const seeded = isMapping(one) ? one[owner === undefined ? 'seeded' : plural] : undefined;
    count += countIn(seeded ?? (owner === undefined ? one : 0)) + recordsIn(one).length;
  }
  return count;
};

/** The number of records that an amount asks for. One that is too large by itself has its own message. */
const countIn = (amount: unknown): number =>
  (isMapping(amount) ? Object.values(amount) : [amount])
    .filter((count) => typeof count === 'number' && count <= maxCount)
    .reduce<number>((sum, count) => sum + Number(count), 0);

/** Finds records that name another owner than the one they are under, or that are under two owners. */
const findForeignRecords = (value: unknown, section: string, field: string): ScenarioMistake[] => {
  const ownerOf = new Map<unknown, string>();
  return Object.entries(mappingIn(value, section)).flatMap(([owner, part]) =>
    recordsIn(part).flatMap(({ id, [field]: named }, index) => {
      const path = [section, owner, 'records', index];
      const other = ownerOf.get(id) ?? owner;
      if (id !== undefined) ownerOf.set(id, other);
      if (other !== owner) return [{ path: [...path, 'id'], message: `"${id}" is already under "${other}"` }];
      return typeof named === 'string' && named !== owner
        ? [
            {
              path: [...path, field],
              message: `expected "${owner}", under which the record is, but found "${named}"`,
            },
          ]
        : [];
    }),
  );
};

const recordsIn = (part: unknown): Mapping[] => {
  const records: unknown = isMapping(part) ? part.records : undefined;
  // The schema reports records that are not mappings; here they only keep the indexes right.
  return Array.isArray(records) ? records.map((record: unknown) => (isMapping(record) ? record : {})) : [];
};

const mappingIn = (value: unknown, key: string): Mapping => {
  const inner = isMapping(value) ? value[key] : undefined;
  return isMapping(inner) ? inner : {};
};
