// The work of `gateway-mock verify`: keys, a run of the laws, and what is shown of it.
import { stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isLoopback } from '../admin/guard.ts';
import type { Finding, Samples, UncheckedCause } from '../conformance/check.ts';
import { createHttpTarget } from '../conformance/http-target.ts';
import { countOutcomes, describeFinding, toJson, toJunit, toTable } from '../conformance/report.ts';
import { isOfContract, type LawReport, runLaws } from '../conformance/run-checks.ts';
import { compareWithBaseline, readBaseline } from './baseline-file.ts';
import { findTargetKeys, TargetError, toBaseUrl } from './target-options.ts';
import type { VerifyFlags } from './verify-options.ts';

/** What to print, and the exit code: 1 where a promise of the contract is broken, 2 where calls were not answered or the run was cut short. */
export interface Verified {
  readonly text: string;
  readonly exitCode: 0 | 1 | 2;
  /** What came up after the run: a file could not be written, or what was given to look at was not found. */
  readonly mistake?: string | undefined;
}

/**
 * Holds the gateway at a base URL to the laws.
 *
 * @throws TargetError where keys are missing, a file cannot be read or written, or the target does not answer
 * @example
 * const { text, exitCode } = await verify(flags, process.env);
 */
export const verify = async (flags: VerifyFlags, env: NodeJS.ProcessEnv): Promise<Verified> => {
  const { timeout, maxCalls, maxTime, junit } = flags;
  if (flags.variables !== undefined && flags.prompt === undefined)
    throw new TargetError('--variables needs --prompt ID: the prompt whose variables they are.');
  const against = toBaseUrl(flags.against);
  const keys = await findTargetKeys(flags, env);
  const rate = flags.rate ?? (isLoopback(new URL(against).hostname) ? undefined : 10);
  const target = createHttpTarget(against, keys, samplesOf(flags), { rate, timeout });
  if (junit !== undefined) await expectPlace(junit, 'the report');
  if (flags.baseline !== undefined && flags.updateBaseline) await expectPlace(flags.baseline, 'the baseline');
  const known = await readBaseline(flags);

  const found = await runLaws(target, { maxCalls, maxTime });
  expectAnswers(found, against);
  const lack = describeCut(found, flags) ?? findUnseen(found, samplesOf(flags));
  const { report, comparison, mistake } = await compareWithBaseline(found, known, flags, lack);
  const unwritten = junit && (await writeReport(junit, toJunit(against, report, comparison)));
  const isIncomplete = report.unanswered > 0 || report.cutShort > 0;
  const exitCode = countOutcomes(report).broken > 0 ? 1 : isIncomplete ? 2 : 0;
  const text = flags.json ? toJson(against, report, comparison) : toTable(report, comparison);
  return { text, exitCode, mistake: unwritten ?? mistake ?? (exitCode === 1 ? undefined : lack) };
};

/** That laws were left because the calls or the time were used up, and how to go on. */
const describeCut = ({ cutShort }: LawReport, { maxCalls, maxTime }: VerifyFlags): string | undefined =>
  cutShort === 0
    ? undefined
    : `the run was cut short: ${cutShort} laws were left. Raise --max-calls (it was ${maxCalls}) or --max-time (it was ${maxTime} ms).`;

/** What was given to look at, and was not to be seen, such as a thread by a mistyped id: then little was found out of it. */
const findUnseen = ({ results }: LawReport, samples: Samples): string | undefined => {
  const given = (['thread', 'job', 'policy', 'archivedPolicy', 'prompt'] as const).filter(
    (need) => samples[need] !== undefined,
  );
  const reasons = given.flatMap((need) => {
    const asked = results.filter(({ law }) => law.needs.includes(need) && isOfContract(law));
    if (asked.some(({ outcome }) => outcome !== 'unchecked')) return [];
    return asked.flatMap(({ findings }) => reasonsOf(findings, 'refused')).slice(0, 1);
  });
  return reasons.length === 0 ? undefined : `what was given could not be looked at: ${reasons.join(' ')}`;
};

/** Why laws could not be checked, by this cause. */
const reasonsOf = (findings: readonly Finding[], cause: UncheckedCause): string[] =>
  findings.flatMap((finding) =>
    finding.kind === 'unchecked' && finding.cause === cause ? [finding.why] : [],
  );

const samplesOf = ({ thread, job, policy, archivedPolicy, prompt, variables }: VerifyFlags): Samples => ({
  thread,
  job,
  policy,
  archivedPolicy,
  prompt,
  variables,
});

/** A run proves nothing if no call succeeded, whether or not laws were broken. */
const expectAnswers = (report: LawReport, against: string): void => {
  const { results, calls, unanswered, succeeded } = report;
  const { broken } = countOutcomes(report);
  const findings = results.flatMap((result) => result.findings);
  if (calls > 0 && unanswered === calls)
    throw new TargetError(`${against} cannot be reached. ${reasonsOf(findings, 'unanswered')[0]}.`);
  const isAnyGood = results.some(({ law, outcome }) => law.id.endsWith('-success') && outcome === 'kept');
  if (succeeded === 0 || (broken === 0 && !isAnyGood)) {
    const first = findings.find(({ kind }) => kind === 'broken');
    const reason =
      (first && `${describeFinding(first)}.`) ??
      reasonsOf(findings, 'refused')[0] ??
      'Give it something to look at, such as --virtual-key.';
    throw new TargetError(`no good call to ${against} succeeds, so nothing can be said of it. ${reason}`);
  }
};

/** Told before anything is asked of the gateway. */
const expectPlace = async (file: string, what: string): Promise<void> => {
  const isFolder = async (path: string): Promise<boolean> =>
    (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
  if (await isFolder(file)) throw new TargetError(`${what} cannot be written: "${file}" is a folder.`);
  if (!(await isFolder(dirname(resolve(file)))))
    throw new TargetError(`${what} cannot be written: there is no folder for "${file}".`);
};

/** What keeps a report from being written, where something does: what was found is printed all the same. */
const writeReport = (file: string, text: string): Promise<string | undefined> =>
  writeFile(file, text).then(
    () => undefined,
    ({ message }: Error) => `the report cannot be written: ${message}.`,
  );
