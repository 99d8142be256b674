// Every reply has the contract's shape.
import * as z from 'zod';
import { policySchema } from '../../../core/operations/get-rate-limits-policy/contract.ts';
import type { ListId, OperationId } from '../../../core/operations/ids.ts';
import { renderPromptContract } from '../../../core/operations/render-prompt/contract.ts';
import { whereItApplies } from '../../../core/protocol/contract-types.ts';
import { mapValues } from '../../../core/util/mapping.ts';
import { inspectBodies, type ValidCalls, validCallsById } from '../calls.ts';
import { describeCall, failed, formatValue, toChecks } from '../check.ts';
import { type CheckedList, listCall, lists, ordersOf } from '../lists.ts';
import { findMismatches } from '../mismatches.ts';
import { fieldOf, ignoreNotCheckable, itemsOf, readObject } from '../replies.ts';
import type { Check, CheckSamples, CheckTarget } from '../types.ts';
import { expectRecords, findMaxLimit, walkList } from '../walk.ts';

/** Reads all pages, so that they are inspected, and returns the records of the first page. */
const readList = async (target: CheckTarget, list: CheckedList): Promise<readonly unknown[]> => {
  const head = listCall(list, target.samples, { limit: await findMaxLimit(target, list) });
  const records = itemsOf(await readObject(target, head), 'data');
  for (const order of ordersOf(list)) await walkList(target, list, order).catch(ignoreNotCheckable);
  return records;
};

const readRecords = async (target: CheckTarget, list: CheckedList): Promise<void> =>
  expectRecords({ records: await readList(target, list) }, 1);

/**
 * The contract's table of a record. Fields may be missing or null, except for essential fields. The metrics of a checkpoint
 * may be missing.
 */
const toTable = ({ record, essential }: CheckedList): z.ZodObject => {
  const shape = record.shape as Readonly<Record<string, z.ZodType>>; // a shape holds schemas
  return record.extend(
    mapValues(shape, (schema, name) => (essential.includes(name) ? schema : whereItApplies(schema))),
  );
};

/** The contract allows null for first_id and last_id of checkpoints only. On an empty page of runs, it is the assumption `empty-run-ends`. */
const toEnvelope = ({ name }: CheckedList, isEmpty: boolean): z.ZodObject => {
  const orNull = name === 'checkpoints' || isEmpty ? z.nullable(z.string()) : z.string();
  const end = name === 'batches' ? z.exactOptional(z.string()) : orNull;
  return z.object({
    object: z.literal('list'),
    data: z.array(z.unknown()),
    has_more: z.boolean(),
    first_id: end,
    last_id: end,
  });
};

const ofList = (list: CheckedList): Check[] => {
  const { owner, contract } = list;
  const calls = { ...list, toCall: (samples: CheckSamples) => listCall(list, samples) };
  const table = toTable(list);
  const [full, empty] = [toEnvelope(list, false), toEnvelope(list, true)];
  return [
    ...toChecks(list, contract.section, {
      schema: [
        'Each field of a record has the type of the contract, including integer timestamps, constants and enums.',
        readRecords,
        inspectBodies(calls, function* (body, call) {
          for (const [index, record] of itemsOf(body, 'data').entries())
            yield* findMismatches(table, record, describeCall(call), `data[${index}].`);
        }),
      ],
      ids: [
        'Every record has an id: a text that is not empty, and no other record of the page has it. Its created_at never changes.',
        readList,
        () => {
          const times = new Map<string, unknown>();
          return inspectBodies(calls, function* (body, call) {
            const records = itemsOf(body, 'data');
            const ids = records.map((record) => fieldOf(record, 'id'));
            for (const [index, id] of ids.entries()) {
              const [place, time] = [`data[${index}].id`, fieldOf(records[index], 'created_at')];
              const former = times.get(String(id)) ?? time;
              if (typeof id !== 'string' || id === '')
                yield failed(call, `${place} to be a text that is not empty`, formatValue(id), 'no text');
              else if (ids.indexOf(id) < index)
                yield failed(call, `${place} to be another one`, `${id} again`, 'repeated');
              else if (time !== former)
                yield failed(call, `created_at of ${id} ${former}, as before`, `${time}`, 'created_at');
              else times.set(id, time);
            }
          })();
        },
      ],
      ...(owner && {
        owner: [
          `Every record belongs to the requested ${owner.sample}.`,
          readRecords,
          inspectBodies(calls, function* (body, call, samples) {
            const wanted = [samples[owner.sample], samples.otherThread].find(
              (id) => call.path === listCall(list, { [owner.sample]: id }).path,
            );
            const named = itemsOf(body, 'data').map((record) => fieldOf(record, owner.field));
            const stranger = named.find((id) => typeof id === 'string' && id !== wanted);
            const show = (id: unknown): string => `${owner.field} ${formatValue(id)}`;
            if (stranger !== undefined) yield failed(call, show(wanted), show(stranger));
          }),
        ],
      }),
    }),
    ...toChecks(list, 'List envelope', {
      envelope: [
        "A page has an array data, object 'list', a boolean has_more, and first_id and last_id as the contract allows.",
        readList,
        inspectBodies(calls, (body, call) => {
          const isEmpty = Array.isArray(fieldOf(body, 'data')) && itemsOf(body, 'data').length === 0;
          return findMismatches(isEmpty ? empty : full, body, describeCall(call));
        }),
      ],
    }),
  ];
};

/** The contract names only the format: by RFC 3339, a date-time may have an offset and lower-case letters. */
const dateTime = z
  .string()
  .toUpperCase()
  .pipe(z.iso.datetime({ offset: true }));

/** A check of all bodies of an operation. */
const ofBodies = (calls: ValidCalls, section: string, description: string, schema: z.ZodType): Check[] =>
  toChecks(calls, section, {
    schema: [
      description,
      (target) => readObject(target, calls.toCall(target.samples)),
      inspectBodies(calls, (body, call) => findMismatches(schema, body, describeCall(call))),
    ],
  });

/** The checks of bodies that are no pages, by operation. */
const bodyChecks: Readonly<Record<Exclude<OperationId, ListId>, Check[]>> = {
  getRateLimitsPolicy: ofBodies(
    validCallsById.getRateLimitsPolicy,
    'Rate-limits policy',
    'A policy has every required field, each with its type: uuids, date-times, and the values of type, unit and status.',
    policySchema.extend({ created_at: dateTime, last_updated_at: dateTime }),
  ),
  renderPrompt: ofBodies(
    validCallsById.renderPrompt,
    'Rendered prompt response (200)',
    'A rendering has success and data, and each field of data has the type of the contract.',
    renderPromptContract.reply,
  ),
};

export const shapeChecks: readonly Check[] = [...lists.flatMap(ofList), ...Object.values(bodyChecks).flat()];
