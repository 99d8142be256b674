// The report of a run: as text, JSON and JUnit XML.

import { toPlainText } from '../texts.ts';
import type { CheckFinding } from '../types.ts';
import { aboutOf, hasCause, maxFindings } from './inspection.ts';
import { type CheckOutcome, type CheckReport, type CheckResult, isOfContract } from './run-checks.ts';

const headings = {
  failed: 'Fails the contract',
  differs: 'Differs from an assumption of the mock',
  unchecked: 'Not checked',
  note: 'How far the lists were read',
} as const satisfies Record<CheckFinding['kind'], string>;

/** A table of everything but passed checks, in groups, and a summary line. */
export const toTable = (report: CheckReport): string => {
  const groups = (Object.keys(headings) as (keyof typeof headings)[]).map((kind) => toGroup(kind, report));
  const parts = [...groups, toAssumptions(report), toAdvice(report), toSummary(report)];
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
  toLines(findings.filter((finding) => finding.kind === kind)).map((what, index) =>
    index === 0 ? [check.id, kind, what] : ['', '', what],
  );

/** Checks with the same reason, such as a missing `--thread`, share a line. */
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

/** How many findings of a check are shown. */
const maxShown = 3;

/** The first findings, a line each. Further findings are only counted. */
const toLines = (findings: readonly CheckFinding[]): string[] => {
  const rest = findings.length < maxFindings ? `and ${findings.length - maxShown} more` : 'and many more';
  return [...findings.slice(0, maxShown).map(describeFinding), ...(findings.length > maxShown ? [rest] : [])];
};

export const describeFinding = (finding: CheckFinding): string => {
  if (finding.kind === 'unchecked') return finding.reason;
  if (finding.kind === 'note') return finding.message;
  const { kind, request, expected, actual } = finding;
  const unlike =
    kind === 'differs' && finding.value === undefined ? '. No value of the assumption matches' : '';
  const difference =
    kind === 'failed'
      ? `expected ${expected}, got ${actual}`
      : `the mock has "${expected}", the target ${actual}${unlike}`;
  // The call of a rendering lists all fields that it sends.
  return request.startsWith('POST ') ? `${difference}, in ${request}` : `${request}: ${difference}`;
};

/** All assumptions, grouped by whether the target does the same as the mock by default. */
const toAssumptions = ({ results }: CheckReport): string => {
  const names = { passed: 'same', differs: 'differs', unchecked: 'not visible' } as const;
  const lines = Object.entries(names).flatMap(([outcome, name]) => {
    const found = results.filter((result) => !isOfContract(result.check) && result.outcome === outcome);
    const ids = found.map(({ check }) => check.id.replace('assumed:', ''));
    return ids.length === 0 ? [] : [`  ${name} (${ids.length}): ${ids.join(', ')}`];
  });
  return lines.length === 0 ? '' : ['Assumptions of the mock', ...lines].join('\n');
};

/** The values of assumptions that make the mock do the same, without `api-keys`, which follows from the list of keys. */
export const findAssumptions = ({ results }: CheckReport): Readonly<Record<string, string>> => {
  const values: Record<string, string> = {};
  for (const finding of results.flatMap(({ findings }) => findings))
    if (finding.kind === 'differs' && finding.value !== undefined && finding.assumption !== 'api-keys')
      values[finding.assumption] = finding.value;
  return values;
};

const toAdvice = (report: CheckReport): string => {
  const choices = Object.entries(findAssumptions(report));
  if (choices.length === 0) return '';
  const lines = choices.map(([id, value]) => `    ${id}: ${JSON.stringify(value)}`);
  const head = 'To make the mock do the same, put this into a scenario:';
  return [head, '', '  assumptions:', ...lines].join('\n');
};

export const countOutcomes = ({ results }: CheckReport): Readonly<Record<CheckOutcome, number>> => {
  const counts = { passed: 0, failed: 0, differs: 0, unchecked: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
};

const toSummary = (report: CheckReport): string => {
  const { passed, failed, differs, unchecked } = countOutcomes(report);
  const waits = report.waits > 0 ? ` (${report.waits} of them again, as the target asked to wait)` : '';
  const all = report.results.length;
  const summary = `${all} checks in ${report.calls} calls${waits}: ${passed} passed, ${failed} failed, ${differs} differ from an assumption, ${unchecked} not checked`;
  const notGiven = report.results.filter(({ findings }) => hasCause(findings, 'not given')).length;
  if (notGiven === 0) return summary;
  return `${summary}\n${unchecked} of ${all} checks were not done; ${notGiven} of them need options that were not given.`;
};

/** What failed or differs, without ids, counts and texts of replies, so that two runs can be compared. */
const findDeviations = ({ results }: CheckReport): readonly string[] => {
  const found = results.flatMap(({ check, findings }) =>
    findings
      .filter(({ kind }) => kind === 'failed' || kind === 'differs')
      .map((finding) => [check.id, finding.kind, aboutOf(finding) ?? ''].join(' ').trim()),
  );
  return [...new Set(found)].sort();
};

export const toJson = (against: string, report: CheckReport): string => {
  const results = report.results.map(({ check, outcome, findings }) => ({ ...check, outcome, findings }));
  const { calls, waits, cutShort } = report;
  const [counts, assumptions] = [countOutcomes(report), findAssumptions(report)];
  const deviations = findDeviations(report);
  const all = { against, calls, waits, counts, cutShort, assumptions, deviations, results };
  return JSON.stringify(all, null, 2);
};

/** The report as JUnit XML. Unchecked results are skipped tests. */
export const toJunit = (against: string, report: CheckReport): string => {
  const { failed, unchecked } = countOutcomes(report);
  const name = escapeXml(`gateway-mock verify ${toPlainText(against)}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${name}" tests="${report.results.length}" failures="${failed}" errors="0" skipped="${unchecked}">`,
    ...report.results.map(toTestCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
};

const toTestCase = ({ check, outcome, findings }: CheckResult): string => {
  const group = isOfContract(check) ? 'contract' : 'assumptions';
  const head = `    <testcase classname="${group}" name="${escapeXml(`${check.id}: ${check.description}`)}"`;
  const shown = outcome === 'failed' ? findings.filter(({ kind }) => kind === 'failed') : findings;
  const text = escapeXml(toLines(shown).join('\n'));
  if (findings.length === 0) return `${head}/>`;
  if (outcome === 'failed')
    return `${head}><failure message="${escapeXml(check.section)}">${text}</failure></testcase>`;
  if (outcome === 'unchecked') return `${head}><skipped message="${text}"/></testcase>`;
  return `${head}><system-out>${text}</system-out></testcase>`;
};

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark);
