// The report of a run: as text, JSON and JUnit XML.

import type { CheckFinding } from '../check.ts';
import { toPlainText } from '../texts.ts';
import type { Comparison, KnownFinding } from './baseline.ts';
import { maxFindings } from './inspection.ts';
import { type CheckOutcome, type CheckReport, type CheckResult, isOfContract, kindOf } from './run-checks.ts';
import { findAssumptions, toSetting } from './settings.ts';

const headings = {
  failed: 'Fails the contract',
  differs: 'Differs from an assumption of the mock',
  known: 'Known: listed in the baseline',
  unchecked: 'Not checked',
  note: 'How far the lists were read',
} as const satisfies Record<ReturnType<typeof kindOf>, string>;

/** Further findings of a check are only counted. */
const maxShown = 3;

/** A table of everything but passed checks, in groups, and a summary line. */
export const toTable = (report: CheckReport, comparison?: Comparison): string => {
  const groups = (Object.keys(headings) as (keyof typeof headings)[]).map((kind) => toGroup(kind, report));
  const parts = [
    ...groups,
    toAssumptions(report),
    toAdvice(report),
    toSummary(report),
    comparison && toBaselineText(comparison),
  ];
  return parts.filter((part) => part).join('\n\n');
};

type Row = readonly [id: string, result: string, what: string];

const toGroup = (kind: keyof typeof headings, { results }: CheckReport): string => {
  const rows = kind === 'unchecked' ? toReasons(results) : results.flatMap((result) => toRows(kind, result));
  if (rows.length === 0) return '';
  const width = Math.max(...rows.map(([id]) => id.length));
  const lines = rows.map(([id, result, what]) => `  ${id.padEnd(width)}  ${result.padEnd(9)}  ${what}`);
  return [headings[kind], ...lines].join('\n');
};

const toRows = (kind: keyof typeof headings, { check, findings }: CheckResult): Row[] =>
  cut(findings.filter((finding) => kindOf(finding) === kind).map(describeFinding)).map((what, index) =>
    index === 0 ? [check.id, kind, what] : ['', '', what],
  );

/** Checks that share a reason, such as a thread that was not given, share a line. */
const toReasons = (results: readonly CheckResult[]): Row[] => {
  const ids = new Map<string, string[]>();
  for (const { check, findings } of results)
    for (const finding of findings)
      if (finding.kind === 'unchecked')
        ids.set(finding.reason, [...(ids.get(finding.reason) ?? []), check.id]);
  return [...ids].map(([reason, [first = '', ...others]]) => [
    others.length === 0 ? first : `${first} and ${others.length} more`,
    'unchecked',
    reason,
  ]);
};

/** Compares a run with its baseline, in lines. */
const toBaselineText = ({ file, again, fixed, unchecked, isUpdated }: Comparison): string => {
  const left = unchecked > 0 ? `, ${unchecked} not checked` : '';
  const sum = `Baseline ${toPlainText(file)}: ${again} of its findings found again, ${fixed.length} not${left}.`;
  const lines = fixed.map((finding) => `  no longer found: ${toPlainText(describeKnown(finding))}`);
  return [sum, ...lines, ...(isUpdated ? ['The file now lists the findings of this run.'] : [])].join('\n');
};

const describeKnown = ({ check, outcome, about }: KnownFinding): string =>
  `${check} ${outcome}${about === undefined ? '' : `: ${about}`}`;

const cut = (texts: readonly string[]): string[] =>
  texts.length > maxShown ? [...texts.slice(0, maxShown), countMore(texts.length)] : [...texts];

const countMore = (count: number): string =>
  count < maxFindings ? `and ${count - maxShown} more` : 'and many more';

/** A finding on one line. */
export const describeFinding = (finding: CheckFinding): string => {
  if (finding.kind === 'unchecked') return finding.reason;
  if (finding.kind === 'note') return finding.message;
  const { request, expected, actual } = finding;
  if (finding.kind === 'failed') return `${request}: expected ${expected}, got ${actual}`;
  const setting = toSetting(finding) ?? 'No value of the assumption matches';
  return `${request}: the mock has "${expected}", the target ${actual}. ${setting}`;
};

/** Every assumption, by whether the target does the same as the mock by default. */
const toAssumptions = ({ results }: CheckReport): string => {
  const assumed = results.filter(({ check }) => !isOfContract(check));
  if (assumed.length === 0) return '';
  const isDifferent = ({ outcome }: CheckResult): boolean => outcome === 'differs' || outcome === 'known';
  const groups = {
    same: assumed.filter(({ outcome }) => outcome === 'passed'),
    differs: assumed.filter(isDifferent),
    'not visible': assumed.filter(({ outcome }) => outcome === 'unchecked'),
  };
  const lines = Object.entries(groups).flatMap(([name, found]) =>
    found.length === 0
      ? []
      : [
          `  ${name} (${found.length}): ${found.map(({ check }) => check.id.replace('assumed:', '')).join(', ')}`,
        ],
  );
  return ['Assumptions of the mock', ...lines].join('\n');
};

const toAdvice = (report: CheckReport): string => {
  const choices = Object.entries(findAssumptions(report));
  if (choices.length === 0) return '';
  const lines = choices.map(([id, value]) => `    ${id}: ${JSON.stringify(value)}`);
  return ['To make the mock do the same, put this into a scenario:', '', '  assumptions:', ...lines].join(
    '\n',
  );
};

/** The number of checks by outcome. */
export const countOutcomes = ({ results }: CheckReport): Readonly<Record<CheckOutcome, number>> => {
  const counts = { passed: 0, failed: 0, differs: 0, known: 0, unchecked: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
};

const toSummary = (report: CheckReport): string => {
  const { passed, failed, differs, known, unchecked } = countOutcomes(report);
  const isKnown = known > 0 ? `${known} known, ` : '';
  const waits = report.waits > 0 ? ` (${report.waits} of them again, as the target asked to wait)` : '';
  return `${report.results.length} checks in ${report.calls} calls${waits}: ${passed} passed, ${failed} failed, ${differs} differ from an assumption, ${isKnown}${unchecked} not checked`;
};

/** The report as JSON. */
export const toJson = (against: string, report: CheckReport, baseline?: Comparison): string => {
  const results = report.results.map(({ check, outcome, findings }) => ({ ...check, outcome, findings }));
  const { calls, waits, cutShort } = report;
  const counts = countOutcomes(report);
  const assumptions = findAssumptions(report);
  return JSON.stringify({ against, calls, waits, counts, cutShort, assumptions, baseline, results }, null, 2);
};

/** The report as JUnit XML. Known and unchecked results are skipped tests. */
export const toJunit = (against: string, report: CheckReport, comparison?: Comparison): string => {
  const { failed, known, unchecked } = countOutcomes(report);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escapeXml(`gateway-mock verify ${toPlainText(against)}`)}" tests="${report.results.length}" failures="${failed}" errors="0" skipped="${known + unchecked}">`,
    ...report.results.map(toTestCase),
    ...(comparison ? [`    <system-out>${escapeXml(toBaselineText(comparison))}</system-out>`] : []),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
};

const toTestCase = ({ check, outcome, findings }: CheckResult): string => {
  const group = isOfContract(check) ? 'contract' : 'assumptions';
  const head = `    <testcase classname="${group}" name="${escapeXml(`${check.id}: ${check.description}`)}"`;
  const textOf = (wanted: readonly CheckFinding[]): string =>
    escapeXml(cut(wanted.map(describeFinding)).join('\n'));
  if (findings.length === 0) return `${head}/>`;
  if (outcome === 'failed') {
    const isNew = findings.filter((finding) => kindOf(finding) === 'failed');
    return `${head}><failure message="${escapeXml(check.section)}">${textOf(isNew)}</failure></testcase>`;
  }
  if (outcome === 'known') return `${head}><skipped message="known: ${textOf(findings)}"/></testcase>`;
  if (outcome === 'unchecked') return `${head}><skipped message="${textOf(findings)}"/></testcase>`;
  return `${head}><system-out>${textOf(findings)}</system-out></testcase>`;
};

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark);
