import { prompts } from '../../../core/operations/render-prompt/record.ts';
import { describeBadEnding, describeUnknownStatus } from '../../../core/scenario/further-errors.ts';
import { checkValue } from '../../../core/util/check-value.ts';
import { findExtraPaths, restoreFields, takeFields, withKeepHint } from '../../../core/util/extra-fields.ts';
import { toNumbers } from '../../../core/util/json.ts';
import { endSentence } from '../../../core/util/sentence.ts';
import { describeError, listErrors } from '../../../core/util/validation-error.ts';
import type { Kind, Resource } from '../../../core/world/kind.ts';
import { toEnding, type WrittenEnding } from '../../../core/world/lifecycle.ts';
import type { RecordList } from '../../../core/world/record-list.ts';
import { badTimestamp, findBadTimestamps } from '../../../core/world/record-schema.ts';
import type { World } from '../../../core/world/world.ts';
import type { Session } from '../session.ts';
import { describeUnknownOwner, ownerOf } from './record-lists.ts';

export const createRecord = <Value extends Resource>(
  kind: Kind<Value>,
  { state: { world } }: Session,
  values: Partial<Resource>,
  ending: WrittenEnding = {},
): Value => {
  const owner = requireOwner(kind, values, world);
  if (world.list(kind, owner) === undefined)
    fail('create', kind, values.id, describeUnknownOwner(kind, owner, world));
  const fields = check('create', kind, { ...values, id: values.id ?? world.nextId(kind, owner) }, world);
  const { id } = fields;
  if (world.listWith(kind, id) !== undefined) fail('create', kind, id, 'a record with this id exists');
  const problem = describeBadEnding(kind, fields, ending, Math.floor(world.clock.now()));
  if (problem !== undefined) fail('create', kind, id, problem);
  return structuredClone(world.create(kind, owner, fields, toEnding(ending)));
};

/** Changes fields of records. All records are checked before any is changed. */
export const updateRecords = <Value extends Resource>(
  kind: Kind<Value>,
  { state: { world } }: Session,
  ids: readonly string[],
  values: object,
): Value[] => {
  const changes = ids.map((id) => checkUpdate(kind, world, id, values));
  for (const { list, record } of changes) list.write({ record, transitions: [] });
  return structuredClone(changes.map(({ record }) => record));
};

const checkUpdate = <Value extends Resource>(kind: Kind<Value>, world: World, id: string, values: object) => {
  const noRecord = (): never => fail('update', kind, id, 'no such record');
  const list: RecordList<Value> = world.listWith(kind, id) ?? noRecord();
  const present = list.get(id) ?? noRecord();
  for (const field of ['id', kind.owner?.field ?? 'id'])
    if (Object.hasOwn(values, field) && Reflect.get(values, field) !== Reflect.get(present, field))
      fail('update', kind, id, `${field} cannot be changed`);
  // The order of its fields stays: it is part of the bytes.
  return { list, record: { ...present, ...check('update', kind, { ...present, ...values }, world) } };
};

export const setStatus = <Value extends Resource>(
  kind: Kind<Value>,
  { state: { world } }: Session,
  id: string,
  status: string,
  ending: WrittenEnding,
): Value => {
  const list = world.listWith(kind, id);
  const record = list?.get(id);
  if (list === undefined || record === undefined || kind.enter === undefined)
    return fail('set the status of', kind, id, 'no such record');
  const context = world.writeContext(kind, list.owner);
  const created = Number(Reflect.get(record, 'created_at'));
  const from = Math.max(context.now, created);
  const problem = describeBadEnding(kind, { ...record, status }, ending, created, from);
  if (problem !== undefined) fail('set the status of', kind, id, problem);
  list.write(kind.enter(record, status, context, toEnding(ending)));
  return structuredClone(list.get(id) ?? record);
};

/** The owner of a new record. A missing owner is reported before all other errors. */
const requireOwner = (kind: Kind, values: Partial<Resource>, world: World): string => {
  const { field = 'id', kind: name = '' } = kind.owner ?? {};
  const owner: unknown = Reflect.get(values, field);
  if (kind.owner !== undefined && (owner === undefined || owner === null))
    fail('create', kind, values.id, `${field} is missing: set it to the id of the ${name}`);
  if (kind.owner !== undefined && typeof owner !== 'string')
    check('create', kind, { id: 'new', ...values }, world);
  return ownerOf(kind, values);
};

/** The values, checked against the contract, and the status against the assumption of its kind. */
const check = <Value extends Resource>(
  action: string,
  kind: Kind<Value>,
  values: object,
  world: World,
): Value => {
  // Prompts keep the digits of integers beyond 2^53; other records have plain numbers.
  const input = kind.name === prompts.name ? values : Object(toNumbers(values));
  const keepsExtra = world.assumptions.choiceOf('extra-fields') === 'kept';
  const { rest, extra } = takeFields(input, keepsExtra ? findExtraPaths(kind.fields, input) : []);
  const { data, errors } = checkValue(kind.fields, rest);
  restoreFields(data, extra);
  const status = describeUnknownStatus(kind, input, world.assumptions.chosen());
  const all = [
    ...errors.map((error) => ({ ...error, message: withKeepHint(error.message) })),
    ...(status === undefined ? [] : [{ path: ['status'], message: status }]),
    ...(kind.findErrors?.(input, world.assumptions.chosen()) ?? []),
    ...findBadTimestamps(input)
      .filter((field) => kind.columns.includes(field))
      .map((field) => ({ path: [field], message: badTimestamp })),
  ];
  const reason = listErrors(all).map(describeError).join('; ');
  if (data === undefined || all.length > 0) return fail(action, kind, Reflect.get(values, 'id'), reason);
  return data as Value; // missing fields are completed later
};

export const fail = (action: string, kind: Kind, id: unknown, reason: string): never => {
  throw new Error(
    `Failed to ${action} the ${kind.name}${id === undefined ? '' : ` "${String(id)}"`}: ${endSentence(reason)}`,
  );
};
