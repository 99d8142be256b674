// Every reply has the contract's shape.
import * as z from 'zod';
import { policySchema } from '../../operations/get-rate-limits-policy/contract.ts';
import { renderPromptContract } from '../../operations/render-prompt/contract.ts';
import { whereItApplies } from '../../protocol/contract-types.ts';
import { type GoodCall, goodCallOf } from '../calls.ts';
import {
  type Check,
  type CheckSamples,
  type CheckTarget,
  describeCall,
  failed,
  formatValue,
  NotCheckable,
  toChecks,
} from '../check.ts';
import { type CheckedList, findMaxLimit, listCall, lists, ordersOf, walkList } from '../lists.ts';
import { findMismatches } from '../mismatches.ts';
import { fieldOf, ignoreNotCheckable, itemsOf, readObject } from '../replies.ts';
import { inspectBodies, type Judge } from './inspect-bodies.ts';

/** A check of each page of a list. With `needsRecord`, the first page must not be empty. */
const ofPages = (
  list: CheckedList,
  part: string,
  section: string,
  description: string,
  judge: Judge,
  needsRecord = true,
): Check[] => {
  const check = async (target: CheckTarget): Promise<void> => {
    const head = listCall(list, target.samples, { limit: await findMaxLimit(target, list) });
    const data = fieldOf(await readObject(target, head), 'data');
    if (needsRecord && !Array.isArray(data))
      throw new NotCheckable(`${describeCall(head)} returned no array data: see ${list.name}-envelope.`);
    if (needsRecord && Array.isArray(data) && data.length === 0) throw new NotCheckable('the list is empty.');
    for (const order of ordersOf(list)) await walkList(target, list, order).catch(ignoreNotCheckable);
  };
  const good = { ...list, toCall: (samples: CheckSamples) => listCall(list, samples) };
  return toChecks(list, section, { [part]: [description, check, inspectBodies(good, judge)] });
};

/** The contract's table of a record. Fields may be missing or null, except for the essential ones. */
const toTable = ({ record, essential }: CheckedList): z.ZodObject =>
  record.extend(
    Object.fromEntries(
      Object.entries(record.shape).map(([name, field]) => {
        const schema = field as z.ZodType; // a shape holds schemas
        return [name, essential.includes(name) ? schema : whereItApplies(withGaps(schema))];
      }),
    ),
  );

/** The same for the metrics of a checkpoint. */
const withGaps = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodObject
    ? schema.extend(
        Object.fromEntries(
          Object.entries(schema.shape).map(([name, field]) => [name, whereItApplies(field as z.ZodType)]), // as above
        ),
      )
    : schema;

const ofRecords = (list: CheckedList): Check[] => {
  const table = toTable(list);
  return ofPages(
    list,
    'schema',
    list.contract.section,
    'Each field of a record has the type of the contract, including integer timestamps, constants and enums.',
    function* (body, call) {
      for (const [index, record] of itemsOf(body, 'data').entries())
        yield* findMismatches(table, record, describeCall(call), `data[${index}].`);
    },
  );
};

/** The schema of first_id and last_id. The contract allows null for checkpoints only. */
const endsOf = (list: CheckedList, isEmpty: boolean): z.ZodType => {
  if (list.name === 'checkpoints') return z.nullable(z.string());
  if (list.name === 'batches') return z.exactOptional(z.string());
  // Null on an empty page is the assumption `empty-run-ends`.
  return isEmpty ? z.nullable(z.string()) : z.string();
};

const toEnvelope = (list: CheckedList, isEmpty: boolean): z.ZodObject =>
  z.object({
    object: z.literal('list'),
    data: z.array(z.unknown()),
    has_more: z.boolean(),
    first_id: endsOf(list, isEmpty),
    last_id: endsOf(list, isEmpty),
  });

const ofEnvelopes = (list: CheckedList): Check[] => {
  const [full, empty] = [toEnvelope(list, false), toEnvelope(list, true)];
  return ofPages(
    list,
    'envelope',
    'List envelope',
    "A page has an array data, object 'list', a boolean has_more, and first_id and last_id as the contract allows.",
    (body, call) => {
      const data = fieldOf(body, 'data');
      const envelope = Array.isArray(data) && data.length === 0 ? empty : full;
      return findMismatches(envelope, body, describeCall(call));
    },
    false,
  );
};

const ofOwners = (list: CheckedList): Check[] => {
  const { owner } = list;
  if (owner === undefined) return [];
  return ofPages(
    list,
    'owner',
    list.contract.section,
    `Every record belongs to the requested ${owner.sample}.`,
    function* (body, call, samples) {
      const wanted = samples[owner.sample];
      const named = itemsOf(body, 'data').map((record) => fieldOf(record, owner.field));
      const stranger = named.find((id) => typeof id === 'string' && id !== wanted);
      const show = (id: unknown): string => `${owner.field} ${formatValue(id)}`;
      if (stranger !== undefined) yield failed(call, show(wanted), show(stranger));
    },
  );
};

/** The contract names only the format: by RFC 3339, a date-time may have an offset and lower-case letters. */
const dateTime = z
  .string()
  .toUpperCase()
  .pipe(z.iso.datetime({ offset: true }));
const policyTable = policySchema.extend({ created_at: dateTime, last_updated_at: dateTime });

/** A check of all bodies of an operation. */
const ofBodies = (good: GoodCall, section: string, description: string, schema: z.ZodType): Check[] => {
  const check = (target: CheckTarget) => readObject(target, good.toCall(target.samples));
  const judge: Judge = (body, call) => findMismatches(schema, body, describeCall(call));
  return toChecks(good, section, { schema: [description, check, inspectBodies(good, judge)] });
};

export const shapeChecks: readonly Check[] = [
  ...lists.flatMap(ofRecords),
  ...lists.flatMap(ofEnvelopes),
  ...lists.flatMap(ofOwners),
  ...ofBodies(
    goodCallOf('policy'),
    'Rate-limits policy',
    'A policy has every required field, each with its type: uuids, date-times, and the values of type, unit and status.',
    policyTable,
  ),
  ...ofBodies(
    goodCallOf('render'),
    'Rendered prompt response (200)',
    'A rendering has success and data, and each field of data has the type of the contract.',
    renderPromptContract.reply,
  ),
];
