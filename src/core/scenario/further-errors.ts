import { repairLine } from '../faults/faults-schema.ts';
import { parseRule } from '../faults/rule.ts';
import { findExtraPaths } from '../util/extra-fields.ts';
import { limits } from '../util/limits.ts';
import { isMapping, type Mapping } from '../util/mapping.ts';
import { messageOf } from '../util/message-of.ts';
import { didYouMean } from '../util/nearest.ts';
import { findReservedKeys, reservedKeyRule } from '../util/reserved-keys.ts';
import { truncate } from '../util/truncate.ts';
import { tryParse } from '../util/try-parse.ts';
import type { ValidationError } from '../util/validation-error.ts';
import { toSeconds } from '../world/clock.ts';
import type { Kind } from '../world/kind.ts';
import { toEnding } from '../world/lifecycle.ts';
import { whyEndingFails } from '../world/schedule.ts';
import { livesOn, whyFieldsFail } from '../world/state-fields.ts';
import { defaultStart } from '../world/world-schema.ts';
import { kinds } from './scenario-schema.ts';

const allKinds: readonly Kind[] = kinds;

/**
 * Finds the validation errors that the schema cannot find. It skips values of the wrong type, which the
 * schema reports.
 */
export function* findFurtherErrors(
  value: unknown,
  operations: readonly string[] | undefined,
): Generator<ValidationError> {
  for (const path of findReservedKeys(value)) yield { path, message: reservedKeyRule };
  yield* findUnknownOperations(value, operations);
  yield* findForeignRecords(value);
  yield* findRefusedByAssumptions(value);
  yield* findBadEndings(value);
}

/** Finds values and fields of records that the assumptions of the scenario do not allow. */
export function* findRefusedByAssumptions(scenario: unknown): Generator<ValidationError> {
  const assumptions = mappingIn(scenario, 'assumptions');
  for (const { kind, path, record } of writtenIn(scenario))
    for (const { within, values } of [{ within: [], values: record }, ...setsIn(record)]) {
      const message = describeUnknownStatus(kind, values, assumptions);
      if (message !== undefined) yield { path: [...path, ...within, 'status'], message };
    }
  for (const { section, findErrors } of allKinds)
    if (findErrors !== undefined)
      for (const [id, record] of Object.entries(mappingIn(scenario, section.name)))
        for (const error of findErrors(record, assumptions))
          yield { ...error, path: [section.name, id, ...error.path] };
}

/** Finds the fields of written records that the contract does not have. */
export function* findExtraFields(scenario: unknown): Generator<ValidationError> {
  for (const { kind, path, record } of writtenIn(scenario)) {
    const { ends: _ends, after: _after, transitions: _transitions, ...fields } = Object(record);
    for (const within of findExtraPaths(kind.fields, fields))
      yield { path: [...path, ...within], message: 'the contract does not have this field' };
  }
}

/** Finds the faults of a scenario that name an operation which a gateway does not have. It skips invalid lines. */
export function* findUnknownOperations(
  scenario: unknown,
  operations: readonly string[] | undefined,
): Generator<ValidationError> {
  if (operations === undefined) return;
  for (const [index, state] of listIn(scenario, 'faults').entries()) {
    const fault: unknown = repairLine(state);
    const path = ['faults', index, ...(typeof fault === 'string' ? [] : ['fault'])]; // the line of a fault with its counts
    const line: unknown = typeof fault === 'string' ? fault : Object(fault).fault;
    if (typeof line !== 'string' || tryParse(line, (text) => parseRule(text)) === undefined) continue;
    try {
      parseRule(line, operations);
    } catch (error) {
      yield { path, message: messageOf(error) };
    }
  }
}

/** Finds the written records that cannot end as they say. */
function* findBadEndings(scenario: unknown): Generator<ValidationError> {
  const start = toSeconds(String(mappingIn(scenario, 'clock').start ?? defaultStart));
  for (const { kind, path, record } of writtenIn(scenario)) {
    if (!isMapping(record)) continue;
    const { ends, after, transitions } = record;
    const isEnding = ends !== undefined || after !== undefined;
    if (transitions !== undefined && isEnding)
      yield { path, message: 'ends and after cannot be combined with transitions, which say how it ends' };
    const message =
      transitions === undefined ? describeBadEnding(kind, record, { ends, after }, start) : undefined;
    if (message !== undefined) yield { path, message };
  }
}

/**
 * Why a record cannot end like this, or have these fields; undefined if it can. The schema reports values of the wrong type.
 *
 * @param from the time from which `after` counts, for a record that exists: it may have any fields. Default: its creation
 */
export const describeBadEnding = (
  { lifecycle }: Kind,
  record: object & { readonly created_at?: unknown; readonly status?: unknown },
  { ends, after }: { readonly ends?: unknown; readonly after?: unknown },
  now: number,
  from?: number,
): string | undefined => {
  if (lifecycle === undefined || (ends !== undefined && typeof ends !== 'string')) return undefined;
  if (after !== undefined && typeof after !== 'string' && typeof after !== 'number') return undefined;
  try {
    const created_at = typeof record.created_at === 'number' ? record.created_at : now;
    const ending = toEnding({ ends, after });
    const problem =
      ending && whyEndingFails(lifecycle, { ...record, created_at }, ending, from ?? created_at);
    if (problem !== undefined || from !== undefined || !livesOn(record, ending)) return problem;
    return whyFieldsFail(lifecycle, record, ending ?? {});
  } catch (error) {
    return `after: ${messageOf(error)}`;
  }
};

/** The fields that the transitions of a written record set, with their paths. The values may be invalid. */
const setsIn = (record: unknown) =>
  listIn(record, 'transitions').map((transition, index) => ({
    within: ['transitions', index, 'set'],
    values: Object(transition).set as unknown,
  }));

/**
 * Describes the status of a record if it is unknown and the assumption of its kind does not allow any.
 *
 * @param assumptions the values that differ from their defaults
 */
export const describeUnknownStatus = (
  { lifecycle }: Kind,
  record: unknown,
  assumptions: Mapping,
): string | undefined => {
  const status: unknown = Object(record).status;
  if (lifecycle === undefined || typeof status !== 'string') return undefined;
  const { states, assumption } = lifecycle;
  if (states.includes(status) || assumptions[assumption] === 'any') return undefined;
  const near = didYouMean(status.toLowerCase(), states);
  return `unknown status "${truncate(status)}".${near} Use one of: ${states.join(', ')}. To allow any name, set the assumption ${assumption} to "any"`;
};

/** Finds too many records or faults, which would take long to check or to list. It runs before any other check. */
export const findTooMany = (value: unknown): ValidationError[] => {
  let total = Object.values(mappingIn(value, 'own')).flat().length;
  for (const { owner, plural, section, changes } of allKinds) {
    const part: unknown = Object(value)[section.name];
    const parts = Object.values(mappingIn(value, section.name));
    if (changes === undefined)
      total += parts.length; // its section is a mapping of the records themselves
    else if (owner === undefined) total += countRecords(part, 'seeded');
    else for (const ownPart of parts) total += countRecords(ownPart, plural);
    if (total > limits.records)
      return [
        {
          path: [section.name],
          message: `more than ${limits.records} records in total, over all sections`,
        },
      ];
  }
  const { length } = listIn(value, 'faults');
  return length > limits.faults
    ? [{ path: ['faults'], message: `${length} are too many: at most ${limits.faults}` }]
    : [];
};

/**
 * How many records a part asks for: seeded records, by a number or a number for each state, and written records.
 *
 * @param key the key of the seeded records; or `seeded`, if the part may also be their number
 */
export const countRecords = (part: unknown, key: string): number => {
  const seeded: unknown = Object(part)[key] ?? (key === 'seeded' ? part : 0);
  // A single number that is too large has its own error.
  const counts = (isMapping(seeded) ? Object.values(seeded) : [seeded]).filter(
    (count): count is number => typeof count === 'number' && count <= limits.records,
  );
  return counts.reduce((sum, count) => sum + count, listIn(part, 'records').length);
};

/** Finds records that name another owner than the owner they are under, or that are under two owners. */
function* findForeignRecords(scenario: unknown): Generator<ValidationError> {
  const owners = new Map<string, string>();
  for (const { kind, owner, path, record } of writtenIn(scenario)) {
    if (kind.owner === undefined || !isMapping(record)) continue;
    const { id, [kind.owner.field]: named } = record;
    const key = `${kind.name}/${String(id)}`;
    const other = owners.get(key) ?? owner;
    if (id !== undefined) owners.set(key, other);
    const shown = truncate(other);
    if (other !== owner)
      yield { path: [...path, 'id'], message: `"${truncate(String(id))}" is already under "${shown}"` };
    else if (typeof named === 'string' && named !== owner)
      yield {
        path: [...path, kind.owner.field],
        message: `expected "${shown}", under which the record is, but found "${truncate(named)}"`,
      };
  }
}

/** The written records of all kinds, each with its kind, its owner and its path. The values may be invalid. */
export function* writtenIn(scenario: unknown) {
  for (const kind of allKinds) {
    const { name } = kind.section;
    const part: unknown = Object(scenario)[name];
    const parts =
      kind.owner === undefined ? [['', part] as const] : Object.entries(mappingIn(scenario, name));
    for (const [owner, own] of parts) {
      const path = kind.owner === undefined ? [name] : [name, owner];
      for (const [index, record] of listIn(own, 'records').entries())
        yield { kind, owner, path: [...path, 'records', index], record };
    }
  }
}

const listIn = (value: unknown, key: string): readonly unknown[] => {
  const list: unknown = Object(value)[key];
  return Array.isArray(list) ? list : [];
};

const mappingIn = (value: unknown, key: string): Mapping => {
  const inner: unknown = Object(value)[key];
  return isMapping(inner) ? inner : {};
};
