// `gateway-mock verify`: reads the keys, runs the checks and writes the report.
import { writeFile } from 'node:fs/promises';
import { createHttpTarget } from '../conformance/client.ts';
import { countOutcomes, describeFinding, toJson, toJunit, toTable } from '../conformance/run/report.ts';
import {
  type CheckProgress,
  type CheckReport,
  isOfContract,
  runChecks,
} from '../conformance/run/run-checks.ts';
import type { CheckFinding, CheckSamples, UncheckedCause } from '../conformance/types.ts';
import { findTarget } from './target-options.ts';
import { createProgressLine, untilInterrupted } from './target-progress.ts';
import { fail } from './usage-error.ts';
import type { VerifyFlags } from './verify-options.ts';

/**
 * Runs the conformance checks against the gateway at a base URL. Returns the report, and the exit code: 1 if a check failed, 2 if
 * calls got no reply, valid calls were refused, or the run was incomplete or interrupted. `error` is a problem found after the run:
 * a file could not be written, or a record of the options was not found.
 *
 * @throws UsageError if keys are missing, a file cannot be read, or the target does not answer
 * @example
 * const { text, exitCode } = await verify(flags, process.env);
 */
export const verify = async (flags: VerifyFlags, env: NodeJS.ProcessEnv) => {
  const { maxCalls, maxTime, junit, thread, otherThread, job, policy, archivedPolicy } = flags;
  const { prompt, variables, probePrompt } = flags;
  const samples = { thread, otherThread, job, policy, archivedPolicy, prompt, variables, probePrompt };
  samples satisfies Record<keyof CheckSamples, unknown>;
  if (variables !== undefined && prompt === undefined) fail('--variables also needs --prompt ID.');
  const { baseUrl: against, keys, ...calling } = await findTarget(flags, env);

  const line = createProgressLine();
  const { report, isInterrupted } = await untilInterrupted(async (signal) => {
    const options = { ...calling, onWait: line.showWait, signal };
    const onProgress = ({ calls, check }: CheckProgress): void => line.show(`${calls} calls, ${check}`);
    const target = createHttpTarget(against, keys, samples, options);
    const found = await runChecks(target, { maxCalls, maxTime, onProgress, signal });
    return { report: found, isInterrupted: signal.aborted };
  }).finally(line.end);
  if (!isInterrupted) expectAnswers(report, against);
  const lack = isInterrupted
    ? `the run was interrupted: ${report.cutShort} checks did not run.`
    : describeIncomplete(report, flags, keys.virtualKey !== undefined);
  const unwritten =
    junit &&
    (await writeFile(junit, toJunit(against, report)).then(
      () => undefined,
      ({ message }: Error) => `failed to write the report: ${message}.`,
    ));
  const { failed, differs } = countOutcomes(report);
  const isFailed = failed > 0 || (flags.strict === true && differs > 0);
  const isIncomplete = report.unanswered > 0 || lack !== undefined;
  // After Ctrl-C, failures found by comparing pages are not checked a second time, so they may be false.
  const exitCode = isFailed && !isInterrupted ? 1 : isIncomplete ? 2 : 0;
  const text = flags.json ? toJson(against, report) : toTable(report);
  return { text, exitCode, error: unwritten ?? (exitCode === 1 ? undefined : lack) };
};

/**
 * Why a run is incomplete: it reached its limit of calls or time, or a record of the options could not be read (such as a thread
 * with a mistyped id), or checks were left out although `--require-all` was set.
 */
const describeIncomplete = (
  { results, cutShort }: CheckReport,
  { maxCalls, maxTime, thread, job, requireAll }: VerifyFlags,
  hasVirtualKey: boolean,
): string | undefined => {
  if (cutShort > 0)
    return `the run is incomplete: ${cutShort} checks did not run. Raise --max-calls (it was ${maxCalls}) or --max-time (it was ${maxTime} ms).`;
  if (!hasVirtualKey && (thread ?? job) !== undefined)
    return `${thread === undefined ? '--job' : '--thread'} was not read: that needs a virtual key. Set GATEWAY_VIRTUAL_KEY in the environment, or in a file for --keys.`;
  const ofContract = results.filter(({ check }) => isOfContract(check));
  const causes = { refused: 'valid calls were refused', unreadable: 'replies could not be read' } as const;
  for (const cause of ['refused', 'unreadable'] as const) {
    const reasons = ofContract.map(({ findings }) => reasonsOf(findings, cause)).filter(([first]) => first);
    if (reasons.length === 0) continue;
    const shown = [...new Set(preferHints(reasons.flat()))].slice(0, 3).join(' ');
    return `${reasons.length} checks were not done, as ${causes[cause]}: ${shown}`;
  }
  const left = ofContract.filter(({ outcome }) => outcome === 'unchecked').length;
  if (!requireAll || left === 0) return undefined;
  return `${left} checks of the contract were not done (--require-all): the report says what they need.`;
};

/** The reasons of unchecked findings with this cause. */
const reasonsOf = (findings: readonly CheckFinding[], cause: UncheckedCause): string[] =>
  findings.flatMap((finding) =>
    finding.kind === 'unchecked' && finding.cause === cause ? [finding.reason] : [],
  );

/** The reasons with a likely cause, which is in brackets; if there are none, all. */
const preferHints = (reasons: readonly string[]): readonly string[] => {
  const hinted = reasons.filter((reason) => reason.endsWith(').'));
  return hinted.length > 0 ? hinted : reasons;
};

/** A run in which no call succeeded proves nothing, whether or not checks failed. */
const expectAnswers = (report: CheckReport, against: string): void => {
  const { results, calls, unanswered, succeeded } = report;
  const findings = results.flatMap((result) => result.findings);
  if (calls > 0 && unanswered === calls)
    fail(`failed to reach ${against}. ${reasonsOf(findings, 'unanswered')[0]}.`);
  const isDone = results.some(
    ({ check, outcome }) => outcome === 'failed' || (check.id.endsWith('-success') && outcome === 'passed'),
  );
  if (succeeded > 0 && isDone) return;
  const failures = findings
    .filter(({ kind }) => kind === 'failed')
    .map((finding) => `${describeFinding(finding)}.`);
  const refusals = preferHints(reasonsOf(findings, 'refused'));
  const [reason = 'Give more options, such as --virtual-key.'] = [...failures, ...refusals];
  fail(`no valid call to ${against} succeeded, so nothing could be checked. ${reason}`);
};
