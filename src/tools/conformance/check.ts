// How checks are made, and how they describe findings.
import { type AssumptionId, assumptions } from '../../core/assumptions/table.ts';
import { isMapping } from '../../core/util/mapping.ts';
import { tryParse } from '../../core/util/try-parse.ts';
import type { Check, CheckCall, CheckFinding, CheckTarget, UncheckedCause } from './types.ts';

/** The findings that a check yields while it runs. */
export type Findings = AsyncGenerator<CheckFinding>;

/** The subject that the checks of a table share. */
export interface CheckSubject extends Pick<Check, 'needs'> {
  /** The prefix of their ids. */
  readonly name: string;
}

/** Thrown if a check, or a part of it, could not be done: for `cause`, or because the target has nothing to test. */
export class NotCheckable extends Error {
  override readonly name = 'NotCheckable';
  override readonly cause: UncheckedCause | undefined;

  constructor(message: string, cause?: UncheckedCause) {
    super(message);
    this.cause = cause;
  }
}

/**
 * An entry of a table of checks: the promise, how it is tested, and how replies are inspected. Some checks only make calls,
 * whose replies are inspected.
 */
type CheckEntry<Subject> = readonly [
  description: string,
  run: (target: CheckTarget, subject: Subject) => Findings | Promise<unknown>,
  watch?: Check['watch'],
];

/** The checks in a table, by the end of each id. */
export const toChecks = <Subject extends CheckSubject>(
  subject: Subject,
  section: string,
  table: Readonly<Record<string, CheckEntry<Subject>>>,
): Check[] =>
  Object.entries(table).map(([part, [description, run, watch]]) => ({
    id: `${subject.name}-${part}`,
    section,
    description,
    needs: subject.needs,
    run: async function* (target) {
      const findings = run(target, subject);
      if (findings instanceof Promise) await findings;
      else yield* findings;
    },
    watch,
  }));

export const failed = (
  call: CheckCall | string,
  expected: string,
  actual: string,
  about?: string,
): CheckFinding => {
  const request = typeof call === 'string' ? call : describeCall(call);
  return { kind: 'failed', request, expected, actual, about };
};

export const differs = (
  assumption: AssumptionId,
  value: string | undefined,
  request: string,
  actual: string,
  expected: string = assumptions[assumption].choices[0][1],
): CheckFinding => ({ kind: 'differs', assumption, value, request, expected, actual });

export const unchecked = (reason: string, cause?: UncheckedCause): CheckFinding => ({
  kind: 'unchecked',
  reason,
  cause,
});

/** Why a part of a check could not be done. Rethrows errors that stop more than this part, such as the end of the run. */
export const toUnchecked = (error: unknown): CheckFinding => {
  if (!(error instanceof NotCheckable) || error.cause === 'unanswered' || error.cause === 'cut short')
    throw error;
  return unchecked(error.message, error.cause);
};

/** Runs a check for each of several subjects. If one cannot be checked, the others still are. */
export async function* checkEach<Thing>(
  things: Iterable<Thing>,
  check: (thing: Thing) => AsyncIterable<CheckFinding>,
): Findings {
  for (const thing of things)
    try {
      yield* check(thing);
    } catch (error) {
      yield toUnchecked(error);
    }
}

export const describeCall = (call: CheckCall): string => {
  const { method, path, query, headers = {}, bearer, without = [] } = call;
  const sent = [
    ...rootFields(call),
    ...Object.entries(headers).flatMap(([name, value]) =>
      value === 'application/json' ? [] : `${name} ${formatValue(value)}`,
    ),
    ...(bearer ? ['the key in Authorization: Bearer'] : []),
  ];
  const left = without.map((header) => ` without ${header}`).join('');
  return `${method} ${path}${query ? `?${query}` : ''}${sent.length > 0 ? ` with ${sent.join(', ')}` : ''}${left}`;
};

/** What a call sends besides its path, without ids, so that it is the same in every run: `after, limit=100`. */
export const aboutCall = (call: CheckCall): string => {
  const parameters = [...new URLSearchParams(call.query)].map(([name, value]) =>
    /^(?:after|before)$/.test(name) ? name : `${name}=${value}`,
  );
  return [...parameters.sort(), ...rootFields(call)].join(', ') || 'no parameter';
};

/** The names of the fields at the root of a body, without `variables`. */
const rootFields = ({ body }: CheckCall): string[] => {
  const sent = tryParse(body ?? '');
  return isMapping(sent) ? Object.keys(sent).filter((name) => name !== 'variables') : [];
};

/** A value of the target as reports show it. It is shortened later, after the keys are removed. */
export const formatValue = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (typeof value === 'bigint') return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    return 'a value that nests too deep to show'; // the stack overflowed
  }
};
