// The contract's promises, to hold any gateway to.
export { createHttpTarget, type HttpTargetOptions } from './conformance/http-target.ts';
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
} from './conformance/law.ts';
export { laws } from './conformance/laws.ts';
export {
  type LawReport,
  type LawResult,
  type Outcome,
  type RunOptions,
  runLaws,
} from './conformance/run-laws.ts';
export type { TargetKeys } from './conformance/target-call.ts';
