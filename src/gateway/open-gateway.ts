import type { Context } from '../control/command.ts';
import { type Control, createControl } from '../control/control.ts';
import { defaultMaxSessions, Sessions } from '../control/sessions.ts';
import { guardWorld } from '../control/world-guard.ts';
import { canonicalLine, type FaultState } from '../faults/faults.ts';
import { flattenHeaders } from '../journal/entry.ts';
import { maxJournal } from '../journal/journal.ts';
import type { AssumptionChoices } from '../protocol/assumptions.ts';
import { credentialsIn } from '../protocol/auth.ts';
import type { RawCall } from '../protocol/call.ts';
import { createHide } from '../protocol/mask.ts';
import { defaultSession, isSessionName, sessionNameRule } from '../protocol/session-name.ts';
import { inlineResponse } from '../scenario/inline.ts';
import { type Library, shippedLibrary } from '../scenario/library.ts';
import { type LoadedScenario, loadScenario } from '../scenario/load.ts';
import { checkValue } from '../scenario/mistakes.ts';
import { ScenarioError } from '../scenario/scenario-error.ts';
import { operations, type Scenario, scenarioSchema } from '../scenario/schema.ts';
import type { ShippedScenario } from '../scenario/shipped-names.ts';
import type { AnswerCall, OnNoCall } from '../transports/answer.ts';
import { belowAnyBase, belowBase } from '../transports/base-url.ts';
import type { HandlerParts } from '../transports/msw.ts';
import { createListener, type NodeListener } from '../transports/node-http.ts';
import type { OptionKinds } from '../util/options.ts';
import { choicesIn } from '../world/world.ts';
import { addMissToJournal, execute, type Served } from './execute.ts';
import { describeMiss, findCall } from './route.ts';

/** How a gateway is made. */
export interface GatewayOptions {
  /** The name of a shipped scenario, or one as an object. Default: `'default'`. */
  readonly scenario?: ShippedScenario | Scenario | undefined;
  /** Replaces the seed of the scenario. The same seed gives the same bytes. */
  readonly seed?: number | undefined;
  /** Switches assumptions, on top of those that the scenario switches. */
  readonly assumptions?: AssumptionChoices | undefined;
  /** The API keys accepted. Default: those of the scenario; else any that is not empty. */
  readonly apiKeys?: readonly string[] | undefined;
  /** The virtual keys accepted. Default: those of the scenario; else any that is not empty. */
  readonly virtualKeys?: readonly string[] | undefined;
  /**
   * In process: the one base URL that is served, and of which every call is answered, by 404 where no operation has it.
   * Default: any base URL, where calls that no operation serves are left to others.
   */
  readonly baseUrl?: string | undefined;
  /** Faults on top of those of the scenario, each as its line: `'listRuns#3: reset'`. */
  readonly faults?: readonly string[] | undefined;
  /** How many requests the journal of each session keeps; 0 turns it off. Default: 1000. */
  readonly journal?: number | undefined;
  /**
   * How many sessions are kept, the default one among them. When there are more, the least recently used are removed, and
   * calls that name one of these get 410. Default: 1000.
   */
  readonly maxSessions?: number | undefined;
  /** Refuses calls that name no session, so that none leaks into another test. Default: false. */
  readonly requireSession?: boolean | undefined;
}

export const gatewayOptionKinds: OptionKinds<GatewayOptions> = {
  scenario: 'scenario',
  seed: 'other', // the schema of scenarios checks it
  assumptions: 'mapping',
  apiKeys: 'list',
  virtualKeys: 'list',
  baseUrl: 'text',
  faults: 'list',
  journal: 'other', // it has words of its own
  maxSessions: 'other', // so has this
  requireSession: 'switch',
};

/** A gateway without the face that needs MSW, so that callers without MSW need not load it. */
export interface PlainGateway extends Control {
  /**
   * For an Express or Connect app of your own: answers `/v1/…` and `/sessions/NAME/v1/…`, wherever it is mounted
   * (`app.use(…)`, `app.use('/api', …)`, `app.use('/api/v1', …)`), and leaves the rest to the app.
   */
  readonly middleware: () => NodeListener;
  /**
   * The control of one session: of the calls to `/sessions/NAME/v1/…`, or with the header `x-mock-session: NAME`. It stays
   * with the world that its first call met: once somebody else has made the session anew, each of its methods throws.
   *
   * @throws Error where the name is no valid one
   */
  readonly session: (name: string) => Control;
}

/** A gateway, and what the doors build their own faces on. */
export interface OpenPlainGateway {
  readonly gateway: PlainGateway;
  readonly answer: AnswerCall;
  /** What MSW's handlers are made of. */
  readonly handlerParts: HandlerParts;
  /** For the refusal of bytes that make no call: the id and the marks of its reply, which are counted. */
  readonly onNoCall: OnNoCall;
  /** What the commands of one session work on: whichever world has that name by now. */
  readonly contextOf: (name: string) => Context;
  /** What is known of the sessions. */
  readonly sessions: Pick<Sessions, 'worldOf' | 'refusalOf'>;
  /**
   * The value of each assumption in a session; of one that there is not yet, those that it would begin with.
   *
   * @throws GatewayError 410 where the session was removed
   */
  readonly choicesOf: (session: string) => AssumptionChoices;
  /** Subscribes to the events of all worlds. Returns a function that unsubscribes. */
  readonly subscribe: Sessions['subscribe'];
  /** What has become so far of the faults of all sessions. */
  readonly faultsNow: Sessions['faultsNow'];
  /** How many requests the journal of each session keeps. */
  readonly journalSize: number;
  /** Starts all sessions anew from a scenario. @throws ScenarioError: then the old ones go on */
  readonly restart: (scenario: string | Scenario, library: Library) => void;
}

/** The same where the library has scenarios of the user's own. */
export interface OpenOptions extends Omit<GatewayOptions, 'scenario'> {
  readonly scenario?: string | Scenario | undefined;
}

/** Opens a gateway for a door. */
export const openPlainGateway = (options: OpenOptions, given: Library = shippedLibrary): OpenPlainGateway => {
  let library = given;
  const load = (scenario: string | Scenario) =>
    withOptions(loadScenario(scenario, library), options, library);
  const { maxSessions = defaultMaxSessions, journal = 1000 } = options;
  if (!(Number.isInteger(maxSessions) && maxSessions >= 2))
    throw new Error(
      `Failed to keep ${maxSessions} sessions: it must be a whole number from 2 on, the default one among them.`,
    );
  if (!(Number.isInteger(journal) && journal >= 0 && journal <= maxJournal))
    throw new Error(`Failed to keep ${journal} requests: it must be a whole number from 0 to ${maxJournal}.`);
  let start = load(options.scenario ?? 'default');
  const sessions = new Sessions(start, maxSessions, journal);

  const served: Served = { operations, sessions, requireSession: options.requireSession ?? false };
  const answer: AnswerCall = (call) => execute(served, call);
  const { baseUrl } = options;
  const locate =
    baseUrl === undefined ? belowAnyBase(served.operations) : belowBase(baseUrl, served.operations);
  const contextOf = (name: string): Context => {
    if (!isSessionName(name)) throw new Error(`Failed to open the session "${name}": ${sessionNameRule}.`);
    const open = () => sessions.open(name).session;
    return {
      open,
      world: () => open().situation.world,
      sessions,
      library: () => library,
      load,
      operations,
      onChange: (what) => sessions.emit(name, { type: 'change', what }),
    };
  };
  const session = (name: string): Control =>
    createControl(
      contextOf(name),
      guardWorld(name, () => sessions.worldOf(name)),
    );

  return {
    gateway: {
      ...createControl(contextOf(defaultSession)),
      middleware: () => createListener(answer, reportUnanswered(served)),
      session,
    },
    answer,
    contextOf,
    handlerParts: {
      answer,
      locate,
      operations: served.operations,
      baseUrl,
      onMiss: (call) => addMissToJournal(served, call),
    },
    onNoCall: () => {
      const { world } = sessions.open(defaultSession).session.situation;
      const { mark, marks } = world.assumptions.forAnswer();
      mark('http-syntax');
      mark('error-body');
      return { requestId: world.nextRequestId(), marks };
    },
    sessions,
    choicesOf: (name) => {
      const refusal = sessions.refusalOf(name);
      if (refusal !== undefined) throw refusal;
      if (!sessions.has(name)) return choicesIn(start.whole);
      return sessions.open(name).session.situation.world.assumptions.choices();
    },
    subscribe: (listener) => sessions.subscribe(listener),
    faultsNow: () => sessions.faultsNow(),
    journalSize: journal,
    restart: (scenario, nextLibrary) => {
      start = withOptions(loadScenario(scenario, nextLibrary), options, nextLibrary);
      library = nextLibrary;
      sessions.restart(start);
    },
  };
};

/** A call that has no `/v1` in its path is left to the app. If that has no answer either, the journal and the console say so. */
const reportUnanswered = (served: Served): ((call: RawCall) => void) => {
  let isReported = false;
  return (call) => {
    if (findCall(served.operations, call.path) === undefined) return; // it was meant for somebody else
    addMissToJournal(served, call);
    if (isReported) return;
    isReported = true;
    const hide = createHide(credentialsIn(flattenHeaders(call.headers())));
    const miss = hide(describeMiss(served.operations, call)).replace(/[^\x20-\x7e]/g, '?');
    console.warn(
      `gateway-mock: a call was left to your app, which answered 404. ${miss} Mount the middleware at a path that ends in /v1, or add /v1 to the base URL.`,
    );
  };
};

/** What the options say goes over what the scenario says, and is held to the same schema. @throws ScenarioError */
const withOptions = (
  { name, whole }: LoadedScenario,
  { seed, apiKeys, virtualKeys, assumptions, faults = [] }: OpenOptions,
  library: Library,
): LoadedScenario => {
  const given = [seed, apiKeys, virtualKeys, assumptions, ...faults];
  if (given.every((option) => option === undefined)) return { name, whole };
  const keys = {
    ...whole.keys,
    ...(apiKeys !== undefined && { valid: apiKeys }),
    ...(virtualKeys !== undefined && { virtual: virtualKeys }),
  };
  const changed = {
    seed: seed ?? whole.seed,
    keys,
    assumptions: { ...whole.assumptions, ...assumptions },
    faults: [
      ...whole.faults,
      ...faults.map((line) => inlineResponse(line, library)).filter(isNewIn(whole.faults)),
    ],
  };
  const changeable = scenarioSchema
    .unwrap()
    .pick({ seed: true, keys: true, assumptions: true, faults: true });
  const { data, mistakes } = checkValue(changeable, changed);
  if (mistakes.length > 0) throw new ScenarioError('that the options give', mistakes);
  return { name, whole: { ...whole, ...data } };
};

/** A state that was exported has the faults of the options already. */
const isNewIn =
  (present: readonly FaultState[]) =>
  (line: string): boolean =>
    !present.some((state) => (typeof state === 'string' ? state : state.fault) === canonicalLine(line));
