import * as z from 'zod';
import { mapValues } from '../../../core/util/mapping.ts';
import { type OptionSchemas, parseOptions } from '../../../core/util/parse-options.ts';
import { readStopwatch } from '../../../core/util/stopwatch.ts';
import { NotCheckable, unchecked } from '../check.ts';
import { checks as allChecks } from '../checks.ts';
import { toPlainText } from '../texts.ts';
import type { Check, CheckFinding, CheckNeed, CheckTarget } from '../types.ts';
import { createInspection, hasCause, isAboutSame, pickFindings, reasonOf } from './inspection.ts';
import { createReading } from './reading.ts';

/** The outcome of a check, which follows from its worst finding. */
export type CheckOutcome = 'passed' | 'failed' | 'differs' | 'unchecked';

/** The result of a check. */
export interface CheckResult {
  /** The check, without its functions. */
  readonly check: Omit<Check, 'run' | 'watch'>;
  /** Whether it passed, failed, found a difference from an assumption, or could not run. */
  readonly outcome: CheckOutcome;
  /** At most 100 findings. */
  readonly findings: readonly CheckFinding[];
}

/** The results of a run. */
export interface CheckReport {
  /** The results, one for each check, in their order. */
  readonly results: readonly CheckResult[];
  /** The number of calls made. */
  readonly calls: number;
  /** The number of calls that got no reply. */
  readonly unanswered: number;
  /** The number of calls that returned status 200. */
  readonly succeeded: number;
  /** The number of checks left incomplete because the run reached its limit of calls or time, or was interrupted. */
  readonly cutShort: number;
  /** How often a call was sent again because the target asked to wait. */
  readonly waits: number;
}

/** The progress of a run. */
export interface CheckProgress {
  /** The number of calls made. */
  readonly calls: number;
  /** The id of the check that makes them. */
  readonly check: string;
}

/** Options of {@link runChecks}. */
export interface RunChecksOptions {
  /** The checks to run. Default: all. */
  readonly checks?: readonly Check[] | undefined;
  /** The maximum number of calls. Default: 1000. */
  readonly maxCalls?: number | undefined;
  /** The time after which no more calls are made, in milliseconds. Default: 120,000. */
  readonly maxTime?: number | undefined;
  /** Called before each check and each call. Default: nothing. */
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  /** Makes no more calls when it is aborted; the report then has what was found by then. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

const schema = () =>
  z.strictObject({
    checks: z.array(z.custom<Check>()).default([...allChecks]),
    maxCalls: z.number().default(1000),
    maxTime: z.number().default(120_000),
    onProgress: z.custom<(progress: CheckProgress) => void>().optional(),
    signal: z.instanceof(AbortSignal).optional(),
  } satisfies OptionSchemas<RunChecksOptions>);

/**
 * Runs conformance checks against a gateway. It only reads: GET calls, and renderings of the prompt.
 *
 * A check that fails by comparing several replies is repeated twice before the failure counts, since a list may change
 * between two pages. An error in a single reply, such as the wrong type of a field, counts at once.
 *
 * @throws Error on unknown options
 *
 * @example
 * const target = createHttpTarget('http://127.0.0.1:4010/v1', { apiKey: 'any', virtualKey: 'any' }, { thread: 'thread_demo' });
 * const { results } = await runChecks(target);
 * const failed = results.filter(({ outcome }) => outcome === 'failed');
 */
export const runChecks = async (
  target: CheckTarget,
  options: RunChecksOptions = {},
): Promise<CheckReport> => {
  const { checks, maxCalls, maxTime, onProgress, signal } = parseOptions(schema(), options);
  const start = readStopwatch();
  let check = '';
  const findEnd = (calls: number): string | undefined => {
    onProgress?.({ calls, check });
    if (signal?.aborted) return 'the run was interrupted.';
    if (calls >= maxCalls) return `the limit of ${maxCalls} calls was reached.`;
    return readStopwatch() - start > maxTime ? `the limit of ${maxTime} ms was reached.` : undefined;
  };
  const inspection = createInspection(checks, target.samples);
  let isValidCall = true; // not for assumption checks: their calls are odd, so that their replies may be odd, too
  const reading = createReading(target, findEnd, (call, reply) => {
    if (isValidCall) inspection.show(call, reply);
  });

  const found = new Map<Check, readonly CheckFinding[]>();
  let left = checks;
  for (let round = 0; round < maxRounds && left.length > 0; round += 1) {
    reading.forget();
    for (const each of left) {
      check = each.id;
      isValidCall = isOfContract(each);
      const findings = await runOne(each, reading.target);
      // A repetition that could make no calls does not disprove the earlier findings.
      if (round === 0 || !hasCause(findings, 'cut short')) found.set(each, findings);
    }
    left = left.filter((each) => isWanting(found.get(each)) && !isWanting(inspection.findingsOf(each)));
  }
  const results = checks.map((check): CheckResult => {
    const all = [...inspection.findingsOf(check), ...(found.get(check) ?? [])];
    const findings = pickFindings(all.map((finding) => toShown(finding, target)));
    const { run: _run, watch: _watch, ...described } = check;
    return { check: described, outcome: outcomeOf(findings), findings };
  });
  return {
    results,
    ...reading.counts(),
    cutShort: results.filter(({ findings }) => hasCause(findings, 'cut short')).length,
  };
};

/** Whether a check is a promise of the contract. Only such a check can fail. */
export const isOfContract = ({ id }: Pick<Check, 'id'>): boolean => !id.startsWith('assumed:');

/** How often a failing check is repeated: records may change between two calls. */
const maxRounds = 3;

/** A check ends after so many failures about the same subject: more of them tell nothing new, and each takes calls. */
const maxAlike = 10;

const isWanting = (findings: readonly CheckFinding[] = []): boolean =>
  findings.some(({ kind }) => kind === 'failed' || kind === 'differs');

const runOne = async (check: Check, target: CheckTarget): Promise<readonly CheckFinding[]> => {
  const need = check.needs.find((each) => !isProvided(each, target));
  const missing = need?.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`);
  if (missing !== undefined) return [unchecked(`no ${missing} was given.`, 'not given')];
  const findings: CheckFinding[] = [];
  try {
    for await (const finding of check.run(target)) {
      findings.push(finding);
      const isAlike = (other: CheckFinding): boolean => isAboutSame(other, finding);
      if (finding.kind === 'failed' && findings.filter(isAlike).length === maxAlike) break;
    }
  } catch (error) {
    findings.push(unchecked(reasonOf(error), error instanceof NotCheckable ? error.cause : undefined));
  }
  return findings;
};

const isProvided = (need: CheckNeed, { samples, hasVirtualKey = true }: CheckTarget): boolean =>
  need === 'virtualKey' ? hasVirtualKey : samples[need] !== undefined;

const outcomeOf = (findings: readonly CheckFinding[]): CheckOutcome =>
  (['failed', 'differs', 'unchecked'] as const).find((outcome) =>
    findings.some(({ kind }) => kind === outcome),
  ) ?? 'passed';

/** Removes the keys from each text, then shortens it. In the other order, half a key could be left. */
const toShown = (finding: CheckFinding, { hide = (text) => text }: CheckTarget): CheckFinding => {
  const shown = ['reason', 'message', 'request', 'expected', 'actual'];
  const clean = (value: unknown, name: string): unknown =>
    shown.includes(name) ? toPlainText(hide(String(value))) : value;
  return mapValues({ ...finding }, clean) as CheckFinding; // the result has the same fields
};
