// The findings that are accepted, so that a run fails by new ones alone.
import * as z from 'zod';
import { didYouMean } from '../util/nearest.ts';
import { toPathText } from '../util/path-text.ts';
import type { Finding } from './check.ts';
import { laws } from './checks.ts';
import { aboutOf } from './inspection.ts';
import { type LawReport, type LawResult, outcomeOf } from './run-checks.ts';

/** A finding by what is the same in every run: no ids of records, no counts, no texts of replies. */
const knownFinding = z.strictObject({
  check: z.string(),
  outcome: z.enum(['broken', 'differs']),
  about: z.string().exactOptional(),
});

export type KnownFinding = z.output<typeof knownFinding>;

const baseline = z.strictObject({ version: z.literal(1), findings: z.array(knownFinding) });

/** Reads a baseline. @throws Error that says what is wrong, and where: a check that there is not would let nothing pass, and look as if it did */
export const parseBaseline = (text: string): readonly KnownFinding[] => {
  const { data, error } = baseline.safeParse(JSON.parse(text));
  if (data !== undefined) return data.findings.map(expectCheck);
  const [issue] = error.issues;
  throw new Error(`${toPathText(issue?.path ?? []) || 'the whole'}: ${issue?.message ?? ''}`);
};

const checks = laws.map(({ id }) => id);

const expectCheck = (finding: KnownFinding, index: number): KnownFinding => {
  if (checks.includes(finding.check)) return finding;
  const near = didYouMean(finding.check, checks);
  throw new Error(
    `findings[${index}].check: there is no check "${finding.check}".${near} Correct it, or take the finding out`,
  );
};

/** A baseline as a text: one line a finding, in the order of the alphabet, so that changes are easy to read. */
export const toBaseline = (findings: readonly KnownFinding[]): string => {
  const lines = findings.map((finding) => `    ${JSON.stringify(finding)}`).sort();
  return `{\n  "version": 1,\n  "findings": [${lines.length > 0 ? `\n${lines.join(',\n')}\n  ` : ''}]\n}\n`;
};

/** What a baseline says of a run. */
export interface Comparison {
  readonly file: string;
  /** How many of its findings came again. */
  readonly again: number;
  /** Those that did not come again, though their check could be done. */
  readonly gone: readonly KnownFinding[];
  /** How many could not be looked at. */
  readonly unchecked: number;
  /** Whether the file was written by this run. */
  readonly isUpdated: boolean;
}

/** What counts against a target. */
type Deviation = Extract<Finding, { kind: KnownFinding['outcome'] }>;

const isDeviation = (finding: Finding): finding is Deviation =>
  finding.kind === 'broken' || finding.kind === 'differs';

const toKnown = (check: string, finding: Deviation): KnownFinding => {
  const about = aboutOf(finding);
  return { check, outcome: finding.kind, ...(about !== undefined && { about }) };
};

const idOf = ({ check, outcome, about }: KnownFinding): string => JSON.stringify([check, outcome, about]);

const byId = (findings: readonly KnownFinding[]): Map<string, KnownFinding> =>
  new Map(findings.map((finding) => [idOf(finding), finding]));

const findingsIn = ({ results }: LawReport): KnownFinding[] =>
  results.flatMap(({ law, findings }) =>
    findings.filter(isDeviation).map((finding) => toKnown(law.id, finding)),
  );

/** Whether a check was done as far as it goes, so that what it did not find is gone. */
const isDone = ({ findings }: LawResult): boolean => !findings.some(({ kind }) => kind === 'unchecked');

/** Which of the known findings came again, and which are gone: their check was done. */
export const compareKnown = (
  report: LawReport,
  known: readonly KnownFinding[],
): Pick<Comparison, 'again' | 'gone' | 'unchecked'> => {
  const found = byId(findingsIn(report));
  const done = new Map(report.results.map((result) => [result.law.id, isDone(result)]));
  const left = known.filter((finding) => !found.has(idOf(finding)));
  const gone = left.filter(({ check }) => done.get(check) === true);
  return { again: known.length - left.length, gone, unchecked: left.length - gone.length };
};

/** What a baseline is to hold after a run: all that was found, and what could not be looked at this time. */
export const updateKnown = (report: LawReport, known: readonly KnownFinding[]): KnownFinding[] => {
  const { gone } = compareKnown(report, known);
  const kept = known.filter((finding) => !gone.includes(finding));
  return [...byId([...kept, ...findingsIn(report)]).values()];
};

/** The report, with the findings marked that are known. */
export const markKnown = (report: LawReport, known: readonly KnownFinding[]): LawReport => {
  const ids = byId(known);
  const mark = (check: string, finding: Finding): Finding =>
    isDeviation(finding) && ids.has(idOf(toKnown(check, finding))) ? { ...finding, isKnown: true } : finding;
  const results = report.results.map((result) => {
    const findings = result.findings.map((finding) => mark(result.law.id, finding));
    return { ...result, findings, outcome: outcomeOf(findings) };
  });
  return { ...report, results };
};
