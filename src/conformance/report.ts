// What a run of the laws found out, for people, for programs and for continuous integration.
import type { Finding } from './law.ts';
import { isOfContract, type LawReport, type LawResult, maxFindings, type Outcome } from './run-laws.ts';
import { findAssumptions, toSetting } from './settings.ts';
import { toPlainText } from './texts.ts';

const headings = {
  broken: 'Broken promises of the contract',
  differs: 'Differs from an assumption of the mock',
  unchecked: 'Not checkable here',
} as const satisfies Partial<Record<Outcome, string>>;

/** Findings of one law beyond these are only counted. */
const maxShown = 3;

/** A table of all that was not kept, in three groups, and a line that sums up. */
export const toTable = (report: LawReport): string => {
  const groups = (['broken', 'differs', 'unchecked'] as const).map((outcome) => toGroup(outcome, report));
  return [...groups.filter((group) => group !== ''), toAdvice(report), toSummary(report)]
    .filter((part) => part !== '')
    .join('\n\n');
};

const toGroup = (outcome: keyof typeof headings, { results }: LawReport): string => {
  const rows = results.flatMap(({ law, findings }) =>
    cut(findings.filter(({ kind }) => kind === outcome).map(describeFinding)).map(
      (what, index) => [index === 0 ? law.id : '', index === 0 ? outcome : '', what] as const,
    ),
  );
  if (rows.length === 0) return '';
  const width = Math.max(...rows.map(([id]) => id.length));
  const lines = rows.map(([id, result, what]) => `  ${id.padEnd(width)}  ${result.padEnd(9)}  ${what}`);
  return [headings[outcome], ...lines].join('\n');
};

const cut = (texts: readonly string[]): string[] =>
  texts.length > maxShown ? [...texts.slice(0, maxShown), countMore(texts.length)] : [...texts];

const countMore = (count: number): string =>
  count < maxFindings ? `and ${count - maxShown} more like this` : 'and many more like this';

/** A finding on one line. */
export const describeFinding = (finding: Finding): string => {
  if (finding.kind === 'unchecked') return finding.why;
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
    unchecked: count('unchecked'),
  };
};

const toSummary = (report: LawReport): string => {
  const { kept, broken, differs, unchecked } = countOutcomes(report);
  return `${report.results.length} laws in ${report.calls} calls: ${kept} kept, ${broken} broken, ${differs} differ from an assumption, ${unchecked} not checkable here`;
};

/** The same for programs. */
export const toJson = (against: string, report: LawReport): string => {
  const results = report.results.map(({ law, outcome, findings }) => ({ ...law, outcome, findings }));
  const counts = countOutcomes(report);
  return JSON.stringify(
    { against, calls: report.calls, counts, assumptions: findAssumptions(report), results },
    null,
    2,
  );
};

/** JUnit's XML, as continuous integration shows it: broken laws fail, unchecked ones are skipped. */
export const toJunit = (against: string, report: LawReport): string => {
  const { broken, unchecked } = countOutcomes(report);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escapeXml(`gateway-mock verify ${toPlainText(against)}`)}" tests="${report.results.length}" failures="${broken}" errors="0" skipped="${unchecked}">`,
    ...report.results.map(toTestCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
};

const toTestCase = ({ law, outcome, findings }: LawResult): string => {
  const group = isOfContract(law) ? 'contract' : 'assumptions';
  const head = `    <testcase classname="${group}" name="${escapeXml(`${law.id}: ${law.says}`)}"`;
  if (outcome === 'kept') return `${head}/>`;
  const text = escapeXml(cut(findings.map(describeFinding)).join('\n'));
  if (outcome === 'broken')
    return `${head}><failure message="${escapeXml(law.section)}">${text}</failure></testcase>`;
  if (outcome === 'unchecked') return `${head}><skipped message="${text}"/></testcase>`;
  return `${head}><system-out>${text}</system-out></testcase>`;
};

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark);
