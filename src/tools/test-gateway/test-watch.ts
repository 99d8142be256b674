// What fails a test with a gateway although its assertions passed, whatever the test runner.
import * as z from 'zod';
import { type AssumptionId, assumptions } from '../../core/assumptions/table.ts';
import { describeUnusedEnds, type EndedFault } from '../../core/faults/unused.ts';
import type { RecordedRequest } from '../../core/journal/recorded-request.ts';
import { hasBetaHeader } from '../../core/protocol/auth.ts';
import { listQuotas } from '../../core/quotas/quotas.ts';
import { operations } from '../../core/scenario/scenario-schema.ts';
import type { OptionSchemas } from '../../core/util/parse-options.ts';
import type { Sessions } from '../../service/control/sessions.ts';
import {
  describeLate,
  describeNoCalls,
  describeReliance,
  describeStrays,
  describeUnusedFaults,
  describeUnusedQuotas,
  type HowToSet,
} from './problems.ts';

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
   * What to do if the test enforced quotas, but no policy applied to any of its calls: `'error'` fails the test, unless it failed
   * already, `'warn'` prints the policies. Default: `'warn'`.
   */
  readonly unusedQuotas?: 'error' | 'warn' | 'allow' | undefined;
  /**
   * What to do if the test read `baseUrl` or `headers`, but no call arrived, and the test asked for nothing in `requests`, `faults`,
   * `quotas` or `state`: `'error'` fails the test, unless it failed already, `'warn'` prints it. Default: `'error'`.
   */
  readonly noCalls?: 'error' | 'warn' | 'allow' | undefined;
  /**
   * Whether a test may depend on assumptions: `true` fails it if it does, a list allows only those assumptions, `'print'`
   * prints them after the test. It counts those that replies are marked with, query parameters that are not in the contract, and
   * calls of the run list without the beta header. Default: `false`, which allows all.
   */
  readonly strict?: boolean | 'print' | readonly AssumptionId[] | undefined;
}

export const watchShape = () =>
  ({
    unmatched: z.enum(['fail', 'allow']).default('fail'),
    unusedFaults: z.enum(['error', 'warn', 'allow']).default('error'),
    unusedQuotas: z.enum(['error', 'warn', 'allow']).default('warn'),
    noCalls: z.enum(['error', 'warn', 'allow']).default('error'),
    strict: z
      .union(
        [z.boolean(), z.literal('print'), z.array(z.enum(Object.keys(assumptions) as AssumptionId[]))],
        'true, false, "print" or a list of assumptions',
      )
      .default(false),
  }) satisfies OptionSchemas<WatchOptions>;

/** What of a test can be seen in its process alone. */
export interface TestEnd {
  /** Whether the test has failed, was skipped, or is expected to fail: then only what it did wrong itself is reported. */
  readonly hasFailed: boolean;
  /** Whether it took the gateway, so that a call is expected. */
  readonly isTaken: boolean;
  /** Other reasons to fail it; empty texts are none. */
  readonly problems?: readonly string[];
}

export type ParsedWatchOptions = z.output<z.ZodObject<ReturnType<typeof watchShape>>>;

/** The watches of the tests that run in this process. */
const running = new Set<TestWatch>();

/** Watches the gateway of one test. It records apart from the journal, which the test may clear. */
export class TestWatch {
  /** Requests that matched no operation. */
  readonly strays: string[] = [];
  /** Requests to an earlier test's gateway: this test's own if nothing else arrived; otherwise, they may be late ones of that test. */
  readonly late: string[] = [];
  /** Whether the test has changed a world. */
  hasWritten = false;
  readonly #sessions: Sessions;
  readonly #baseUrl: string;
  readonly #options: ParsedWatchOptions;
  readonly #howToSet: HowToSet;
  /** How many calls the gateways of other tests have got meanwhile, by their base URLs. */
  readonly #callsElsewhere = new Map<string, number>();
  /** How many replies depend on each assumption. */
  readonly #relied = new Map<string, number>();
  /** The faults that were removed before the test ended, and the sessions whose removed quotas have limited a call. */
  readonly #dropped: EndedFault[] = [];
  readonly #limitedSessions = new Set<string>();
  #arrivedCount = 0;
  #hasAsked = false;
  #onArrival = (): void => {};

  constructor(sessions: Sessions, baseUrl: string, options: ParsedWatchOptions, howToSet: HowToSet) {
    this.#sessions = sessions;
    this.#baseUrl = baseUrl;
    this.#options = options;
    this.#howToSet = howToSet;
    running.add(this);
    sessions.events.subscribe((session, event) => {
      if (event.type === 'arrived') this.#noteArrival();
      if (event.type === 'read') this.#hasAsked ||= /^(?:requests|faults|quotas|state)\./.test(event.what);
      if (event.type === 'change') this.hasWritten = true;
      if (event.type === 'dropped') {
        for (const fault of event.faults) this.#dropped.push({ ...fault, session, droppedBy: event.what });
        if (event.hasLimited) this.#limitedSessions.add(session);
      }
      if (event.type === 'request') this.#noteRequest(event.request());
    });
  }

  /** Waits until a call arrives that was begun, but not awaited: at most a second, since the test fails if none does. */
  async settle(isTaken: boolean): Promise<void> {
    if (!isTaken || this.#arrivedCount > 0 || this.#hasAsked || this.#options.noCalls === 'allow') return;
    await new Promise<void>((done) => {
      this.#onArrival = done;
      later(done, 1000);
    });
  }

  /** The reasons to fail the test, each a text that is empty if there is none. What is only to be printed is printed. */
  findProblems({ hasFailed, isTaken, problems = [] }: TestEnd): string[] {
    running.delete(this);
    const howToSet = this.#howToSet;
    const { unmatched, unusedFaults, unusedQuotas, noCalls, strict } = this.#options;
    const idleQuotas = this.#arrivedCount === 0 ? [] : this.#findIdleQuotas();
    const reliance = describeReliance(this.#relied, strict, howToSet);
    const isSilent = this.#arrivedCount + this.strays.length === 0 && !this.#hasAsked && !hasFailed;
    const print = (option: 'error' | 'warn' | 'allow', problem: string): string => {
      if (option === 'warn' && problem !== '') console.warn(problem);
      return option === 'error' && !hasFailed ? problem : '';
    };
    if (strict === 'print' && reliance !== '') console.info(reliance);
    const found = [
      unmatched === 'allow' || this.#sessions.journalSize === 0 ? '' : describeStrays(this.strays, howToSet),
      print(unusedFaults, describeUnusedFaults(describeUnusedEnds(this.#endFaults()), howToSet)),
      hasFailed ? '' : print(unusedQuotas, describeUnusedQuotas(idleQuotas, howToSet)),
      strict === 'print' ? '' : reliance,
      unmatched === 'allow' ? '' : print(isSilent ? 'error' : 'warn', describeLate(this.late)),
      ...problems,
    ];
    if (!isSilent || !isTaken || found.some((problem) => problem !== '')) return found;
    return [print(noCalls, describeNoCalls(this.#baseUrl, this.#callsElsewhere, howToSet))];
  }

  #noteArrival(): void {
    this.#arrivedCount += 1;
    for (const watch of running)
      if (watch !== this)
        watch.#callsElsewhere.set(this.#baseUrl, (watch.#callsElsewhere.get(this.#baseUrl) ?? 0) + 1);
    this.#onArrival();
  }

  #noteRequest(request: RecordedRequest): void {
    const { method, path, nearest, operation, upstream } = request;
    if (operation === null && upstream === null) this.strays.push(`${method} ${path}: ${nearest}`);
    for (const id of [...request.assumptions, ...unmarkedAssumptions(request)])
      this.#relied.set(id, (this.#relied.get(id) ?? 0) + 1);
  }

  /** All faults of the test, as they stand at its end. */
  #endFaults(): EndedFault[] {
    const present = [...this.#sessions.inMemory.values()].flatMap(({ name, start, state }): EndedFault[] =>
      state.faults.ends(start.scenario.faults).map((fault) => ({ ...fault, session: name })),
    );
    return [...present, ...this.#dropped];
  }

  /** The policies of the sessions in which quotas are enforced, but limited no call. */
  #findIdleQuotas(): string[] {
    return [...this.#sessions.inMemory.values()].flatMap(({ name, state }) => {
      const hasLimited = this.#limitedSessions.has(name) || state.quotas.hasLimited();
      if (!state.quotas.isEnforced || hasLimited) return [];
      return listQuotas(state).map(
        ({ policy, name: title, never }) => `${title ?? policy}: ${never ?? 'it applied to no call'}`,
      );
    });
  }
}

/** The standing assumptions that a request depends on in a way that its client can avoid. Replies are not marked with them. */
const unmarkedAssumptions = ({ operation, query, headers, assumptions }: RecordedRequest): AssumptionId[] => {
  const contract = operations.find(({ contract: { id } }) => id === operation)?.contract;
  if (contract === undefined) return []; // an own call, or none
  const isUnknown = (name: string): boolean => !Object.hasOwn(contract.query.shape, name);
  const lacksBeta = contract.betaHeader && !hasBetaHeader((name) => headers[name]);
  const found: AssumptionId[] = [];
  if (Object.keys(query).some(isUnknown)) found.push('unknown-parameter');
  if (lacksBeta) found.push('beta-header');
  return found.filter((id) => !assumptions.includes(id)); // it marks a refusal
};

/** Node's own, which the fake timers of a test do not replace. */
const later = setTimeout;

/** @throws Error with all problems, if there are any. An empty text is none */
export const failOn = (findings: readonly string[]): void => {
  const problems = findings.filter((problem) => problem !== '');
  if (problems.length === 0) return;
  const error = new Error(problems.join('\n\n'));
  error.stack = `${error.name}: ${error.message}`; // the stack would only show this file
  throw error;
};
