import { messageOf } from '../protocol/message-of.ts';
import { readStopwatch } from '../protocol/stopwatch.ts';
import { type Finding, type Law, type Need, NotCheckable, Refused, type Target, unchecked } from './law.ts';
import { laws as allLaws, contractLaws } from './laws.ts';
import { createReading, NoReply, type Reading, UsedUp } from './reading.ts';
import { toPlainText } from './texts.ts';

/** How a law came out: by the worst of its findings. */
export type Outcome = 'kept' | 'broken' | 'differs' | 'unchecked';

export interface LawResult {
  readonly law: Omit<Law, 'check'>;
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
 * A law that seems broken is looked at anew, twice, before it is called so: two pages of a list that grows may come
 * from different moments.
 *
 * @example
 * const target = createHttpTarget('http://127.0.0.1:4010/v1', { apiKey: 'any', virtualKey: 'any' }, { thread: 'thread_demo' });
 * const { results } = await runLaws(target);
 * const broken = results.filter(({ outcome }) => outcome === 'broken');
 */
export const runLaws = async (
  target: Target,
  { laws = allLaws, maxCalls = 1000, maxTime = 120_000 }: RunOptions = {},
): Promise<LawReport> => {
  const start = readStopwatch();
  const reading = createReading(target, (count) => {
    if (count >= maxCalls) return `the limit of ${maxCalls} calls is reached.`;
    return readStopwatch() - start > maxTime ? `the limit of ${maxTime} ms is reached.` : undefined;
  });
  const results: LawResult[] = [];
  for (const law of laws) {
    const { findings } = await settle(law, reading);
    const { check: _, ...told } = law;
    const shown = findings.map((finding) => toShown(finding, target));
    results.push({ law: told, outcome: outcomeOf(findings), findings: shown });
  }
  return { results, ...reading.counts() };
};

/** Whether a law is of the contract: only such a law can be broken. */
export const isOfContract = ({ id }: Pick<Law, 'id'>): boolean => contractLaws.some((law) => law.id === id);

interface Checked {
  readonly findings: readonly Finding[];
  readonly isUsedUp?: boolean;
}

const attempts = 3;

/** A page of records without end may break a law with each of them. */
export const maxFindings = 100;

/** Checks a law until it is not found wanting, or was often enough. */
const settle = async (law: Law, reading: Reading): Promise<Checked> => {
  let checked = await check(law, reading.target);
  for (let attempt = 1; attempt < attempts && isWanting(checked); attempt += 1) {
    reading.forget();
    const again = await check(law, reading.target);
    if (again.isUsedUp) return checked; // nothing was found that speaks against it
    checked = again;
  }
  return checked;
};

const isWanting = ({ findings }: Checked): boolean => findings.some(({ kind }) => kind !== 'unchecked');

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

const causeOf = (error: unknown): 'refused' | 'unanswered' | undefined => {
  if (error instanceof Refused) return 'refused';
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

const outcomeOf = (findings: readonly Finding[]): Outcome =>
  (['broken', 'differs', 'unchecked'] as const).find((kind) => findings.some((one) => one.kind === kind)) ??
  'kept';

/** First the keys are taken out, then what is too long: half a key would be no less of one. */
const toShown = (finding: Finding, { hide = (text) => text }: Target): Finding => {
  const clean = (text: string): string => toPlainText(hide(text));
  if (finding.kind === 'unchecked') return { ...finding, why: clean(finding.why) };
  const { asked, expected, came } = finding;
  return { ...finding, asked: clean(asked), expected: clean(expected), came: clean(came) };
};
