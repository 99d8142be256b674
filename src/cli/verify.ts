// `gateway-mock verify`: reads the keys, runs the checks and writes the report.
import { stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isLoopback } from '../admin/guard.ts';
import type { CheckFinding, CheckSamples, UncheckedCause } from '../conformance/check.ts';
import { createHttpTarget } from '../conformance/http-target.ts';
import { countOutcomes, describeFinding, toJson, toJunit, toTable } from '../conformance/report.ts';
import { type CheckReport, isOfContract, runChecks } from '../conformance/run-checks.ts';
import { compareWithBaseline, readBaseline } from './baseline-file.ts';
import { findTargetKeys, TargetError, toBaseUrl } from './target-options.ts';
import type { VerifyFlags } from './verify-options.ts';

/** The report, and the exit code: 1 if a check failed, 2 if calls got no reply or the run was incomplete. */
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
  const { timeout, maxCalls, maxTime, junit } = flags;
  if (flags.variables !== undefined && flags.prompt === undefined)
    throw new TargetError('--variables also needs --prompt ID.');
  const against = toBaseUrl(flags.against);
  const keys = await findTargetKeys(flags, env);
  const rate = flags.rate ?? (isLoopback(new URL(against).hostname) ? undefined : 10);
  const target = createHttpTarget(against, keys, samplesOf(flags), { rate, timeout, mask: flags.mask });
  if (junit !== undefined) await expectPlace(junit, 'the report');
  if (flags.baseline !== undefined && flags.updateBaseline) await expectPlace(flags.baseline, 'the baseline');
  const known = await readBaseline(flags);

  const found = await runChecks(target, { maxCalls, maxTime });
  expectAnswers(found, against);
  const lack = describeIncomplete(found, flags) ?? describeMissing(found, samplesOf(flags));
  const { report, comparison, mistake } = await compareWithBaseline(found, known, flags, lack);
  const unwritten = junit && (await writeReport(junit, toJunit(against, report, comparison)));
  const isIncomplete = report.unanswered > 0 || report.cutShort > 0;
  const exitCode = countOutcomes(report).failed > 0 ? 1 : isIncomplete ? 2 : 0;
  const text = flags.json ? toJson(against, report, comparison) : toTable(report, comparison);
  return { text, exitCode, mistake: unwritten ?? mistake ?? (exitCode === 1 ? undefined : lack) };
};

/** The message for a run that reached its limit of calls or time. */
const describeIncomplete = (
  { cutShort }: CheckReport,
  { maxCalls, maxTime }: VerifyFlags,
): string | undefined =>
  cutShort === 0
    ? undefined
    : `the run is incomplete: ${cutShort} checks did not run. Raise --max-calls (it was ${maxCalls}) or --max-time (it was ${maxTime} ms).`;

/** The message for a given record that could not be read, such as a thread with a mistyped id. */
const describeMissing = ({ results }: CheckReport, samples: CheckSamples): string | undefined => {
  const { variables: _, ...ids } = samples; // no record
  const given = Object.entries(ids).flatMap(([name, id]) => (id === undefined ? [] : [name]));
  const reasons = given.flatMap((name) => {
    const asked = results.filter(
      ({ check }) => check.needs.some((need) => need === name) && isOfContract(check),
    );
    if (asked.some(({ outcome }) => outcome !== 'unchecked')) return [];
    return asked.flatMap(({ findings }) => reasonsOf(findings, 'refused')).slice(0, 1);
  });
  return reasons.length === 0 ? undefined : `failed to read the given records: ${reasons.join(' ')}`;
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
      reasonsOf(findings, 'refused')[0] ??
      'Give more options, such as --virtual-key.';
    throw new TargetError(`no valid call to ${against} succeeded, so nothing could be checked. ${reason}`);
  }
};

/** Checks that a file can be written, before any call. */
const expectPlace = async (file: string, what: string): Promise<void> => {
  const isFolder = async (path: string): Promise<boolean> =>
    (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
  if (await isFolder(file)) throw new TargetError(`failed to write ${what}: "${file}" is a folder.`);
  if (!(await isFolder(dirname(resolve(file)))))
    throw new TargetError(`failed to write ${what}: the folder of "${file}" does not exist.`);
};

/** Writes the report, and returns why it failed, if so: the report is printed in any case. */
const writeReport = (file: string, text: string): Promise<string | undefined> =>
  writeFile(file, text).then(
    () => undefined,
    ({ message }: Error) => `failed to write the report: ${message}.`,
  );
