// What fails a test with a gateway although its assertions passed, whatever the test runner.
import * as z from 'zod';
import { describeUnusedEnds, type EndedFault } from '../../core/faults/unused.ts';
import { type AssumptionId, assumptions } from '../../core/protocol/assumptions.ts';
import type { OptionSchemas } from '../../core/util/parse-options.ts';
import type { Sessions } from '../../service/control/sessions.ts';
import { describeReliance, describeStrays, describeUnusedFaults, type HowToSet } from './problems.ts';

/** Options of a test's gateway that say what fails the test. */
export interface WatchOptions {
  /** Whether a test fails if one of its requests to the gateway matches no operation. This needs the journal. Default: `'fail'`. */
  readonly unmatched?: 'fail' | 'allow' | undefined;
  /**
   * What to do if a fault of the test was never used: `'error'` fails the test, unless it failed already, `'warn'` prints the
   * faults. A fault with a percentage also counts as used if only chance spared a call. Default: `'error'`.
   */
  readonly unusedFaults?: 'error' | 'warn' | 'allow' | undefined;
  /**
   * Whether a test may depend on assumptions: `true` fails it if it does, a list allows only those assumptions, `'print'`
   * prints them after the test. Default: `false`, which allows all.
   */
  readonly strict?: boolean | 'print' | readonly AssumptionId[] | undefined;
}

export const watchShape = () =>
  ({
    unmatched: z.enum(['fail', 'allow']).default('fail'),
    unusedFaults: z.enum(['error', 'warn', 'allow']).default('error'),
    strict: z
      .union(
        [z.boolean(), z.literal('print'), z.array(z.enum(Object.keys(assumptions) as AssumptionId[]))],
        'true, false, "print" or a list of assumptions',
      )
      .default(false),
  }) satisfies OptionSchemas<WatchOptions>;

/** A request that matched no operation. */
export interface Stray {
  readonly method: string;
  readonly path: string;
  readonly nearest: string | null;
}

/** Watches the gateway of one test. It records apart from the journal, which the test may clear. */
export const watchGateway = (
  sessions: Sessions,
  { unmatched, unusedFaults, strict }: z.output<z.ZodObject<ReturnType<typeof watchShape>>>,
  howToSet: HowToSet,
) => {
  const strays: string[] = [];
  const relied = new Map<string, number>();
  const dropped: EndedFault[] = [];
  const onStray = ({ method, path, nearest }: Stray): void =>
    void strays.push(`${method} ${path}: ${nearest}`);
  sessions.events.subscribe((session, event) => {
    if (event.type === 'dropped')
      for (const fault of event.faults) dropped.push({ ...fault, session, droppedBy: event.what });
    if (event.type !== 'request') return;
    const request = event.request();
    if (request.operation === null && request.upstream === null) onStray(request);
    for (const id of request.assumptions) relied.set(id, (relied.get(id) ?? 0) + 1);
  });
  /** The reasons to fail the test, each a text that is empty if there is none. What is only to be printed is printed. */
  const findProblems = (hasFailed: boolean): string[] => {
    const present = [...sessions.inMemory.values()].flatMap(({ name, start, state }): EndedFault[] =>
      state.faults.ends(start.scenario.faults).map((fault) => ({ ...fault, session: name })),
    );
    const unused = describeUnusedFaults(describeUnusedEnds([...present, ...dropped]), howToSet);
    const reliance = describeReliance(relied, strict, howToSet);
    if (unusedFaults === 'warn' && unused !== '') console.warn(unused);
    if (strict === 'print' && reliance !== '') console.info(reliance);
    return [
      unmatched === 'allow' || sessions.journalSize === 0 ? '' : describeStrays(strays, howToSet),
      unusedFaults === 'error' && !hasFailed ? unused : '',
      strict === 'print' ? '' : reliance,
    ];
  };
  return { onStray, findProblems };
};

/** @throws Error with all problems, if there are any. An empty text is none */
export const failOn = (given: readonly string[]): void => {
  const problems = given.filter((problem) => problem !== '');
  if (problems.length === 0) return;
  const error = new Error(problems.join('\n\n'));
  error.stack = `${error.name}: ${error.message}`; // the stack would only show this file
  throw error;
};
