// The baseline: accepted findings, so that only new ones fail a run.
import * as z from 'zod';
import { didYouMean } from '../../util/nearest.ts';
import { toPathText } from '../../util/path-text.ts';
import type { CheckFinding } from '../check.ts';
import { checks } from '../checks.ts';
import { aboutOf } from './inspection.ts';
import { type CheckReport, type CheckResult, outcomeOf } from './run-checks.ts';

/** The parts of a finding that are the same in every run: no record ids, counts or reply texts. */
const knownFinding = z.strictObject({
  check: z.string(),
  outcome: z.enum(['failed', 'differs']),
  about: z.string().exactOptional(),
});

export type KnownFinding = z.output<typeof knownFinding>;

const baseline = z.strictObject({ version: z.literal(1), findings: z.array(knownFinding) });

/** Parses a baseline. @throws Error on an invalid one, with the path. An unknown check would otherwise have no effect, unnoticed. */
export const parseBaseline = (text: string): readonly KnownFinding[] => {
  const { data, error } = baseline.safeParse(JSON.parse(text));
  if (data !== undefined) return data.findings.map(expectCheck);
  const [issue] = error.issues;
  throw new Error(`${toPathText(issue?.path ?? []) || 'the file'}: ${issue?.message ?? ''}`);
};

const checkIds = checks.map(({ id }) => id);

const expectCheck = (finding: KnownFinding, index: number): KnownFinding => {
  if (checkIds.includes(finding.check)) return finding;
  const near = didYouMean(finding.check, checkIds);
  throw new Error(
    `findings[${index}].check: unknown check "${finding.check}".${near} Correct it, or remove the finding`,
  );
};

/** A baseline as text: one finding per line, sorted, so that diffs are easy to read. */
export const toBaseline = (findings: readonly KnownFinding[]): string => {
  const lines = findings.map((finding) => `    ${JSON.stringify(finding)}`).sort();
  return `{\n  "version": 1,\n  "findings": [${lines.length > 0 ? `\n${lines.join(',\n')}\n  ` : ''}]\n}\n`;
};

/** The comparison of a run with a baseline. */
export interface Comparison {
  readonly file: string;
  /** The number of its findings that were found again. */
  readonly again: number;
  /** Those that were not found again, although their check was done. */
  readonly fixed: readonly KnownFinding[];
  /** The number of those whose check was not done. */
  readonly unchecked: number;
  /** Whether this run wrote the file. */
  readonly isUpdated: boolean;
}

/** A finding that counts against a target. */
type Deviation = Extract<CheckFinding, { kind: KnownFinding['outcome'] }>;

const isDeviation = (finding: CheckFinding): finding is Deviation =>
  finding.kind === 'failed' || finding.kind === 'differs';

const toKnown = (check: string, finding: Deviation): KnownFinding => {
  const about = aboutOf(finding);
  return { check, outcome: finding.kind, ...(about !== undefined && { about }) };
};

const idOf = ({ check, outcome, about }: KnownFinding): string => JSON.stringify([check, outcome, about]);

const byId = (findings: readonly KnownFinding[]): Map<string, KnownFinding> =>
  new Map(findings.map((finding) => [idOf(finding), finding]));

const findingsIn = ({ results }: CheckReport): KnownFinding[] =>
  results.flatMap(({ check, findings }) =>
    findings.filter(isDeviation).map((finding) => toKnown(check.id, finding)),
  );

/** Whether a check was done completely, so that what it did not find is fixed. */
const isDone = ({ findings }: CheckResult): boolean => !findings.some(({ kind }) => kind === 'unchecked');

/** Which known findings were found again, and which are fixed. */
export const compareKnown = (
  report: CheckReport,
  known: readonly KnownFinding[],
): Pick<Comparison, 'again' | 'fixed' | 'unchecked'> => {
  const found = byId(findingsIn(report));
  const done = new Map(report.results.map((result) => [result.check.id, isDone(result)]));
  const left = known.filter((finding) => !found.has(idOf(finding)));
  const fixed = left.filter(({ check }) => done.get(check) === true);
  return { again: known.length - left.length, fixed, unchecked: left.length - fixed.length };
};

/** The next baseline: everything found in this run, and the known findings whose check was not done. */
export const updateKnown = (report: CheckReport, known: readonly KnownFinding[]): KnownFinding[] => {
  const { fixed } = compareKnown(report, known);
  const kept = known.filter((finding) => !fixed.includes(finding));
  return [...byId([...kept, ...findingsIn(report)]).values()];
};

/** The report with known findings marked. */
export const markKnown = (report: CheckReport, known: readonly KnownFinding[]): CheckReport => {
  const ids = byId(known);
  const mark = (check: string, finding: CheckFinding): CheckFinding =>
    isDeviation(finding) && ids.has(idOf(toKnown(check, finding))) ? { ...finding, isKnown: true } : finding;
  const results = report.results.map((result) => {
    const findings = result.findings.map((finding) => mark(result.check.id, finding));
    return { ...result, findings, outcome: outcomeOf(findings) };
  });
  return { ...report, results };
};
