// Finds reasons to fail a test although its assertions passed. All test runners use it.
import * as z from 'zod';
import { type AssumptionId, assumptions } from '../../core/assumptions/table.ts';
import { describeUnused, type SessionFaultUse } from '../../core/faults/unused.ts';
import type { RecordedRequest } from '../../core/journal/recorded-request.ts';
import { policies } from '../../core/operations/get-rate-limits-policy/record.ts';
import { hasBetaHeader } from '../../core/protocol/auth.ts';
import { listQuotas } from '../../core/quotas/quotas.ts';
import { operations } from '../../core/scenario/scenario-schema.ts';
import { isCredentialName } from '../../core/util/mask.ts';
import type { OptionSchemas } from '../../core/util/parse-options.ts';
import { changesIn } from '../../core/world/base.ts';
import type { Sessions } from '../../service/control/sessions.ts';
import type { GatewayUse } from './address.ts';
import {
  describeFailures,
  describeLate,
  describeLeaks,
  describeNoCalls,
  describeReliance,
  describeStrays,
  describeUnawaited,
  describeUnusedFaults,
  describeUnusedQuotas,
  type HowToSet,
  type Reliance,
} from './problems.ts';

/** Options of a test's gateway that say what fails the test. */
export interface WatchOptions {
  /** Whether a test fails if one of its requests to the gateway matches no operation. This needs the journal. Default: `'fail'`. */
  readonly unmatched?: 'fail' | 'allow' | undefined;
  /**
   * What to do if a fault of the test was never used: `'error'` fails the test, unless it failed already, `'warn'` prints the
   * faults. A fault with `share` also counts as used if only chance spared a call. Default: `'error'`.
   */
  readonly unusedFaults?: 'error' | 'warn' | 'allow' | undefined;
  /**
   * What to do if the test enforced quotas, but a policy that it created, or every policy, applied to none of its calls:
   * `'error'` fails the test, unless it failed already, `'warn'` prints the policies. Default: `'error'` for a policy that the
   * test created and that no call can meet, otherwise `'warn'`.
   */
  readonly unusedQuotas?: 'error' | 'warn' | 'allow' | undefined;
  /**
   * What to do if the test read `baseUrl` or `headers`, but no call arrived, and the test did not ask `requests` for all
   * requests, or for those of an operation, method or path: `'error'` fails the test, unless it failed already, `'warn'` prints a warning. Default: `'error'`.
   */
  readonly noCalls?: 'error' | 'warn' | 'allow' | undefined;
  /**
   * Whether a test fails if it depends on assumptions: `true` fails it, a list allows only the assumptions in it, `'print'`
   * prints the assumptions after the test. A test depends on the assumptions with which its replies are marked, on
   * `unknown-parameter` if it sent a query parameter that is not in the contract, and on `beta-header` if it called the run list
   * without that header. Default: `false`, which allows all assumptions.
   */
  readonly strict?: boolean | 'print' | readonly AssumptionId[] | undefined;
}

export const watchShape = () =>
  ({
    unmatched: z.enum(['fail', 'allow']).default('fail'),
    unusedFaults: z.enum(['error', 'warn', 'allow']).default('error'),
    unusedQuotas: z.enum(['error', 'warn', 'allow']).optional(),
    noCalls: z.enum(['error', 'warn', 'allow']).default('error'),
    strict: z
      .union(
        [z.boolean(), z.literal('print'), z.array(z.enum(Object.keys(assumptions) as AssumptionId[]))],
        'true, false, "print" or a list of assumptions',
      )
      .default(false),
  }) satisfies OptionSchemas<WatchOptions>;

/** The end of a test, as its test runner reports it. */
interface TestEnd extends GatewayUse {
  /** Whether the test has failed, was skipped, or is expected to fail. If so, it is not blamed for calls that it did not make. */
  readonly hasFailed: boolean;
  /** Other reasons to fail the test; empty texts are ignored. */
  readonly problems?: readonly string[];
}

type ParsedWatchOptions = z.output<z.ZodObject<ReturnType<typeof watchShape>>>;

/** The watches of the tests that run in this process. */
const running = new Set<TestWatch>();

/** Watches the gateway of one test. It has records of its own, since the test may clear the journal. */
export class TestWatch {
  readonly strays: string[] = [];
  /**
   * Requests to the gateway of an earlier test. If nothing else arrived, this test sent them; otherwise, the earlier test may
   * have sent them late.
   */
  readonly late: string[] = [];
  /** What failed in handlers of own calls. */
  readonly #failures: string[] = [];
  /** Calls with a credential in their query. */
  readonly #leaks: string[] = [];
  /** Whether the test has changed a world. */
  hasWritten = false;
  readonly #sessions: Sessions;
  readonly #baseUrl: string;
  readonly #options: ParsedWatchOptions;
  readonly #howToSet: HowToSet;
  /** How many calls the gateways of other tests have got meanwhile, by their base URLs. */
  readonly #callsElsewhere = new Map<string, number>();
  /** The assumptions that replies depend on. */
  readonly #relied = new Map<string, Reliance>();
  /** The faults of states that were replaced, for example by `reset`, and of sessions that ended. */
  readonly #removedFaults: SessionFaultUse[] = [];
  /** The sessions with such a state in which a policy had applied to a call. */
  readonly #matchedSessions = new Set<string>();
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
      if (event.type === 'read') this.#hasAsked ||= asksForAll(event.what, event.input);
      if (event.type === 'change') this.hasWritten = true;
      if (event.type === 'failed') this.#failures.push(event.what);
      if (event.type === 'faults-removed') {
        for (const fault of event.faults)
          this.#removedFaults.push({ ...fault, session, removedBy: event.what });
        if (event.hasMatched) this.#matchedSessions.add(session);
      }
      if (event.type === 'request') this.#noteRequest(event.request());
    });
  }

  /** Waits at most a second for the first call, which the test may have begun without awaiting it. */
  async settle(isTaken: boolean): Promise<void> {
    if (!isTaken || this.#arrivedCount > 0 || this.#hasAsked || this.#options.noCalls === 'allow') return;
    await new Promise<void>((done) => {
      this.#onArrival = done;
      later(done, 1000);
    });
  }

  /** Returns the reasons to fail the test, among them empty texts. Prints warnings. */
  findProblems({ hasFailed, isTaken, unawaited, problems = [] }: TestEnd): string[] {
    running.delete(this);
    const howToSet = this.#howToSet;
    const { unmatched, unusedFaults, unusedQuotas, noCalls, strict } = this.#options;
    const unusedPolicies = this.#arrivedCount === 0 ? [] : this.#findUnusedQuotas();
    const idle = unusedPolicies.map(
      ({ policy, name, never }) =>
        `${name === null ? policy : `${name} (${policy})`}: ${never ?? 'it applied to no call'}`,
    );
    const quotaOption =
      unusedQuotas ??
      (unusedPolicies.some(({ isOfTest, never }) => isOfTest && never !== null) ? 'error' : 'warn');
    const reliance = describeReliance(this.#relied, strict, howToSet);
    const isSilent = this.#arrivedCount + this.strays.length === 0 && !this.#hasAsked && !hasFailed;
    const failOrWarn = (option: 'error' | 'warn' | 'allow', problem: string): string => {
      if (option === 'warn' && problem !== '') console.warn(problem);
      return option === 'error' && !hasFailed ? problem : '';
    };
    if (strict === 'print' && reliance !== '') console.info(reliance);
    const found = [
      unmatched === 'allow' || this.#sessions.journalSize === 0 ? '' : describeStrays(this.strays, howToSet),
      failOrWarn('error', describeUnawaited(unawaited)),
      failOrWarn('error', describeFailures(this.#failures)),
      Array.isArray(strict) && strict.includes('unknown-parameter')
        ? ''
        : failOrWarn('error', describeLeaks(this.#leaks, howToSet)),
      failOrWarn(unusedFaults, describeUnusedFaults(describeUnused(this.#faultUses()), howToSet)),
      hasFailed ? '' : failOrWarn(quotaOption, describeUnusedQuotas(idle, howToSet)),
      strict === 'print' ? '' : reliance,
      unmatched === 'allow' ? '' : failOrWarn(isSilent ? 'error' : 'warn', describeLate(this.late)),
      ...problems,
    ];
    if (!isSilent || !isTaken || found.some((problem) => problem !== '')) return found;
    return [failOrWarn(noCalls, describeNoCalls(this.#baseUrl, this.#callsElsewhere, howToSet))];
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
    const unknown = unknownParameters(request);
    const credentials = unknown.filter((name) => isCredentialName(name, 'form'));
    if (credentials.length > 0) this.#leaks.push(`${method} ${path}: ${credentials.join(', ')}`);
    for (const id of [...request.assumptions, ...unmarkedAssumptions(request, unknown)]) {
      const { count, first } = this.#relied.get(id) ?? { count: 0, first: request };
      this.#relied.set(id, { count: count + 1, first });
    }
  }

  /** The faults of the test, apart from those that it removed itself: a fault that `faults.remove` took away need not be used. */
  #faultUses(): SessionFaultUse[] {
    const present = [...this.#sessions.inMemory.values()].flatMap(({ name, start, state }) =>
      state.faults.uses(start.scenario.faults).map((fault) => ({ ...fault, session: name })),
    );
    return [...present, ...this.#removedFaults];
  }

  /**
   * The policies that applied to no call, where quotas are enforced: those that the test created, also if they are archived, or
   * all, if none applied to a call.
   */
  #findUnusedQuotas() {
    return [...this.#sessions.inMemory.values()].flatMap(({ name, start, state }) => {
      if (!state.quotas.isEnforced || this.#matchedSessions.has(name)) return [];
      const atStart = changesIn(policies, start.scenario, '').records.map(({ id }) => id);
      const isOfTest = (id: string): boolean =>
        !atStart.includes(id) && state.world.list(policies)?.entry(id)?.isWritten === true;
      const never = 'It is archived, so it limits nothing.';
      const archived = (state.world.list(policies)?.entries() ?? [])
        .filter(({ id, sequence }) => sequence >= 0 && isOfTest(id)) // a test may archive a seeded one
        .map((entry) => entry.readAt(state.world.clock.now()))
        .filter(({ status }) => status === 'archived')
        .map(({ id, name = null }) => ({ policy: id, name, never, matched: state.quotas.matchedBy(id) }));
      return [...listQuotas(state), ...archived]
        .map((quota) => ({ ...quota, isOfTest: isOfTest(quota.policy) }))
        .filter(({ matched, isOfTest }) => matched === 0 && (isOfTest || !state.quotas.hasMatched()));
    });
  }
}

/** The fields of a filter that select a part of the requests of an operation. */
const selectingFields: readonly string[] = [
  ...['query', 'headers', 'body', 'status', 'outcome'],
  ...['faulted', 'fault', 'assumption', 'unmatched', 'search'],
];

/** Whether a question shows that nothing was sent: it is about all requests, or those of an operation, method or path. */
const asksForAll = (what: string, input: object): boolean =>
  /^requests\.(?:list|count|wait|expect)$/.test(what) && !selectingFields.some((field) => field in input);

/** The contract of the operation of a request; undefined if it is an own call, or has no operation. */
const contractOf = ({ operation }: RecordedRequest) =>
  operations.find(({ contract: { id } }) => id === operation)?.contract;

/** The parameters in the query of a request that its operation does not have. */
const unknownParameters = (request: RecordedRequest): string[] => {
  const known = contractOf(request)?.query.shape ?? request.query;
  return Object.keys(request.query).filter((name) => !Object.hasOwn(known, name));
};

/** The standing assumptions that a request depends on in a way that its client can avoid. Replies are not marked with them. */
const unmarkedAssumptions = (request: RecordedRequest, unknown: readonly string[]): AssumptionId[] => {
  const needsBeta = contractOf(request)?.betaHeader === true;
  const found: AssumptionId[] = [];
  if (unknown.length > 0) found.push('unknown-parameter');
  if (needsBeta && !hasBetaHeader((name) => request.headers[name])) found.push('beta-header');
  return found.filter((id) => !request.assumptions.includes(id)); // the reply is marked already
};

/** The timer of Node, taken before fake timers of a test can replace it. */
const later = setTimeout;

/** @throws Error with all problems, if there are any. Empty texts are ignored */
export const failOn = (findings: readonly string[]): void => {
  const problems = findings.filter((problem) => problem !== '');
  if (problems.length === 0) return;
  const error = new Error(problems.join('\n\n'));
  error.stack = `${error.name}: ${error.message}`; // the stack would only show this file
  throw error;
};
