// That every reply has the shape of the contract. One reply that has not is enough, whichever check asked for it.
import * as z from 'zod';
import { policySchema } from '../operations/get-rate-limits-policy/contract.ts';
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import { whereItApplies } from '../protocol/contract-types.ts';
import { fieldOf, policyCall, readObject, renderCall } from './calls.ts';
import { broken, describeCall, type Finding, type Law, NotCheckable, type Samples, show } from './check.ts';
import { findMaxLimit, type ListUnderLaw, listCall, lists } from './lists.ts';
import { findMismatches } from './mismatches.ts';
import { inspectBodies } from './replies.ts';
import { inEachOrder, walkLarge } from './walk.ts';

/** What is wrong with the body of a reply. */
type Judge = (body: unknown, asked: string, samples: Samples) => Iterable<Finding>;

/** A check of every page of a list by itself; its first page may not be empty where `needsRecord`. */
const ofPages = (
  list: ListUnderLaw,
  law: Pick<Law, 'id' | 'section' | 'says'>,
  judge: Judge,
  needsRecord = true,
): Law => ({
  ...law,
  needs: list.needs,
  async *check(target) {
    const { samples } = target;
    const head = listCall(list, samples, { limit: await findMaxLimit(target, list) });
    const body = await readObject(target, head);
    const data = fieldOf(body, 'data');
    if (needsRecord && !Array.isArray(data))
      throw new NotCheckable(`${describeCall(head)} has no array of data: see ${list.name}-envelope.`);
    if (needsRecord && Array.isArray(data) && data.length === 0) throw new NotCheckable('the list is empty.');
    yield* judge(body, describeCall(head), samples);
    yield* inEachOrder(list, async function* (order) {
      const { pages } = await walkLarge(target, list, order);
      for (const { envelope, asked } of pages) yield* judge(envelope, asked, samples);
    });
  },
  inspect: inspectBodies(
    (samples) => [listCall(list, samples)],
    (body, call, samples) => judge(body, describeCall(call), samples),
  ),
});

/** The contract's table of a record. Where it states neither required nor nullable, both are allowed. */
const toTable = ({ record, essential }: ListUnderLaw): z.ZodObject =>
  record.extend(
    Object.fromEntries(
      Object.entries(record.shape).map(([name, field]) => {
        const schema = field as z.ZodType; // a shape holds schemas
        return [name, essential.includes(name) ? schema : whereItApplies(withGaps(schema))];
      }),
    ),
  );

/** The metrics of a checkpoint, of which each may be null, too. */
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

const ofRecords = (list: ListUnderLaw): Law => {
  const table = toTable(list);
  return ofPages(
    list,
    {
      id: `${list.name}-schema`,
      section: list.section,
      says: 'Each field of a record has the type of the contract: integers for timestamps, its constants and enums.',
    },
    function* (body, asked) {
      for (const [index, record] of dataOf(body).entries())
        yield* findMismatches(table, record, asked, `data[${index}].`);
    },
  );
};

/** Whether null may stand for the ids of a page: the contract says so for checkpoints. */
const endsOf = (list: ListUnderLaw, isEmpty: boolean): z.ZodType => {
  if (list.name === 'checkpoints') return z.nullable(z.string());
  if (list.name === 'batches') return z.exactOptional(z.string());
  // On an empty page, where there is no id to show, null is the assumption `empty-run-ends`.
  return isEmpty ? z.nullable(z.string()) : z.string();
};

const toEnvelope = (list: ListUnderLaw, isEmpty: boolean): z.ZodObject =>
  z.object({
    object: z.literal('list'),
    data: z.array(z.unknown()),
    has_more: z.boolean(),
    first_id: endsOf(list, isEmpty),
    last_id: endsOf(list, isEmpty),
  });

const ofEnvelopes = (list: ListUnderLaw): Law => {
  const [full, empty] = [toEnvelope(list, false), toEnvelope(list, true)];
  return ofPages(
    list,
    {
      id: `${list.name}-envelope`,
      section: 'List envelope',
      says: "A page has data, an array; object, 'list'; has_more, a boolean; and first_id and last_id as the contract allows.",
    },
    (body, asked) => {
      const data = fieldOf(body, 'data');
      return findMismatches(Array.isArray(data) && data.length === 0 ? empty : full, body, asked);
    },
    false,
  );
};

const ofOwners = (list: ListUnderLaw): Law[] => {
  const { owner } = list;
  if (owner === undefined) return [];
  const law = {
    id: `${list.name}-owner`,
    section: list.section,
    says: `Every record is one of the ${owner.sample} that was asked for.`,
  };
  return [
    ofPages(list, law, function* (body, asked, samples) {
      const wanted = samples[owner.sample];
      const named = dataOf(body).map((record) => fieldOf(record, owner.field));
      const stranger = named.find((id) => typeof id === 'string' && id !== wanted);
      if (stranger !== undefined)
        yield broken(asked, `${owner.field} ${show(wanted)}`, `${owner.field} ${show(stranger)}`);
    }),
  ];
};

/** A date-time may have an offset, and its letters in lower case (RFC 3339): the contract names the format alone. */
const dateTime = z
  .string()
  .toUpperCase()
  .pipe(z.iso.datetime({ offset: true }));
const policyTable = policySchema.extend({ created_at: dateTime, last_updated_at: dateTime });

const single: readonly Law[] = [
  {
    id: 'policy-schema',
    section: 'Rate-limits policy',
    says: 'A policy has every required field, each with its type: uuids, date-times, and the values of type, unit and status.',
    needs: ['policy'],
    async *check(target) {
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
    says: 'A rendering has success and data, and each field of data that appears has the type of the contract.',
    needs: ['prompt'],
    async *check(target) {
      const call = renderCall(target.samples);
      yield* findMismatches(renderPromptContract.reply, await readObject(target, call), describeCall(call));
    },
    inspect: inspectBodies(
      (samples) => [renderCall(samples)],
      (body, call) => findMismatches(renderPromptContract.reply, body, describeCall(call)),
    ),
  },
];

export const shapeLaws: readonly Law[] = [
  ...lists.map(ofRecords),
  ...lists.map(ofEnvelopes),
  ...lists.flatMap(ofOwners),
  ...single,
];
