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
import type { Account, Walked } from './account.ts';
import { fitRecord } from './fit.ts';
import { toVerbatimMessage } from './verbatim.ts';

/** A scenario with the data of an account, and notes on what it lacks. */
export interface Captured {
  readonly scenario: Scenario;
  /** One sentence each. */
  readonly notes: readonly string[];
}

/** How the records of each list become those of a scenario. */
const kinds: Readonly<
  Record<Walked['kind'], { kind: Kind; contract: z.ZodObject; name: string; owner?: string }>
> = {
  runs: { kind: runs, contract: runSchema, name: 'thread.run', owner: 'thread_id' },
  batches: { kind: batches, contract: batchSchema, name: 'batch' },
  checkpoints: {
    kind: checkpoints,
    contract: checkpointSchema,
    name: 'fine_tuning.job.checkpoint',
    owner: 'fine_tuning_job_id',
  },
};

/** Converts an account into a scenario. */
export const toScenario = (account: Account): Captured => {
  const notes = new Set<string>();
  const listsOf = (kind: Walked['kind']) => account.lists.filter((list) => list.kind === kind);
  const [threads, batched] = [listsOf('runs'), listsOf('batches')];
  const newest = latestTime(account);
  const byOwner = (found: readonly Walked[], count: string) =>
    Object.fromEntries(found.map((list) => [list.owner, { [count]: 0, records: toRecords(list, notes) }]));
  const scenario = {
    description: describe(account),
    ...(newest !== undefined && { clock: { start: toDateTime(newest) } }),
    assumptions: {
      ...(lacksFields([...threads, ...batched], notes) && { 'absent-values': 'omitted' }),
      ...(threads.some(({ emptyEnd }) => emptyEnd === null) && { 'empty-run-ends': 'null' }),
      ...(threads.some(hasUnknownStatus) && { 'run-states': 'any' }),
      ...(batched.some(hasUnknownStatus) && { 'batch-states': 'any' }),
    },
    threads: byOwner(threads, 'runs'),
    batches: { seeded: 0, records: batched.flatMap((list) => toRecords(list, notes)) },
    jobs: byOwner(listsOf('checkpoints'), 'checkpoints'),
    policies: { records: Array.from(account.policies, ([id, policy]) => toPolicy({ id, ...policy }, notes)) },
    prompts: toPrompts(account, notes),
  };
  return { scenario: scenario as object as Scenario, notes: [...notes] }; // each part was reduced to what its schema allows
};

/** Converts a list, newest first, into records in order of creation. */
const toRecords = (list: Walked, notes: Set<string>): Mapping[] => {
  const { records, isCut, isOpen } = list;
  const { kind, contract, name, owner } = kinds[list.kind];
  const times = records.map(({ created_at }) => Number(created_at));
  const isUnordered = times.some((time, at) => time > (times[at - 1] ?? Number.POSITIVE_INFINITY));
  if (isCut)
    notes.add(
      `A list has more than ${records.length} records, the limit set by --max-records. The older ones were left out.`,
    );
  if (isOpen)
    notes.add(
      'A list ended with an empty page whose has_more was true. In the scenario, has_more is false at the end of the list.',
    );
  if (isUnordered) notes.add('A list was not ordered by created_at, newest first. In the scenario, it is.');
  const converted = records.map((record) => {
    const given = owner === undefined ? record : { ...record, [owner]: list.owner };
    const fitted = fit(given, kind.fields, contract, name, notes);
    // Missing fields would otherwise be seeded.
    const missing = nullable(contract).filter((field) => !Object.hasOwn(fitted, field));
    const whole = { ...fitted, ...Object.fromEntries(missing.map((field) => [field, null])) };
    noteMadeUp(whole, contract, name, notes);
    return whole;
  });
  return converted.reverse();
};

/** Converts a policy. One that lacks required fields is completed by the mock. */
const toPolicy = (given: Mapping, notes: Set<string>): Mapping => {
  const fitted = fit(withZones(given), policies.fields, policySchema, 'policy', notes);
  if (!policySchema.safeParse(fitted).success) noteMadeUp(fitted, policySchema, 'policy', notes);
  return fitted;
};

/** Notes the missing fields, which the mock fills in. */
const noteMadeUp = (record: Mapping, { shape }: z.ZodObject, name: string, notes: Set<string>): void => {
  for (const field of Object.keys(shape))
    if (!Object.hasOwn(record, field))
      notes.add(`${name}.${field} is missing or invalid in some records. The mock fills it in.`);
};

/** The fields of a record that may be null. */
const nullable = ({ shape }: z.ZodObject): string[] =>
  Object.entries(shape).flatMap(([name, field]) =>
    (field as z.ZodType).safeParse(null).success ? [name] : [],
  );

const fit = (
  given: Mapping,
  schema: z.ZodType,
  { shape }: z.ZodObject,
  name: string,
  notes: Set<string>,
): Mapping => {
  const { record, leftOut } = fitRecord(given, schema);
  for (const path of leftOut) {
    const field = Object.hasOwn(shape, path) ? (shape[path] as z.ZodType) : undefined; // a shape holds schemas
    const why = field?.safeParse(given[path]).success
      ? 'a scenario cannot have this value.'
      : 'it is not in the contract, or has another type there.';
    notes.add(`${name}.${path} was left out: ${why}`);
  }
  return record;
};

/** Converts date-times to UTC with Z. A gateway may use another time zone, or lower-case letters. */
const withZones = (policy: Mapping): Mapping =>
  Object.fromEntries(
    Object.entries(policy).map(([name, value]) => {
      const isOther = typeof value === 'string' && /_at$/.test(name) && /[+-]\d\d:\d\d$|[tz]/.test(value);
      const time = isOther ? toSeconds(value.toUpperCase()) : Number.NaN;
      return [name, Number.isFinite(time) ? toDateTime(time) : value];
    }),
  );

/** Whether the gateway leaves out fields that do not apply, so that no field is null. */
const lacksFields = (lists: readonly Walked[], notes: Set<string>): boolean => {
  const values = lists.flatMap(({ kind, records }) =>
    records.flatMap((record) =>
      nullable(kinds[kind].contract).map((name) => (Object.hasOwn(record, name) ? record[name] : undefined)),
    ),
  );
  const [hasMissing, hasNull] = [values.includes(undefined), values.includes(null)];
  if (hasMissing && hasNull)
    notes.add(
      'Some fields that do not apply were null, and others missing. All of them are null in the scenario.',
    );
  return hasMissing && !hasNull;
};

/** Whether a record has a status that the mock does not know. */
const hasUnknownStatus = ({ kind, records }: Walked): boolean =>
  records.some((record) => describeUnknownStatus(kinds[kind].kind, record, {}) !== undefined);

/** The latest timestamp of the account, without those of expiry. */
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

/** Converts rendered bodies into prompts that render to them with any variables. */
const toPrompts = ({ prompts }: Account, notes: Set<string>) => {
  const schema = hyperparametersSchema;
  const entries = Array.from(prompts).flatMap(([id, { stream, ...given }]) => {
    if (stream !== undefined)
      notes.add('The field stream of a prompt was left out: only a request can set it.');
    const { messages, ...parameters } = fit(given, schema, schema, 'prompt', notes);
    const kept = (Array.isArray(messages) ? messages : []).filter(
      (message: unknown) => typeof Object(message).role === 'string',
    );
    if (kept.length > 0) return [[id, { parameters, messages: kept.map(toVerbatimMessage) }] as const];
    notes.add('A prompt was left out: its rendering has no messages with a role.');
    return [];
  });
  return Object.fromEntries(entries);
};

const describe = ({ lists, policies: found, prompts }: Account): string => {
  const listsOf = (kind: Walked['kind']) => lists.filter((list) => list.kind === kind);
  const counted = [
    [listsOf('runs').length, 'thread', 'threads'],
    [listsOf('batches').flatMap(({ records }) => records).length, 'batch', 'batches'],
    [listsOf('checkpoints').length, 'job', 'jobs'],
    [found.size, 'policy', 'policies'],
    [prompts.size, 'prompt', 'prompts'],
  ].flatMap(([count, one, many]) => (count === 0 ? [] : `${count} ${count === 1 ? one : many}`));
  return `Captured from a gateway: ${counted.join(', ') || 'nothing'}.`;
};
