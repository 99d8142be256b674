import type * as z from 'zod';
import { policySchema } from '../../core/operations/get-rate-limits-policy/contract.ts';
import { policies } from '../../core/operations/get-rate-limits-policy/record.ts';
import { batches } from '../../core/operations/list-batches/record.ts';
import { checkpoints } from '../../core/operations/list-checkpoints/record.ts';
import { runs } from '../../core/operations/list-runs/record.ts';
import { findIssues, withoutNulls } from '../../core/operations/render-prompt/hyperparameters.ts';
import { describeUnknownStatus } from '../../core/scenario/further-errors.ts';
import type { Scenario } from '../../core/scenario/scenario-types.ts';
import { toJsonText } from '../../core/util/json.ts';
import { isMapping, type Mapping, mapValues } from '../../core/util/mapping.ts';
import { toDateTime, toSeconds } from '../../core/world/clock.ts';
import { lastTimestamp } from '../../core/world/clock-limits.ts';
import type { Kind } from '../../core/world/kind.ts';
import type { CheckedList } from '../conformance/lists.ts';
import { fieldOf, itemsOf } from '../conformance/replies.ts';
import type { Account, CapturedList } from './account.ts';
import { fitRecord } from './fit.ts';
import { toVerbatimMessage } from './verbatim.ts';

type Notes = Set<string>;

/** A scenario with the data of an account, and notes on missing data, one sentence each. */
export type CapturedScenario = ReturnType<typeof toScenario>;

const kinds = { runs, batches, checkpoints } as const satisfies Record<CheckedList['name'], Kind>;

export const toScenario = (account: Account) => {
  const notes = new Set<string>();
  const listsOf = (name: CheckedList['name']) => account.lists.filter(({ list }) => list.name === name);
  const [threads, batched, jobs] = [listsOf('runs'), listsOf('batches'), listsOf('checkpoints')];
  const prompts = [...account.prompts.values()];
  const newest = latestTime(account);
  const byOwner = (found: readonly CapturedList[], count: string) =>
    Object.fromEntries(found.map((list) => [list.owner, { [count]: 0, records: toRecords(list, notes) }]));
  const records = {
    threads: byOwner(threads, 'runs'),
    batches: { seeded: 0, records: batched.flatMap((list) => toRecords(list, notes)) },
    jobs: byOwner(jobs, 'checkpoints'),
    policies: {
      records: [...account.policies].flatMap(([id, policy]) => toPolicy({ id, ...policy }, notes)),
    },
    prompts: toPrompts(account, notes),
  };
  const scenario = {
    description: 'Captured from a gateway.',
    ...(newest !== undefined && { clock: { start: toDateTime(newest) } }),
    assumptions: {
      ...(lacksFields([...threads, ...batched], notes) && { 'absent-values': 'omitted' }),
      ...(threads.some(({ emptyEnd }) => emptyEnd === null) && { 'empty-run-ends': 'null' }),
      ...(prompts.some(hasOtherTypes) && { 'hyperparameter-type': 'passed-through' }),
      ...(prompts.some(hasNulls) && { 'hyperparameter-null': 'kept' }),
      ...(notes.has(keptNote) && { 'extra-fields': 'kept' }),
      ...(threads.some(hasUnknownStatus) && { 'run-states': 'any' }),
      ...(batched.some(hasUnknownStatus) && { 'batch-states': 'any' }),
    },
    ...records,
  };
  return { scenario: scenario as object as Scenario, notes: [...notes] }; // each part was reduced to what its schema allows
};

/** Converts a list, newest first, into records in order of creation. */
const toRecords = ({ list, owner, records, isCut, isOpen }: CapturedList, notes: Notes): Mapping[] => {
  const times = records.map(({ created_at }) => Number(created_at));
  const isUnordered = times.some((time, at) => time > (times[at - 1] ?? Number.POSITIVE_INFINITY));
  const found = {
    [`A list has more than ${records.length} records, the limit set by --max-records. The older records were left out.`]:
      isCut,
    'A list ended with an empty page whose has_more was true. In the scenario, has_more is false at the end of the list.':
      isOpen,
    'A list was not ordered by created_at, newest first. In the scenario, it is.': isUnordered,
  };
  for (const [note, isSo] of Object.entries(found)) if (isSo) notes.add(note);
  const nulls = Object.fromEntries(nullable(list.record).map((name) => [name, null])); // missing fields would be seeded
  const converted = records.map((record) => {
    const withOwner = list.owner ? { ...record, [list.owner.field]: owner } : record;
    const complete = { ...nulls, ...fit(withOwner, kinds[list.name].fields, list.record, list.name, notes) };
    noteMadeUp(complete, list.record, list.name, notes);
    return complete;
  });
  return converted.reverse();
};

/** Converts a policy. The mock fills in missing required fields. A policy that would limit other calls than before is left out. */
const toPolicy = (policy: Mapping, notes: Notes): Mapping[] => {
  const listed = itemsOf(policy, 'conditions').find((condition) =>
    Array.isArray(fieldOf(condition, 'value')),
  );
  if (listed !== undefined) {
    notes.add(
      `A policy was left out: its condition ${JSON.stringify(fieldOf(listed, 'key'))} has a list of values. By the contract, a value is a string.`,
    );
    return [];
  }
  const fitted = fit(withZones(policy), policies.fields, policySchema, 'policy', notes);
  if (!policySchema.safeParse(fitted).success) noteMadeUp(fitted, policySchema, 'policy', notes);
  return [fitted];
};

/** Notes the missing fields, which the mock fills in. */
const noteMadeUp = (record: Mapping, { shape }: z.ZodObject, name: string, notes: Notes): void => {
  for (const field of Object.keys(shape))
    if (!Object.hasOwn(record, field))
      notes.add(`${name}: ${field} is missing or invalid in some records. The mock fills it in.`);
};

/** The fields of a record that may be null. */
const nullable = ({ shape }: z.ZodObject): string[] =>
  Object.entries(shape).flatMap(([name, field]) =>
    (field as z.ZodType).safeParse(null).success ? [name] : [],
  );

/** The note if records have fields that the contract does not have. */
const keptNote =
  'Some records have fields that the contract does not have. The assumption extra-fields keeps them.';

const fit = (captured: Mapping, schema: z.ZodType, { shape }: z.ZodObject, name: string, notes: Notes) => {
  const { record, leftOut, hasExtra } = fitRecord(captured, schema);
  if (hasExtra) notes.add(keptNote);
  for (const path of leftOut) {
    const field = Object.hasOwn(shape, path) ? (shape[path] as z.ZodType) : undefined; // a shape holds schemas
    const why = field?.safeParse(captured[path]).success
      ? 'a scenario cannot have this value.'
      : 'it is not in the contract, or has another type there.';
    notes.add(`${name}: ${path} was left out: ${why}`);
  }
  return record;
};

/** Converts date-times to UTC with Z. A gateway may use another time zone, or lower-case letters. */
const withZones = (policy: Mapping): Mapping =>
  mapValues(policy, (value, name) => {
    const isOther = typeof value === 'string' && /_at$/.test(name) && /[+-]\d\d:\d\d$|[tz]/.test(value);
    const time = isOther ? toSeconds(value.toUpperCase()) : Number.NaN;
    return Number.isFinite(time) ? toDateTime(time) : value;
  });

/** Whether the gateway leaves out fields that do not apply, in place of null. */
const lacksFields = (lists: readonly CapturedList[], notes: Notes): boolean => {
  const values = lists.flatMap(({ list, records }) =>
    nullable(list.record).flatMap((name) => records.map((record) => record[name])),
  );
  const [hasMissing, hasNull] = [values.includes(undefined), values.includes(null)];
  if (hasMissing && hasNull)
    notes.add(
      'Some fields that do not apply were null, and others missing. All of them are null in the scenario.',
    );
  return hasMissing && !hasNull;
};

/** Whether a record has a status that the mock does not know. */
const hasUnknownStatus = ({ list, records }: CapturedList): boolean =>
  records.some((record) => describeUnknownStatus(kinds[list.name], record, {}) !== undefined);

/** The latest timestamp of the account, not counting `expires_at`. */
const latestTime = ({ lists, policies: found }: Account): number | undefined => {
  const records: readonly Mapping[] = [...lists.flatMap((list) => list.records), ...found.values()];
  let newest: number | undefined;
  for (const record of records)
    for (const [name, value] of Object.entries(record)) {
      if (!name.endsWith('_at') || name === 'expires_at') continue;
      const time = typeof value === 'string' ? toSeconds(value) : Number(value ?? Number.NaN);
      if (time >= 0 && time <= lastTimestamp && time > (newest ?? -1)) newest = time;
    }
  return newest;
};

/** Converts rendered bodies into prompts that always render to the same bodies. */
const toPrompts = ({ prompts }: Account, notes: Notes) => {
  const entries = Array.from(prompts).flatMap(([id, { stream, messages, ...parameters }]) => {
    if (stream !== undefined)
      notes.add('The field stream of a prompt was left out: only a request can set it.');
    const captured = Array.isArray(messages) ? messages.filter(isMapping) : [];
    if (captured.length > 0)
      return [[id, { parameters, messages: captured.map(toVerbatimMessage) }] as const];
    notes.add('A prompt was left out: its rendering has no messages.');
    return [];
  });
  return Object.fromEntries(entries);
};

/** Whether a prompt has other types than the contract, such as content parts. */
const hasOtherTypes = (prompt: Mapping): boolean => !findIssues(withoutNulls(prompt)).next().done;

/** Whether a prompt has nulls where the contract has none. */
const hasNulls = (prompt: Mapping): boolean => toJsonText(withoutNulls(prompt)) !== toJsonText(prompt);
