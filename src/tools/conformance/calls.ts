// The valid calls of each operation, which checks make.

import { getRateLimitsPolicyContract } from '../../core/operations/get-rate-limits-policy/contract.ts';
import type * as operations from '../../core/operations/index.ts';
import type { OperationContract } from '../../core/operations/operation.ts';
import { renderPromptContract } from '../../core/operations/render-prompt/contract.ts';
import { fillPath } from '../../core/protocol/paths.ts';
import { toJsonText } from '../../core/util/json.ts';
import type { Mapping } from '../../core/util/mapping.ts';
import type { CheckSubject } from './check.ts';
import { batches, type CheckedList, checkpoints, listCall, runs, toQuery } from './lists.ts';
import { parseReply } from './replies.ts';
import type { Check, CheckCall, CheckFinding, CheckSamples, CheckTarget } from './types.ts';
import { idsOf, readPage } from './walk.ts';

export const policyCall = (id: string, status?: string): CheckCall => ({
  method: 'GET',
  path: fillPath(getRateLimitsPolicyContract.path, { rateLimitsPolicyId: id }),
  query: toQuery({ status }),
});

/** Renders the sample prompt, with the fields of `body` beside the variables. */
export const renderCall = ({ prompt = '', variables = {} }: CheckSamples, body: Mapping = {}): CheckCall => ({
  method: 'POST',
  path: fillPath(renderPromptContract.path, { promptId: prompt }),
  headers: { 'content-type': 'application/json' },
  body: toJsonText({ variables, ...body }),
});

export interface ValidCalls extends CheckSubject {
  readonly contract: OperationContract;
  readonly toCall: (samples: CheckSamples) => CheckCall;
  /** The call without parameters, and with each parameter: some gateways check keys, or refuse a call, on one path only. */
  readonly toCalls: (target: CheckTarget, limits: readonly number[]) => Promise<readonly CheckCall[]>;
}

/** The calls of a list: with the limits that the contract allows, and with ids that were just read. */
const ofList = (list: CheckedList): ValidCalls => ({
  ...list,
  toCall: (samples) => listCall(list, samples),
  toCalls: async (target, limits) => {
    const [after, before] = idsOf(await readPage(target, list, {}, { fresh: true }));
    return [
      {},
      ...limits
        .filter((limit) => list !== checkpoints || limit <= list.defaultLimit)
        .map((limit) => ({ limit })),
      ...(list === runs ? (['asc', 'desc'] as const).map((order) => ({ order })) : []),
      ...(after === undefined ? [] : [{ after }, { after, limit: 2 }]),
      ...(list === runs && before !== undefined ? [{ before }] : []),
    ].map((query) => listCall(list, target.samples, query));
  },
});

export const validCallsById: Readonly<Record<keyof typeof operations, ValidCalls>> = {
  renderPrompt: {
    name: 'render',
    contract: renderPromptContract,
    needs: ['prompt'],
    toCall: renderCall,
    toCalls: async ({ samples }) =>
      [{}, { stream: true }, { temperature: 0.5 }, { messages: [{ role: 'user', content: 'gwm' }] }].map(
        (body) => renderCall(samples, body),
      ),
  },
  listRuns: ofList(runs),
  listBatches: ofList(batches),
  listCheckpoints: ofList(checkpoints),
  getRateLimitsPolicy: {
    name: 'policy',
    contract: getRateLimitsPolicyContract,
    needs: ['policy'],
    toCall: ({ policy = '' }) => policyCall(policy),
    toCalls: async ({ samples: { policy = '', archivedPolicy: archived } }) => [
      policyCall(policy),
      policyCall(policy, 'active'),
      ...(archived === undefined ? [] : [policyCall(archived, 'archived')]),
    ],
  },
};

export const validCalls: readonly ValidCalls[] = Object.values(validCallsById);

/** The record that identifies the calls of an operation. */
type Subject = Pick<ValidCalls, 'toCall'>;

/** Whether a call belongs to an operation, and is for its record if the operation has one. */
export const isCallOf = (call: CheckCall, { toCall }: Subject, samples: CheckSamples): boolean =>
  [samples, { policy: samples.archivedPolicy, thread: samples.otherThread }]
    .map(toCall)
    .some(({ method, path }) => call.method === method && call.path === path);

/** Inspects the JSON bodies of all replies of an operation to this record. The success check reports other bodies. */
export const inspectBodies =
  (
    subject: Subject,
    judge: (body: unknown, call: CheckCall, samples: CheckSamples) => Iterable<CheckFinding>,
  ): NonNullable<Check['watch']> =>
  () =>
  (call, reply, samples) => {
    const body = reply.status === 200 && isCallOf(call, subject, samples) ? parseReply(reply) : undefined;
    return body === undefined ? [] : judge(body, call, samples);
  };
