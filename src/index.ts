// The gateway

export type { Gateway } from './service/gateway/build-gateway.ts';
export { createGateway } from './service/gateway/create-gateway.ts';
export type { GatewayOptions } from './service/gateway/gateway-options.ts';

// Your own calls

export * from './service/gateway/define.ts';

// The control of a world

export type * from './service/control/control-interface.ts';
export type { StatusHistory } from './service/control/status-histories.ts';

// Faults, quotas and the journal

export type { FaultInfo } from './core/faults/fault.ts';
export type { FaultLine } from './core/faults/line.ts';
export type { ExpectOptions } from './core/journal/expect.ts';
export type { RecordedRequest } from './core/journal/recorded-request.ts';
export type { RequestFilter } from './core/journal/request-filter.ts';
export type { WaitOptions } from './core/journal/wait-for-requests.ts';
export type { RecordedWalk, WalkOptions, WalkPage, WalkReport } from './core/journal/walks.ts';
export type { QuotaGroup, QuotaInfo } from './core/quotas/quotas.ts';

// The contract

export type { Policy } from './core/operations/get-rate-limits-policy/types.ts';
export type { ListId, OperationId } from './core/operations/ids.ts';
export type { Batch } from './core/operations/list-batches/types.ts';
export type { Checkpoint } from './core/operations/list-checkpoints/types.ts';
export type { Run } from './core/operations/list-runs/types.ts';
export type {
  Hyperparameters,
  Prompt,
  PromptInfo,
  PromptMessage,
  PromptPreview,
} from './core/operations/render-prompt/types.ts';

// Assumptions

export type { AssumptionInUse } from './core/assumptions/marking.ts';
export {
  type Assumption,
  type AssumptionChoices,
  type AssumptionId,
  assumptions,
} from './core/assumptions/table.ts';

// Scenarios

export type { StateChange } from './core/scenario/compare.ts';
export { scenarioNames } from './core/scenario/library.ts';
export { ScenarioError } from './core/scenario/scenario-error.ts';
export { scenarioJsonSchema } from './core/scenario/scenario-schema.ts';
export type { Scenario, ScenarioName } from './core/scenario/scenario-types.ts';
export type { ShippedScenario } from './core/scenario/shipped-names.ts';
export type { ValidationError } from './core/util/validation-error.ts';
