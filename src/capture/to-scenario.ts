import type * as z from 'zod';
import { policySchema } from '../operations/get-rate-limits-policy/contract.ts';
import { policies } from '../operations/get-rate-limits-policy/record.ts';
import { batchSchema } from '../operations/list-batches/contract.ts';
import { batches } from '../operations/list-batches/record.ts';
import { checkpointSchema } from '../operations/list-checkpoints/contract.ts';
import { checkpoints } from '../operations/list-checkpoints/record.ts';
import { runSchema } from '../operations/list-runs/contract.ts';
import { runs } from '../operations/list-runs/record.ts';
import { hyperparametersSchema } from '../operations/render-prompt/contract.ts';
import { describeUnknownStatus } from '../scenario/further-mistakes.ts';
import type { Scenario } from '../scenario/types.ts';
import type { Mapping } from '../util/mapping.ts';
import { toDateTime, toSeconds } from '../world/clock.ts';
import { lastTimestamp } from '../world/clock-limits.ts';
import type { Kind } from '../world/kind.ts';
import { type Account, listsOf } from './account.ts';
import { fitRecord } from './fit.ts';
import { toVerbatimMessage } from './verbatim.ts';
import type { Walked } from './walk-list.ts';

/** A scenario with the data of an account, and notes on what it lacks. */
export interface Captured {
  readonly scenario: Scenario;
  /** One sentence each. */
  readonly notes: readonly string[];
}

/** Converts an account into a scenario. */
export const toScenario = (account: Account): Captured => {
  const notes = new Set<string>();
  const lists = [...account.threads.values(), ...(account.batches ? [account.batches] : [])];
  const isOmitted = lacksFields(lists, notes);
  const isEndNull = [...account.threads.values()].some(({ emptyEnd }) => emptyEnd === null);
  const newest = latestTime(account);
  const scenario = {
    description: describe(account),
    ...(newest !== undefined && { clock: { start: toDateTime(newest) } }),
    assumptions: {
      ...(isOmitted && { 'absent-values': 'omitted' }),
      ...(isEndNull && { 'empty-run-ends': 'null' }),
      ...(hasUnknownStatus(runs, [...account.threads.values()]) && { 'run-states': 'any' }),
      ...(account.batches && hasUnknownStatus(batches, [account.batches]) && { 'batch-states': 'any' }),
    },
    threads: mapEach(account.threads, (list, id) => ({
      runs: 0,
      records: toRecords(list, runs.fields, runSchema, { thread_id: id }, notes),
    })),
    batches: {
      seeded: 0,
      records: account.batches ? toRecords(account.batches, batches.fields, batchSchema, {}, notes) : [],
    },
    jobs: mapEach(account.jobs, (list, id) => ({
      checkpoints: 0,
      records: toRecords(list, checkpoints.fields, checkpointSchema, { fine_tuning_job_id: id }, notes),
    })),
    policies: {
      records: Array.from(account.policies, ([id, policy]) =>
        toPolicy({ ...withZones(policy), id: policy.id ?? id }, notes),
      ),
    },
    prompts: toPrompts(account, notes),
  };
  return { scenario: scenario as object as Scenario, notes: [...notes] }; // each part was reduced to what its schema allows
};

/** Converts a list, newest first, into records in order of creation. @param owner the field with the requested owner */
const toRecords = (
  { records, isCut, isOpen }: Walked,
  schema: z.ZodType,
  contract: z.ZodObject,
  owner: Mapping,
  notes: Set<string>,
): Mapping[] => {
  if (isCut)
    notes.add(
      `A list has more than ${records.length} records, the limit set by --max-records. The older ones were left out.`,
    );
  if (isOpen)
    notes.add(
      'A list ended with an empty page whose has_more was true. In the scenario, has_more is false at the end of the list.',
    );
  const times = records.map(({ created_at }) => Number(created_at));
  if (times.some((time, at) => time > (times[at - 1] ?? Number.POSITIVE_INFINITY)))
    notes.add('A list was not ordered by created_at, newest first. In the scenario, it is.');
  const nulls = Object.fromEntries(nullable(contract).map((field) => [field, null]));
  return records
    .map((record) => {
      const name = nameOf(contract);
      const fitted = fit({ ...record, ...owner }, schema, contract, name, notes);
      const whole = { ...fitted, ...nullsMissing(fitted, nulls) };
      noteMadeUp(whole, contract, name, notes);
      return whole;
    })
    .reverse();
};

/** The name of a record type: the contract's value of its field `object`. */
const nameOf = ({ shape }: z.ZodObject): string => String((shape.object as z.ZodLiteral<string>).value); // each contract has this field

/** Converts a policy. One that lacks required fields is completed by the mock. */
const toPolicy = (given: Mapping, notes: Set<string>): Mapping => {
  const fitted = fit(given, policies.fields, policySchema, 'policy', notes);
  if (!policySchema.safeParse(fitted).success) noteMadeUp(fitted, policySchema, 'policy', notes);
  return fitted;
};

/** Notes the missing fields, which the mock fills in. */
const noteMadeUp = (record: Mapping, { shape }: z.ZodObject, name: string, notes: Set<string>): void => {
  for (const field of Object.keys(shape))
    if (!Object.hasOwn(record, field))
      notes.add(`${name}.${field} is missing or invalid in some records. The mock fills it in.`);
};

/** Nulls for missing fields, which would otherwise be seeded. */
const nullsMissing = (record: Mapping, nulls: Mapping): Mapping =>
  Object.fromEntries(Object.entries(nulls).filter(([field]) => !Object.hasOwn(record, field)));

/** The fields of a record that may be null. */
const nullable = ({ shape }: z.ZodObject): string[] =>
  Object.entries(shape).flatMap(([name, field]) =>
    (field as z.ZodType).safeParse(null).success ? [name] : [],
  );

const fit = (
  given: Mapping,
  schema: z.ZodType,
  contract: z.ZodObject,
  name: string,
  notes: Set<string>,
): Mapping => {
  const { record, leftOut } = fitRecord(given, schema);
  for (const path of leftOut) {
    const field = (Object.hasOwn(contract.shape, path) ? contract.shape[path] : undefined) as
      | z.ZodType
      | undefined;
    const isOfContract = field?.safeParse(given[path]).success ?? false;
    const why = isOfContract
      ? 'a scenario cannot have this value.'
      : 'it is not in the contract, or has another type there.';
    notes.add(`${name}.${path} was left out: ${why}`);
  }
  return record;
};

/** Converts date-times to UTC with Z. A gateway may use another time zone, or lower-case letters. */
const withZones = (policy: Mapping): Mapping =>
  Object.fromEntries(
    Object.entries(policy).map(([name, value]) => [
      name,
      typeof value === 'string' &&
      /_at$/.test(name) &&
      /[+-]\d\d:\d\d$|[tz]/.test(value) &&
      Number.isFinite(toSeconds(value.toUpperCase()))
        ? toDateTime(toSeconds(value.toUpperCase()))
        : value,
    ]),
  );

const mapEach = <Value, Result>(
  found: ReadonlyMap<string, Value>,
  change: (value: Value, id: string) => Result,
): Record<string, Result> => Object.fromEntries(Array.from(found, ([id, value]) => [id, change(value, id)]));

/** Whether the gateway leaves out fields that do not apply, so that no field is null. */
const lacksFields = (lists: readonly Walked[], notes: Set<string>): boolean => {
  const records = lists.flatMap((list) => list.records);
  const fields = { 'thread.run': nullable(runSchema), batch: nullable(batchSchema) };
  const ofRecord = (record: Mapping): readonly string[] =>
    record.object === 'batch' ? fields.batch : fields['thread.run'];
  const hasMissing = records.some((record) => ofRecord(record).some((name) => !Object.hasOwn(record, name)));
  const hasNull = records.some((record) => ofRecord(record).some((name) => record[name] === null));
  if (hasMissing && hasNull)
    notes.add(
      'Some fields that do not apply were null, and others missing. All of them are null in the scenario.',
    );
  return hasMissing && !hasNull;
};

/** Whether a record has a status that the mock does not know. */
const hasUnknownStatus = (kind: Kind, lists: readonly Walked[]): boolean =>
  lists.some(({ records }) =>
    records.some((record) => describeUnknownStatus(kind, record, {}) !== undefined),
  );

/** The latest timestamp of the account, without those of expiry. */
const latestTime = (account: Account): number | undefined => {
  const listed = listsOf(account).flatMap((list) => list.records);
  const records: readonly Mapping[] = [...listed, ...account.policies.values()];
  let newest: number | undefined;
  for (const record of records)
    for (const [name, value] of Object.entries(record)) {
      if (!name.endsWith('_at') || name === 'expires_at') continue;
      const time = typeof value === 'string' ? toSeconds(value) : Number(value ?? Number.NaN);
      if (time >= 0 && time <= lastTimestamp && time > (newest ?? -1)) newest = time;
    }
  return newest;
};

/** Converts rendered bodies into prompts that render to them with any variables. */
const toPrompts = ({ prompts }: Account, notes: Set<string>) => {
  const entries = Array.from(prompts).flatMap(([id, { messages, stream, ...parameters }]) => {
    if (stream !== undefined)
      notes.add('The field stream of a prompt was left out: only a request can set it.');
    const fitted = fit(
      { ...parameters, messages },
      hyperparametersSchema,
      hyperparametersSchema,
      'prompt',
      notes,
    );
    const kept = (Array.isArray(fitted.messages) ? fitted.messages : []).filter(
      (message: unknown) => typeof Object(message).role === 'string',
    );
    if (kept.length === 0) {
      notes.add('A prompt was left out: its rendering has no messages with a role.');
      return [];
    }
    const { messages: _, ...others } = fitted;
    return [[id, { parameters: others, messages: kept.map(toVerbatimMessage) }] as const];
  });
  return Object.fromEntries(entries);
};

const describe = ({ threads, batches: walked, jobs, policies: found, prompts }: Account): string => {
  const parts = [
    [threads.size, 'thread', 'threads'],
    [walked?.records.length ?? 0, 'batch', 'batches'],
    [jobs.size, 'job', 'jobs'],
    [found.size, 'policy', 'policies'],
    [prompts.size, 'prompt', 'prompts'],
  ] as const;
  const counted = parts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
  return `Captured from a gateway: ${counted.join(', ') || 'nothing'}.`;
};
