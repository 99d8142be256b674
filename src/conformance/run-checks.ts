import { messageOf } from '../util/message-of.ts';
import { checkOptions } from '../util/options.ts';
import { readStopwatch } from '../util/stopwatch.ts';
import {
  type Finding,
  type Law,
  type Need,
  NotCheckable,
  Refused,
  type Target,
  type UncheckedCause,
  unchecked,
} from './check.ts';
import { laws as allLaws, contractLaws } from './checks.ts';
import { createInspection, maxFindings, pickFindings } from './inspection.ts';
import { CutShort, createReading, NoReply, UsedUp } from './reading.ts';
import { toPlainText } from './texts.ts';

/** How a law came out: by the worst of its findings. What a baseline has is known. */
export type Outcome = 'kept' | 'broken' | 'differs' | 'known' | 'unchecked';

export interface LawResult {
  readonly law: Omit<Law, 'check' | 'inspect' | 'watch'>;
  readonly outcome: Outcome;
  /** At most the first hundred. */
  readonly findings: readonly Finding[];
}

/** What a run found out. */
export interface LawReport {
  readonly results: readonly LawResult[];
  /** How many calls it took. */
  readonly calls: number;
  /** How many of them were not answered. */
  readonly unanswered: number;
  /** How many of them were answered by status 200. */
  readonly succeeded: number;
  /** How many laws were not looked at to the end, since the calls or the time of the run were used up. */
  readonly cutShort: number;
}

export interface RunOptions {
  /** Default: all. */
  readonly laws?: readonly Law[] | undefined;
  /** How many calls may be made. Default: 1000. */
  readonly maxCalls?: number | undefined;
  /** For how many milliseconds calls may be made. Default: 120,000. */
  readonly maxTime?: number | undefined;
}

/**
 * Holds a gateway to the laws. It only reads: GET calls and renderings.
 *
 * What seems broken is looked at anew, twice, before it is called so: two pages of a list that changes may come from
 * different times. What is wrong with a single reply, such as the type of a field, counts at once.
 *
 * @example
 * const target = createHttpTarget('http://127.0.0.1:4010/v1', { apiKey: 'any', virtualKey: 'any' }, { thread: 'thread_demo' });
 * const { results } = await runLaws(target);
 * const broken = results.filter(({ outcome }) => outcome === 'broken');
 */
export const runLaws = async (target: Target, options: RunOptions = {}): Promise<LawReport> => {
  checkOptions(options, { laws: 'list', maxCalls: 'number', maxTime: 'number' });
  const { laws = allLaws, maxCalls = 1000, maxTime = 120_000 } = options;
  const start = readStopwatch();
  const findEnd = (count: number): string | undefined => {
    if (count >= maxCalls) return `the limit of ${maxCalls} calls is reached.`;
    return readStopwatch() - start > maxTime ? `the limit of ${maxTime} ms is reached.` : undefined;
  };
  const inspection = createInspection(laws, target.samples, reasonOf);
  let isGoodCall = true; // those of assumptions are odd on purpose, and so may be the replies
  const reading = createReading(target, findEnd, (call, reply) => {
    if (isGoodCall) inspection.show(call, reply);
  });

  const found = new Map<Law, readonly Finding[]>();
  let left = laws;
  for (let look = 0; look < looks && left.length > 0; look += 1) {
    reading.forget();
    for (const law of left) {
      isGoodCall = isOfContract(law);
      const { findings, isUsedUp } = await check(law, reading.target);
      // A look without calls finds nothing that speaks against the one before.
      if (look === 0 || !isUsedUp) found.set(law, findings);
    }
    left = left.filter((law) => isWanting(found.get(law)) && !isWanting(inspection.findingsOf(law)));
  }
  const toResult = (law: Law): LawResult => {
    const all = [...inspection.findingsOf(law), ...(found.get(law) ?? [])];
    const findings = pickFindings(all.map((finding) => toShown(finding, target)));
    const { check: _check, inspect: _inspect, watch: _watch, ...described } = law;
    return { law: described, outcome: outcomeOf(findings), findings };
  };
  const results = laws.map(toResult);
  return { results, ...reading.counts(), cutShort: results.filter(isCutShort).length };
};

const isCutShort = ({ findings }: LawResult): boolean =>
  findings.some((finding) => finding.kind === 'unchecked' && finding.cause === 'cut short');

/** Whether a law is of the contract: only such a law can be broken. */
export const isOfContract = ({ id }: Pick<Law, 'id'>): boolean => contractLaws.some((law) => law.id === id);

interface Checked {
  readonly findings: readonly Finding[];
  readonly isUsedUp?: boolean;
}

const looks = 3;

const isWanting = (findings: readonly Finding[] = []): boolean =>
  findings.some(({ kind }) => kind === 'broken' || kind === 'differs');

const check = async (law: Law, target: Target): Promise<Checked> => {
  const missing = law.needs.find((need) => !isGiven(need, target));
  if (missing !== undefined) return { findings: [unchecked(`${words[missing]} was given to look at.`)] };
  const findings: Finding[] = [];
  try {
    for await (const finding of law.check(target)) {
      findings.push(finding);
      if (findings.length === maxFindings) break;
    }
    return { findings };
  } catch (error) {
    return {
      findings: [...findings, unchecked(reasonOf(error), causeOf(error))],
      isUsedUp: error instanceof UsedUp,
    };
  }
};

/** What a target answers may be more than can be looked at, such as arrays within arrays without end. */
const reasonOf = (error: unknown): string => {
  const message = messageOf(error);
  const isTold = error instanceof NotCheckable || error instanceof UsedUp || error instanceof NoReply;
  return isTold ? message : `the reply cannot be looked at: ${message}.`;
};

const causeOf = (error: unknown): UncheckedCause | undefined => {
  if (error instanceof Refused) return 'refused';
  if (error instanceof CutShort) return 'cut short';
  return error instanceof NoReply ? 'unanswered' : undefined;
};

const isGiven = (need: Need, { samples, hasVirtualKey = true }: Target): boolean =>
  need === 'virtualKey' ? hasVirtualKey : samples[need] !== undefined;

const words: Readonly<Record<Need, string>> = {
  thread: 'no thread',
  job: 'no fine-tuning job',
  policy: 'no active policy',
  archivedPolicy: 'no archived policy',
  prompt: 'no prompt',
  variables: 'no variables',
  virtualKey: 'no virtual key',
};

export const outcomeOf = (findings: readonly Finding[]): Outcome =>
  (['broken', 'differs', 'known', 'unchecked'] as const).find((outcome) =>
    findings.some((finding) => kindOf(finding) === outcome),
  ) ?? 'kept';

/** Under which heading a finding is shown. */
export const kindOf = (finding: Finding): Finding['kind'] | 'known' =>
  'isKnown' in finding && finding.isKnown ? 'known' : finding.kind;

/** First the keys are taken out, then what is too long: half a key would be no less of one. */
const toShown = (finding: Finding, { hide = (text) => text }: Target): Finding => {
  const clean = (text: string): string => toPlainText(hide(text));
  if (finding.kind === 'unchecked') return { ...finding, why: clean(finding.why) };
  if (finding.kind === 'note') return { ...finding, says: clean(finding.says) };
  const { asked, expected, came } = finding;
  return { ...finding, asked: clean(asked), expected: clean(expected), came: clean(came) };
};
