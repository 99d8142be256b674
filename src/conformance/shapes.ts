// Every reply has the contract's shape.
import * as z from 'zod';
import { policySchema } from '../operations/get-rate-limits-policy/contract.ts';
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import { whereItApplies } from '../protocol/contract-types.ts';
import { fieldOf, policyCall, readObject, renderCall } from './calls.ts';
import {
  type Check,
  type CheckFinding,
  type CheckSamples,
  describeCall,
  failed,
  formatValue,
  NotCheckable,
} from './check.ts';
import { type CheckedList, findMaxLimit, listCall, lists } from './lists.ts';
import { findMismatches } from './mismatches.ts';
import { inspectBodies } from './replies.ts';
import { inEachOrder, walkLarge } from './walk.ts';

/** Yields what is wrong with the body of a reply. */
type Judge = (body: unknown, request: string, samples: CheckSamples) => Iterable<CheckFinding>;

/** A check of each page of a list. With `needsRecord`, the first page must not be empty. */
const ofPages = (
  list: CheckedList,
  check: Pick<Check, 'id' | 'section' | 'description'>,
  judge: Judge,
  needsRecord = true,
): Check => ({
  ...check,
  needs: list.needs,
  async *run(target) {
    const { samples } = target;
    const head = listCall(list, samples, { limit: await findMaxLimit(target, list) });
    const body = await readObject(target, head);
    const data = fieldOf(body, 'data');
    if (needsRecord && !Array.isArray(data))
      throw new NotCheckable(`${describeCall(head)} returned no array data: see ${list.name}-envelope.`);
    if (needsRecord && Array.isArray(data) && data.length === 0) throw new NotCheckable('the list is empty.');
    yield* judge(body, describeCall(head), samples);
    yield* inEachOrder(list, async function* (order) {
      const { pages } = await walkLarge(target, list, order);
      for (const { envelope, request } of pages) yield* judge(envelope, request, samples);
    });
  },
  inspect: inspectBodies(
    (samples) => [listCall(list, samples)],
    (body, call, samples) => judge(body, describeCall(call), samples),
  ),
});

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

const dataOf = (body: unknown): readonly unknown[] => {
  const data = fieldOf(body, 'data');
  return Array.isArray(data) ? data : [];
};

const ofRecords = (list: CheckedList): Check => {
  const table = toTable(list);
  return ofPages(
    list,
    {
      id: `${list.name}-schema`,
      section: list.section,
      description:
        'Each field of a record has the type of the contract, including integer timestamps, constants and enums.',
    },
    function* (body, request) {
      for (const [index, record] of dataOf(body).entries())
        yield* findMismatches(table, record, request, `data[${index}].`);
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

const ofEnvelopes = (list: CheckedList): Check => {
  const [full, empty] = [toEnvelope(list, false), toEnvelope(list, true)];
  return ofPages(
    list,
    {
      id: `${list.name}-envelope`,
      section: 'List envelope',
      description:
        "A page has an array data, object 'list', a boolean has_more, and first_id and last_id as the contract allows.",
    },
    (body, request) => {
      const data = fieldOf(body, 'data');
      return findMismatches(Array.isArray(data) && data.length === 0 ? empty : full, body, request);
    },
    false,
  );
};

const ofOwners = (list: CheckedList): Check[] => {
  const { owner } = list;
  if (owner === undefined) return [];
  const check = {
    id: `${list.name}-owner`,
    section: list.section,
    description: `Every record belongs to the requested ${owner.sample}.`,
  };
  return [
    ofPages(list, check, function* (body, request, samples) {
      const wanted = samples[owner.sample];
      const named = dataOf(body).map((record) => fieldOf(record, owner.field));
      const stranger = named.find((id) => typeof id === 'string' && id !== wanted);
      if (stranger !== undefined)
        yield failed(
          request,
          `${owner.field} ${formatValue(wanted)}`,
          `${owner.field} ${formatValue(stranger)}`,
        );
    }),
  ];
};

/** The contract names only the format: by RFC 3339, a date-time may have an offset and lower-case letters. */
const dateTime = z
  .string()
  .toUpperCase()
  .pipe(z.iso.datetime({ offset: true }));
const policyTable = policySchema.extend({ created_at: dateTime, last_updated_at: dateTime });

const single: readonly Check[] = [
  {
    id: 'policy-schema',
    section: 'Rate-limits policy',
    description:
      'A policy has every required field, each with its type: uuids, date-times, and the values of type, unit and status.',
    needs: ['policy'],
    async *run(target) {
      const call = policyCall(target.samples.policy ?? '', 'active');
      yield* findMismatches(policyTable, await readObject(target, call), describeCall(call));
    },
    inspect: inspectBodies(
      ({ policy: active = '', archivedPolicy = '' }) => [policyCall(active), policyCall(archivedPolicy)],
      (body, call) => findMismatches(policyTable, body, describeCall(call)),
    ),
  },
  {
    id: 'render-schema',
    section: 'Rendered prompt response (200)',
    description: 'A rendering has success and data, and each field of data has the type of the contract.',
    needs: ['prompt'],
    async *run(target) {
      const call = renderCall(target.samples);
      yield* findMismatches(renderPromptContract.reply, await readObject(target, call), describeCall(call));
    },
    inspect: inspectBodies(
      (samples) => [renderCall(samples)],
      (body, call) => findMismatches(renderPromptContract.reply, body, describeCall(call)),
    ),
  },
];

export const shapeChecks: readonly Check[] = [
  ...lists.map(ofRecords),
  ...lists.map(ofEnvelopes),
  ...lists.flatMap(ofOwners),
  ...single,
];
