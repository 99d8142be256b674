// The gateway

// The control of a world
export type {
  ClockControl,
  ClockInfo,
  Control,
  ScenarioInfo,
  SessionsControl,
  StateControl,
} from './control.ts';
export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
// The contract
export { type Policy, policy } from './operations/get-rate-limits-policy/contract.ts';
export { type Batch, batch } from './operations/list-batches/contract.ts';
export { type Checkpoint, checkpoint } from './operations/list-checkpoints/contract.ts';
export { type Run, run } from './operations/list-runs/contract.ts';
export { type Hyperparameters, hyperparameters } from './operations/render-prompt/contract.ts';
// Assumptions
export type { AssumptionInUse } from './protocol/assume.ts';
export {
  type Assumption,
  type AssumptionChoices,
  type AssumptionId,
  assumptions,
} from './protocol/assumptions.ts';
export type { RecordControl, RecordQuery, RecordsControl } from './records.ts';

// Scenarios
export { scenarioNames } from './scenario/load.ts';
export { type Mistake, ScenarioError } from './scenario/mistakes.ts';
export { type Scenario, scenarioJsonSchema } from './scenario/schema.ts';
