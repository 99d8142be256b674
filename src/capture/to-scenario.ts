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
import type { Scenario } from '../scenario/schema.ts';
import { toDateTime, toSeconds } from '../world/clock.ts';
import { lastTimestamp } from '../world/clock-limits.ts';
import type { Account } from './account.ts';
import { fitRecord } from './fit.ts';
import { toVerbatimMessage } from './verbatim.ts';
import type { Walked } from './walk-list.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** A scenario that answers as an account did, and what of that it cannot. */
export interface Captured {
  readonly scenario: Scenario;
  /** One sentence each. */
  readonly notes: readonly string[];
}

/** Makes a scenario of an account. */
export const toScenario = (account: Account): Captured => {
  const notes = new Set<string>();
  const lists = [...account.threads.values(), ...(account.batches ? [account.batches] : [])];
  const isOmitted = lacksFields(lists, notes);
  const isEndNull = [...account.threads.values()].some(({ emptyEnd }) => emptyEnd === null);
  const newest = newestMoment(account);
  const scenario = {
    description: describe(account),
    ...(newest !== undefined && { clock: { start: toDateTime(newest) } }),
    assumptions: {
      ...(isOmitted && { 'absent-values': 'omitted' }),
      ...(isEndNull && { 'empty-run-ends': 'null' }),
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
  return { scenario: scenario as Scenario, notes: [...notes] }; // each part was cut to what its schema allows
};

/** A list of the gateway, newest first, in the order of its creation. The owner is the one that was asked for. */
const toRecords = (
  { records, isCut, isOpen }: Walked,
  schema: z.ZodType,
  contract: z.ZodObject,
  owner: Mapping,
  notes: Set<string>,
): Mapping[] => {
  if (isCut)
    notes.add(
      `A list has more than ${records.length} records, the limit that --max-records sets: the older ones are left out.`,
    );
  if (isOpen)
    notes.add(
      'A list ended with an empty page that said has_more: what may follow it is left out, and has_more is false there.',
    );
  const times = records.map(({ created_at }) => Number(created_at));
  if (times.some((time, at) => time > (times[at - 1] ?? Number.POSITIVE_INFINITY)))
    notes.add('A list was not ordered by created_at, newest first, which the scenario is.');
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

/** What a record says of itself, whatever the gateway has there. */
const nameOf = ({ shape }: z.ZodObject): string => String((shape.object as z.ZodLiteral<string>).value); // each has it

/** A policy that has all that the contract requires is answered as it is; any other is made whole. */
const toPolicy = (given: Mapping, notes: Set<string>): Mapping => {
  const fitted = fit(given, policies.fields, policySchema, 'policy', notes);
  if (!policySchema.safeParse(fitted).success) noteMadeUp(fitted, policySchema, 'policy', notes);
  return fitted;
};

/** The mock answers with whole records. */
const noteMadeUp = (record: Mapping, { shape }: z.ZodObject, name: string, notes: Set<string>): void => {
  for (const field of Object.keys(shape))
    if (!Object.hasOwn(record, field))
      notes.add(
        `${name}.${field} is not in every record as the contract has it: the mock makes one up there.`,
      );
};

/** What is missing would be seeded. */
const nullsMissing = (record: Mapping, nulls: Mapping): Mapping =>
  Object.fromEntries(Object.entries(nulls).filter(([field]) => !Object.hasOwn(record, field)));

/** The fields that a record may have as null. */
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
      ? 'no scenario can have this value.'
      : 'the contract does not have it, or not of this type.';
    notes.add(`${name}.${path} is left out: ${why}`);
  }
  return record;
};

/** The contract's date-times end with Z here; a gateway may write another zone, or small letters. */
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

/** Whether a gateway leaves out what does not apply: then no field of any record is null. */
const lacksFields = (lists: readonly Walked[], notes: Set<string>): boolean => {
  const records = lists.flatMap((list) => list.records);
  const fields = { 'thread.run': nullable(runSchema), batch: nullable(batchSchema) };
  const ofRecord = (record: Mapping): readonly string[] =>
    record.object === 'batch' ? fields.batch : fields['thread.run'];
  const hasMissing = records.some((record) => ofRecord(record).some((name) => !Object.hasOwn(record, name)));
  const hasNull = records.some((record) => ofRecord(record).some((name) => record[name] === null));
  if (hasMissing && hasNull)
    notes.add('Some fields that do not apply were null and others missing: all of them are null here.');
  return hasMissing && !hasNull;
};

/** The last moment that anything happened at. What expires does so later. */
const newestMoment = ({ threads, jobs, batches: walked, policies: found }: Account): number | undefined => {
  const lists = [...threads.values(), ...jobs.values(), ...(walked ? [walked] : [])];
  const records: readonly Mapping[] = [...lists.flatMap((list) => list.records), ...found.values()];
  let newest: number | undefined;
  for (const record of records)
    for (const [name, value] of Object.entries(record)) {
      if (!name.endsWith('_at') || name === 'expires_at') continue;
      const moment = typeof value === 'string' ? toSeconds(value) : Number(value ?? Number.NaN);
      if (moment >= 0 && moment <= lastTimestamp && moment > (newest ?? -1)) newest = moment;
    }
  return newest;
};

/** A rendered body as a prompt that renders to it, whatever the variables. */
const toPrompts = ({ prompts }: Account, notes: Set<string>) => {
  const entries = Array.from(prompts).flatMap(([id, { messages, stream, ...parameters }]) => {
    if (stream !== undefined)
      notes.add('stream is left out of a prompt: only a request brings it into an answer.');
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
      notes.add('A prompt is left out: it was rendered without messages that have a role.');
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
