// Conformance checks: the promises of the contract, to run against any gateway.

export type {
  Check,
  CheckCall,
  CheckFinding,
  CheckNeed,
  CheckObservation,
  CheckReply,
  CheckSamples,
  CheckTarget,
  KeyHeader,
} from './conformance/check.ts';
export { checks } from './conformance/checks.ts';
export { createHttpTarget, type HttpTargetOptions } from './conformance/http-target.ts';
export {
  type CheckOutcome,
  type CheckReport,
  type CheckResult,
  type RunChecksOptions,
  runChecks,
} from './conformance/run-checks.ts';
export type { TargetKeys } from './conformance/target-call.ts';
