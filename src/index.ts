import { policySchema as policy } from './operations/get-rate-limits-policy/contract.ts';
import type { Policy } from './operations/get-rate-limits-policy/types.ts';
import { batchSchema as batch } from './operations/list-batches/contract.ts';
import type { Batch } from './operations/list-batches/types.ts';
import { checkpointSchema as checkpoint } from './operations/list-checkpoints/contract.ts';
import type { Checkpoint } from './operations/list-checkpoints/types.ts';
import { runSchema as run } from './operations/list-runs/contract.ts';
import type { Run } from './operations/list-runs/types.ts';
import { hyperparametersSchema as hyperparameters } from './operations/render-prompt/contract.ts';
import type { Hyperparameters } from './operations/render-prompt/types.ts';
import type { ContractSchema } from './protocol/contract-schema.ts';

// The gateway

export type { Gateway } from './gateway/build-gateway.ts';
export { createGateway } from './gateway/gateway.ts';
export type { GatewayOptions } from './gateway/options.ts';

// Your own calls

export {
  type CallDefinition,
  type DefinedCall,
  defineCall,
  type OwnCall,
  type OwnCallTools,
  type PathParams,
  type Synchronous,
} from './gateway/own-calls.ts';

// The control of a world

export type { StatusHistory } from './control/status-histories.ts';
export type {
  ClockInfo,
  Control,
  Duration,
  RecordMethods,
  RecordQuery,
  RequestListOptions,
  SavedStateInfo,
  ScenarioInfo,
  ScenarioKeys,
  SessionStart,
} from './control/types.ts';

// Faults, quotas and the journal

export type { FaultInfo } from './faults/faults.ts';
export type { FaultLine } from './faults/line.ts';
export type { RequestFilter } from './journal/filter.ts';
export type { RecordedRequest } from './journal/recorded-request.ts';
export type { WaitOptions } from './journal/wait.ts';
export type { RecordedWalk, WalkOptions, WalkPage, WalkReport } from './journal/walks.ts';
export type { QuotaInfo } from './quotas/quotas.ts';

// The contract

export type { Policy } from './operations/get-rate-limits-policy/types.ts';
export type { ListId, OperationId } from './operations/ids.ts';
export type { Batch } from './operations/list-batches/types.ts';
export type { Checkpoint } from './operations/list-checkpoints/types.ts';
export type { Run } from './operations/list-runs/types.ts';
export type {
  Hyperparameters,
  Prompt,
  PromptMessage,
  PromptPreview,
} from './operations/render-prompt/types.ts';
export type { ContractSchema } from './protocol/contract-schema.ts';

/** The schema of a {@link Policy}. */
export const policySchema: ContractSchema<Policy> = policy;

/** The schema of a {@link Batch}. */
export const batchSchema: ContractSchema<Batch> = batch;

/** The schema of a {@link Checkpoint}. */
export const checkpointSchema: ContractSchema<Checkpoint> = checkpoint;

/** The schema of a {@link Run}. */
export const runSchema: ContractSchema<Run> = run;

/** The schema of {@link Hyperparameters}. */
export const hyperparametersSchema: ContractSchema<Hyperparameters> = hyperparameters;

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
export { ScenarioError, type ValidationError } from './scenario/scenario-error.ts';
export { scenarioJsonSchema } from './scenario/schema.ts';
export type { ShippedScenario } from './scenario/shipped-names.ts';
export type { Scenario, ScenarioName } from './scenario/types.ts';
