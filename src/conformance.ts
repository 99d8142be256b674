// The contract's promises, to hold any gateway to.

export type {
  Finding,
  KeyHeader,
  Law,
  LawCall,
  LawReply,
  Need,
  Observation,
  Samples,
  Target,
} from './conformance/check.ts';
export { laws } from './conformance/checks.ts';
export { createHttpTarget, type HttpTargetOptions } from './conformance/http-target.ts';
export {
  type LawReport,
  type LawResult,
  type Outcome,
  type RunOptions,
  runLaws,
} from './conformance/run-checks.ts';
export type { TargetKeys } from './conformance/target-call.ts';
