// The gateway

export { createGateway } from './gateway/gateway.ts';
export type { Gateway } from './gateway/open-gateway.ts';
export type { GatewayOptions } from './gateway/options.ts';

// The control of a world

export type { ClockInfo } from './control/commands/clock.ts';
export type { RecordQuery } from './control/commands/record-lists.ts';
export type { RecordMethods } from './control/commands/records.ts';
export type { RequestListOptions } from './control/commands/requests.ts';
export type { ScenarioInfo, ScenarioKeys } from './control/commands/scenario.ts';
export type { SessionStart } from './control/commands/sessions.ts';
export type { SavedStateInfo } from './control/commands/state.ts';
export type { Control } from './control/control.ts';
export type { StatusHistory } from './control/status-histories.ts';

// Faults, quotas and the journal

export type { FaultInfo } from './faults/faults.ts';
export type { RequestFilter } from './journal/filter.ts';
export type { RecordedRequest } from './journal/recorded-request.ts';
export type { WaitOptions } from './journal/wait.ts';
export type { RecordedWalk, WalkOptions, WalkPage, WalkReport } from './journal/walks.ts';
export type { QuotaInfo } from './quotas/quotas.ts';

// The contract

export type { Policy } from './operations/get-rate-limits-policy/contract.ts';
export type { ListId, OperationId } from './operations/ids.ts';
export type { Batch } from './operations/list-batches/contract.ts';
export type { Checkpoint } from './operations/list-checkpoints/contract.ts';
export type { Run } from './operations/list-runs/contract.ts';
export type { Hyperparameters } from './operations/render-prompt/contract.ts';
export type { PromptMessage, PromptPreview } from './operations/render-prompt/handler.ts';
export {
  batchSchema,
  type ContractSchema,
  checkpointSchema,
  hyperparametersSchema,
  policySchema,
  runSchema,
} from './operations/schemas.ts';

// Assumptions

export type { AssumptionInUse } from './protocol/assume.ts';
export {
  type Assumption,
  type AssumptionChoices,
  type AssumptionId,
  assumptions,
} from './protocol/assumptions.ts';

// Scenarios

export type { StateChange } from './scenario/compare.ts';
export { scenarioNames } from './scenario/library.ts';
export { ScenarioError, type ScenarioMistake } from './scenario/scenario-error.ts';
export { type Scenario, type ScenarioName, scenarioJsonSchema } from './scenario/schema.ts';
export type { ShippedScenario } from './scenario/shipped-names.ts';
