// The calls that checks make: valid ones of each operation.

import { getRateLimitsPolicyContract } from '../operations/get-rate-limits-policy/contract.ts';
import type * as operations from '../operations/index.ts';
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import { fillPath } from '../protocol/paths.ts';
import { toJsonText } from '../util/json.ts';
import type { CheckCall, CheckSamples, CheckSubject } from './check.ts';
import { batches, type CheckedList, checkpoints, listCall, runs, toQuery } from './lists.ts';

export const policyCall = (id: string, status?: string): CheckCall => ({
  method: 'GET',
  path: fillPath(getRateLimitsPolicyContract.path, { rateLimitsPolicyId: id }),
  query: toQuery({ status }),
});

/** Renders the sample prompt, with the fields of `body` beside the variables. */
export const renderCall = (
  { prompt = '', variables = {} }: CheckSamples,
  body: Readonly<Record<string, unknown>> = {},
): CheckCall => ({
  method: 'POST',
  path: fillPath(renderPromptContract.path, { promptId: prompt }),
  headers: { 'content-type': 'application/json' },
  body: toJsonText({ variables, ...body }),
});

/** A valid call of an operation. */
export interface GoodCall extends CheckSubject {
  readonly contract: OperationContract;
  readonly toCall: (samples: CheckSamples) => CheckCall;
}

const goodListCall = (list: CheckedList): GoodCall => ({
  ...list,
  toCall: (samples) => listCall(list, samples),
});

const goodCallsById: Readonly<Record<keyof typeof operations, GoodCall>> = {
  renderPrompt: { name: 'render', contract: renderPromptContract, needs: ['prompt'], toCall: renderCall },
  listRuns: goodListCall(runs),
  listBatches: goodListCall(batches),
  listCheckpoints: goodListCall(checkpoints),
  getRateLimitsPolicy: {
    name: 'policy',
    contract: getRateLimitsPolicyContract,
    needs: ['policy'],
    toCall: ({ policy = '' }) => policyCall(policy),
  },
};

/** A valid call of each operation. */
export const goodCalls: readonly GoodCall[] = Object.values(goodCallsById);

/** The valid call of an operation, by the name that its checks begin with. */
export const goodCallOf = (name: 'render' | 'policy'): GoodCall =>
  ({ render: goodCallsById.renderPrompt, policy: goodCallsById.getRateLimitsPolicy })[name];

/** Whether a call is one of an operation, with its record if it has one. */
export const isCallOf = (
  call: CheckCall,
  { name, toCall }: Pick<GoodCall, 'name' | 'toCall'>,
  samples: CheckSamples,
): boolean => {
  const isOfSame = ({ method, path }: CheckCall): boolean => call.method === method && call.path === path;
  return (
    isOfSame(toCall(samples)) || (name === 'policy' && isOfSame(policyCall(samples.archivedPolicy ?? '')))
  );
};
