// Conformance checks: the promises of the contract, to run against any gateway.

export { checks } from './conformance/checks.ts';
export { createHttpTarget, type HttpTargetOptions, type TargetKeys } from './conformance/client.ts';
export {
  type CheckOutcome,
  type CheckProgress,
  type CheckReport,
  type CheckResult,
  type RunChecksOptions,
  runChecks,
} from './conformance/run/run-checks.ts';
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
} from './conformance/types.ts';
