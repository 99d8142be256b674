// Conformance checks: the promises of the contract, to run against any gateway.

export { checks } from './tools/conformance/checks.ts';
export { createHttpTarget, type HttpTargetOptions, type TargetKeys } from './tools/conformance/client.ts';
export {
  type CheckOutcome,
  type CheckProgress,
  type CheckReport,
  type CheckResult,
  type RunChecksOptions,
  runChecks,
} from './tools/conformance/run/run-checks.ts';
export type * from './tools/conformance/types.ts';
