// That good calls succeed, and that what they answer has the shape of the contract.
import * as z from 'zod';
import { getRateLimitsPolicyContract, policy } from '../operations/get-rate-limits-policy/contract.ts';
import type * as operations from '../operations/index.ts';
import { listBatchesContract } from '../operations/list-batches/contract.ts';
import { listCheckpointsContract } from '../operations/list-checkpoints/contract.ts';
import { listRunsContract } from '../operations/list-runs/contract.ts';
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import { whereItApplies } from '../protocol/contract-types.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import { fieldOf, parseReply, policyCall, readObject, refused, renderCall } from './calls.ts';
import { broken, describeCall, type Law, type LawCall, NotCheckable, show, type Target } from './law.ts';
import { batches, checkpoints, findMaxLimit, type ListUnderLaw, listCall, lists, runs } from './lists.ts';
import { findMismatches } from './mismatches.ts';

interface GoodCall extends Pick<Law, 'needs'> {
  /** What the laws about it are called by. */
  readonly name: string;
  readonly contract: OperationContract;
  readonly call: (target: Target) => LawCall | Promise<LawCall>;
}

const goodListCall = (list: ListUnderLaw, contract: OperationContract): GoodCall => ({
  ...list,
  contract,
  call: ({ samples }) => listCall(list, samples),
});

/** A call of each operation that the contract gives no reason to refuse. */
const goodCallsById: Readonly<Record<keyof typeof operations, GoodCall>> = {
  renderPrompt: {
    name: 'render',
    contract: renderPromptContract,
    needs: ['prompt'],
    call: ({ samples }) => renderCall(samples),
  },
  listRuns: goodListCall(runs, listRunsContract),
  listBatches: goodListCall(batches, listBatchesContract),
  listCheckpoints: goodListCall(checkpoints, listCheckpointsContract),
  getRateLimitsPolicy: {
    name: 'policy',
    contract: getRateLimitsPolicyContract,
    needs: ['policy'],
    call: ({ samples: { policy: id = '' } }) => policyCall(id),
  },
};

export const goodCalls: readonly GoodCall[] = Object.values(goodCallsById);

/** Answers that may have a good reason: the keys, the record or the rate of the calls; redirects have the address. The contract shows none of them. */
const excused = [401, 403, 404, 429];

const success: readonly Law[] = goodCalls.map(({ name, contract, needs, call: toCall }) => ({
  id: `${name}-success`,
  section: contract.section,
  says: 'A good call is answered by status 200 and JSON.',
  needs,
  async *check(target) {
    const call = await toCall(target);
    const asked = describeCall(call);
    const reply = await target.call(call);
    const isRedirect = reply.status >= 300 && reply.status < 400;
    const isRefused = excused.includes(reply.status) || (reply.status === 400 && call.method === 'POST');
    if (isRedirect || isRefused) throw refused(call, reply);
    if (reply.status !== 200) {
      yield broken(asked, 'status 200', `status ${reply.status}: ${reply.text}`);
      return;
    }
    const type = reply.header('content-type') ?? 'none';
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
      yield broken(asked, 'the content type application/json', type);
    if (parseReply(reply) === undefined) yield broken(asked, 'JSON', reply.text);
  },
}));

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

const readEnvelope = async (target: Target, list: ListUnderLaw) => {
  const call = listCall(list, target.samples, { limit: await findMaxLimit(target, list) });
  return { asked: describeCall(call), envelope: await readObject(target, call) };
};

const schemas: readonly Law[] = lists.map((list) => ({
  id: `${list.name}-schema`,
  section: list.section,
  says: 'Each field of a record has the type of the contract: integers for timestamps, its constants and enums.',
  needs: list.needs,
  async *check(target) {
    const { asked, envelope } = await readEnvelope(target, list);
    const data = fieldOf(envelope, 'data');
    if (!Array.isArray(data))
      throw new NotCheckable(`${asked} has no array of data: see ${list.name}-envelope.`);
    if (data.length === 0) throw new NotCheckable('the list is empty.');
    const table = toTable(list);
    for (const [index, record] of data.entries())
      yield* findMismatches(table, record, asked, `data[${index}].`);
  },
}));

/** Whether null may stand for the ids of a page: the contract says so for checkpoints. */
const endsOf = (list: ListUnderLaw, isEmpty: boolean): z.ZodType => {
  if (list.name === 'checkpoints') return z.nullable(z.string());
  if (list.name === 'batches') return z.exactOptional(z.string());
  // On an empty page, where there is no id to tell, null is the assumption `empty-run-ends`.
  return isEmpty ? z.nullable(z.string()) : z.string();
};

const envelopes: readonly Law[] = lists.map((list) => ({
  id: `${list.name}-envelope`,
  section: 'List envelope',
  says: "A page has data, an array; object, 'list'; has_more, a boolean; and first_id and last_id as the contract allows.",
  needs: list.needs,
  async *check(target) {
    const { asked, envelope } = await readEnvelope(target, list);
    const data = fieldOf(envelope, 'data');
    const ends = endsOf(list, Array.isArray(data) && data.length === 0);
    const schema = z.object({
      object: z.literal('list'),
      data: z.array(z.unknown()),
      has_more: z.boolean(),
      first_id: ends,
      last_id: ends,
    });
    yield* findMismatches(schema, envelope, asked);
  },
}));

const owners: readonly Law[] = lists.flatMap((list) => {
  const { owner } = list;
  if (owner === undefined) return [];
  return [
    {
      id: `${list.name}-owner`,
      section: list.section,
      says: `Every record is one of the ${owner.sample} that was asked for.`,
      needs: list.needs,
      async *check(target: Target) {
        const { asked, envelope } = await readEnvelope(target, list);
        const data = fieldOf(envelope, 'data');
        const wanted = target.samples[owner.sample];
        if (!Array.isArray(data) || data.length === 0) throw new NotCheckable('the list has no records.');
        const named = data.map((record) => fieldOf(record, owner.field));
        const stranger = named.find((id) => typeof id === 'string' && id !== wanted);
        if (stranger !== undefined)
          yield broken(asked, `${owner.field} ${show(wanted)}`, `${owner.field} ${show(stranger)}`);
      },
    },
  ];
});

/** A date-time may have an offset, and its letters in lower case (RFC 3339): the contract names the format alone. */
const dateTime = z
  .string()
  .toUpperCase()
  .pipe(z.iso.datetime({ offset: true }));
const policyTable = policy.extend({ created_at: dateTime, last_updated_at: dateTime });

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
  },
];

export const replyLaws: readonly Law[] = [...success, ...schemas, ...envelopes, ...owners, ...single];
