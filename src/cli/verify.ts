// `gateway-mock verify`: reads the keys, runs the checks and writes the report.
import { stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createHttpTarget } from '../conformance/client.ts';
import { countOutcomes, describeFinding, toJson, toJunit, toTable } from '../conformance/run/report.ts';
import {
  type CheckProgress,
  type CheckReport,
  isOfContract,
  runChecks,
} from '../conformance/run/run-checks.ts';
import type { CheckFinding, CheckSamples, UncheckedCause } from '../conformance/types.ts';
import { findTarget, TargetError } from './target-options.ts';
import { createProgressLine, untilInterrupted } from './target-progress.ts';
import type { VerifyFlags } from './verify-options.ts';

/** The report, and the exit code: 1 if a check failed, 2 if calls got no reply, valid ones were refused, or the run was incomplete or interrupted. */
export interface Verified {
  readonly text: string;
  readonly exitCode: 0 | 1 | 2;
  /** A problem found after the run: a file could not be written, or a given record was not found. */
  readonly mistake?: string | undefined;
}

/**
 * Runs the conformance checks against the gateway at a base URL.
 *
 * @throws TargetError if keys are missing, a file cannot be read or written, or the target does not answer
 * @example
 * const { text, exitCode } = await verify(flags, process.env);
 */
export const verify = async (flags: VerifyFlags, env: NodeJS.ProcessEnv): Promise<Verified> => {
  const { maxCalls, maxTime, junit } = flags;
  if (flags.variables !== undefined && flags.prompt === undefined)
    throw new TargetError('--variables also needs --prompt ID.');
  const { baseUrl: against, keys, ...calling } = await findTarget(flags, env);
  if (junit !== undefined) await expectPlace(junit);

  const line = createProgressLine();
  const { report, isInterrupted } = await untilInterrupted(async (signal) => {
    const options = { ...calling, onWait: line.showWait, signal };
    const onProgress = ({ calls, check }: CheckProgress): void => line.show(`${calls} calls, ${check}`);
    const target = createHttpTarget(against, keys, samplesOf(flags), options);
    const found = await runChecks(target, { maxCalls, maxTime, onProgress, signal });
    return { report: found, isInterrupted: signal.aborted };
  }).finally(line.end);
  if (!isInterrupted) expectAnswers(report, against);
  const lack = isInterrupted
    ? `the run was interrupted: ${report.cutShort} checks did not run.`
    : (describeIncomplete(report, flags) ?? describeUnchecked(report));
  const unwritten = junit && (await writeReport(junit, toJunit(against, report)));
  const { failed, differs } = countOutcomes(report);
  const isFailed = failed > 0 || (flags.strict === true && differs > 0);
  const isIncomplete = report.unanswered > 0 || lack !== undefined;
  // What failed by comparing pages is not looked at again after Ctrl-C, so it may be no failure.
  const exitCode = isFailed && !isInterrupted ? 1 : isIncomplete ? 2 : 0;
  const text = flags.json ? toJson(against, report) : toTable(report);
  return { text, exitCode, mistake: unwritten ?? (exitCode === 1 ? undefined : lack) };
};

/** The message for a run that reached its limit of calls or time. */
const describeIncomplete = (report: CheckReport, { maxCalls, maxTime }: VerifyFlags): string | undefined => {
  if (report.cutShort === 0) return undefined;
  return `the run is incomplete: ${report.cutShort} checks did not run. Raise --max-calls (it was ${maxCalls}) or --max-time (it was ${maxTime} ms).`;
};

/** The message for checks that could not be done although everything was given, such as a thread with a mistyped id. */
const describeUnchecked = ({ results }: CheckReport): string | undefined => {
  const refused = results.filter(
    ({ check, findings }) => isOfContract(check) && reasonsOf(findings, 'refused').length > 0,
  );
  const reasons = refused.flatMap(({ findings }) => reasonsOf(findings, 'refused'));
  if (reasons.length === 0) return undefined;
  const hinted = reasons.filter((reason) => reason.endsWith('?).') || reason.endsWith('may help).'));
  const shown = [...new Set(hinted.length > 0 ? hinted : reasons)].slice(0, 3).join(' ');
  return `${refused.length} checks were not done, as valid calls were refused: ${shown}`;
};

/** The reasons of unchecked findings with this cause. */
const reasonsOf = (findings: readonly CheckFinding[], cause: UncheckedCause): string[] =>
  findings.flatMap((finding) =>
    finding.kind === 'unchecked' && finding.cause === cause ? [finding.reason] : [],
  );

const samplesOf = (flags: VerifyFlags): CheckSamples => {
  const { thread, job, policy, archivedPolicy, prompt, variables } = flags;
  return { thread, job, policy, archivedPolicy, prompt, variables } satisfies Record<
    keyof CheckSamples,
    unknown
  >;
};

/** A run in which no call succeeded proves nothing, whether or not checks failed. */
const expectAnswers = (report: CheckReport, against: string): void => {
  const { results, calls, unanswered, succeeded } = report;
  const { failed } = countOutcomes(report);
  const findings = results.flatMap((result) => result.findings);
  if (calls > 0 && unanswered === calls)
    throw new TargetError(`failed to reach ${against}. ${reasonsOf(findings, 'unanswered')[0]}.`);
  const isAnyGood = results.some(
    ({ check, outcome }) => check.id.endsWith('-success') && outcome === 'passed',
  );
  if (succeeded === 0 || (failed === 0 && !isAnyGood)) {
    const first = findings.find(({ kind }) => kind === 'failed');
    const reason =
      (first && `${describeFinding(first)}.`) ??
      reasonsOf(findings, 'refused').find((one) => one.includes(' (')) ??
      reasonsOf(findings, 'refused')[0] ??
      'Give more options, such as --virtual-key.';
    throw new TargetError(`no valid call to ${against} succeeded, so nothing could be checked. ${reason}`);
  }
};

/** Checks that the report can be written, before any call. */
const expectPlace = async (file: string): Promise<void> => {
  const isFolder = async (path: string): Promise<boolean> =>
    (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
  if (await isFolder(file)) throw new TargetError(`failed to write the report: "${file}" is a folder.`);
  if (!(await isFolder(dirname(resolve(file)))))
    throw new TargetError(`failed to write the report: the folder of "${file}" does not exist.`);
};

/** Writes the report, and returns why it failed, if so: the report is printed in any case. */
const writeReport = (file: string, text: string): Promise<string | undefined> =>
  writeFile(file, text).then(
    () => undefined,
    ({ message }: Error) => `failed to write the report: ${message}.`,
  );
