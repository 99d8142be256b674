// What a run of the laws found out, for people, for programs and for continuous integration.
import type { Comparison, KnownFinding } from './baseline.ts';
import type { Finding } from './check.ts';
import { maxFindings } from './inspection.ts';
import { isOfContract, kindOf, type LawReport, type LawResult, type Outcome } from './run-checks.ts';
import { findAssumptions, toSetting } from './settings.ts';
import { toPlainText } from './texts.ts';

const headings = {
  broken: 'Broken promises of the contract',
  differs: 'Differs from an assumption of the mock',
  known: 'Known: the baseline has these',
  unchecked: 'Not checkable here',
  note: 'How far the lists were read',
} as const satisfies Record<ReturnType<typeof kindOf>, string>;

/** Findings of one law beyond these are only counted. */
const maxShown = 3;

/** A table of all that was not kept, in groups, and a line that sums up. */
export const toTable = (report: LawReport, comparison?: Comparison): string => {
  const groups = (Object.keys(headings) as (keyof typeof headings)[]).map((kind) => toGroup(kind, report));
  const parts = [...groups, toAdvice(report), toSummary(report), comparison && toBaselineText(comparison)];
  return parts.filter((part) => part).join('\n\n');
};

type Row = readonly [id: string, result: string, what: string];

const toGroup = (kind: keyof typeof headings, { results }: LawReport): string => {
  const rows = kind === 'unchecked' ? toReasons(results) : results.flatMap((result) => toRows(kind, result));
  if (rows.length === 0) return '';
  const width = Math.max(...rows.map(([id]) => id.length));
  const lines = rows.map(([id, result, what]) => `  ${id.padEnd(width)}  ${result.padEnd(9)}  ${what}`);
  return [headings[kind], ...lines].join('\n');
};

const toRows = (kind: keyof typeof headings, { law, findings }: LawResult): Row[] =>
  cut(findings.filter((finding) => kindOf(finding) === kind).map(describeFinding)).map((what, index) =>
    index === 0 ? [law.id, kind, what] : ['', '', what],
  );

/** Many laws are not checkable for one reason, such as a thread that was not given. */
const toReasons = (results: readonly LawResult[]): Row[] => {
  const ids = new Map<string, string[]>();
  for (const { law, findings } of results)
    for (const finding of findings)
      if (finding.kind === 'unchecked') ids.set(finding.why, [...(ids.get(finding.why) ?? []), law.id]);
  return [...ids].map(([why, [first = '', ...others]]) => [
    others.length === 0 ? first : `${first} and ${others.length} more`,
    'unchecked',
    why,
  ]);
};

/** What a run says of its baseline, in lines. */
const toBaselineText = ({ file, again, gone, unchecked, isUpdated }: Comparison): string => {
  const left = unchecked > 0 ? `, ${unchecked} could not be looked at` : '';
  const sum = `Baseline ${toPlainText(file)}: ${again} of its findings came again, ${gone.length} did not${left}.`;
  const lines = gone.map((finding) => `  no longer found: ${toPlainText(describeKnown(finding))}`);
  return [sum, ...lines, ...(isUpdated ? ['The file has what was found now.'] : [])].join('\n');
};

const describeKnown = ({ check, outcome, about }: KnownFinding): string =>
  `${check} ${outcome}${about === undefined ? '' : `: ${about}`}`;

const cut = (texts: readonly string[]): string[] =>
  texts.length > maxShown ? [...texts.slice(0, maxShown), countMore(texts.length)] : [...texts];

const countMore = (count: number): string =>
  count < maxFindings ? `and ${count - maxShown} more like this` : 'and many more like this';

/** A finding on one line. */
export const describeFinding = (finding: Finding): string => {
  if (finding.kind === 'unchecked') return finding.why;
  if (finding.kind === 'note') return finding.says;
  const { asked, expected, came } = finding;
  if (finding.kind === 'broken') return `${asked}: expected ${expected}, came ${came}`;
  const setting = toSetting(finding) ?? 'no choice of the mock fits';
  return `${asked}: the mock has "${expected}", here came ${came}. ${setting}`;
};

const toAdvice = (report: LawReport): string => {
  const choices = Object.entries(findAssumptions(report));
  if (choices.length === 0) return '';
  const lines = choices.map(([id, value]) => `    ${id}: ${JSON.stringify(value)}`);
  return ['A scenario that does the same:', '', '  assumptions:', ...lines].join('\n');
};

/** How many laws came out how. */
export const countOutcomes = ({ results }: LawReport): Readonly<Record<Outcome, number>> => {
  const count = (outcome: Outcome): number => results.filter((one) => one.outcome === outcome).length;
  return {
    kept: count('kept'),
    broken: count('broken'),
    differs: count('differs'),
    known: count('known'),
    unchecked: count('unchecked'),
  };
};

const toSummary = (report: LawReport): string => {
  const { kept, broken, differs, known, unchecked } = countOutcomes(report);
  const isKnown = known > 0 ? `${known} known, ` : '';
  return `${report.results.length} laws in ${report.calls} calls: ${kept} kept, ${broken} broken, ${differs} differ from an assumption, ${isKnown}${unchecked} not checkable here`;
};

/** The same for programs. */
export const toJson = (against: string, report: LawReport, baseline?: Comparison): string => {
  const results = report.results.map(({ law, outcome, findings }) => ({ ...law, outcome, findings }));
  const { calls, cutShort } = report;
  const counts = countOutcomes(report);
  const assumptions = findAssumptions(report);
  return JSON.stringify({ against, calls, counts, cutShort, assumptions, baseline, results }, null, 2);
};

/** JUnit's XML, as continuous integration shows it: broken laws fail; known and unchecked ones are skipped. */
export const toJunit = (against: string, report: LawReport, comparison?: Comparison): string => {
  const { broken, known, unchecked } = countOutcomes(report);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escapeXml(`gateway-mock verify ${toPlainText(against)}`)}" tests="${report.results.length}" failures="${broken}" errors="0" skipped="${known + unchecked}">`,
    ...report.results.map(toTestCase),
    ...(comparison ? [`    <system-out>${escapeXml(toBaselineText(comparison))}</system-out>`] : []),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
};

const toTestCase = ({ law, outcome, findings }: LawResult): string => {
  const group = isOfContract(law) ? 'contract' : 'assumptions';
  const head = `    <testcase classname="${group}" name="${escapeXml(`${law.id}: ${law.says}`)}"`;
  const textOf = (wanted: readonly Finding[]): string =>
    escapeXml(cut(wanted.map(describeFinding)).join('\n'));
  if (findings.length === 0) return `${head}/>`;
  if (outcome === 'broken') {
    const isNew = findings.filter((finding) => kindOf(finding) === 'broken');
    return `${head}><failure message="${escapeXml(law.section)}">${textOf(isNew)}</failure></testcase>`;
  }
  if (outcome === 'known') return `${head}><skipped message="known: ${textOf(findings)}"/></testcase>`;
  if (outcome === 'unchecked') return `${head}><skipped message="${textOf(findings)}"/></testcase>`;
  return `${head}><system-out>${textOf(findings)}</system-out></testcase>`;
};

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark);
