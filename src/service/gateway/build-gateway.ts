import type { RequestHandler } from 'msw';
import { lineOf } from '../../core/faults/fault.ts';
import { canonicalLine } from '../../core/faults/faults.ts';
import type { FaultState } from '../../core/faults/faults-schema.ts';
import { type AnyOperation, idsOf } from '../../core/operations/operation.ts';
import { findPromptWarnings } from '../../core/operations/render-prompt/prompt-warnings.ts';
import type { Answer, Call } from '../../core/protocol/call.ts';
import { defaultSession, isSessionName, sessionNameRule } from '../../core/protocol/session-name.ts';
import { findIdleQuotas } from '../../core/quotas/quotas.ts';
import { findUnfitting, findUnknownOperations } from '../../core/scenario/further-errors.ts';
import { type Library, shippedLibrary } from '../../core/scenario/library.ts';
import { type LoadedScenario, loadDocument, loadScenario } from '../../core/scenario/load.ts';
import { ScenarioError } from '../../core/scenario/scenario-error.ts';
import { scenarioSchema } from '../../core/scenario/scenario-schema.ts';
import type { Scenario } from '../../core/scenario/scenario-types.ts';
import { belowAnyBase, belowBase } from '../../core/transports/base-url.ts';
import { createFetch, type FetchGateway } from '../../core/transports/fetch.ts';
import type { HandlerParts } from '../../core/transports/msw.ts';
import { createListener, type NodeListener } from '../../core/transports/node-http.ts';
import { checkValue } from '../../core/util/check-value.ts';
import { createIsCredential } from '../../core/util/mask.ts';
import { describeError, listErrors } from '../../core/util/validation-error.ts';
import type { Kind } from '../../core/world/kind.ts';
import { ownSection } from '../../core/world/own-section.ts';
import type { Context, NamedCommand } from '../control/command.ts';
import { listOwnCommands } from '../control/commands/record-commands.ts';
import { createControl } from '../control/control.ts';
import type { Control } from '../control/control-interface.ts';
import type { SessionStore } from '../control/session-store.ts';
import { Sessions } from '../control/sessions.ts';
import { createState, type WorldState } from '../control/world-state.ts';
import { answer } from './answer.ts';
import type { AnswerContext } from './find.ts';
import type { Upstream } from './forward.ts';
import type { ParsedOptions } from './gateway-options.ts';
import { recordMiss } from './misses.ts';
import { findOwnErrors, type OwnDefinition, type Served, toServed } from './own-records.ts';
import { describeLeft } from './route.ts';

/** A gateway: the control of its default session, and its transports. */
export interface Gateway extends Control {
  /**
   * Handlers for MSW 2 and 3: `setupServer(...gateway.handlers)`, `setupWorker(...gateway.handlers)`. One per operation;
   * with a `baseUrl`, one more that answers everything else below it with 404 or 405. Reading them throws if MSW 3 runs under an
   * older Node than 22.
   */
  readonly handlers: readonly RequestHandler[];
  /**
   * Answers a standard `Request`, or what `fetch` takes, without a server and without interception: pass it to a client
   * (`new OpenAI({ fetch: gateway.fetch })`), or call it in a handler of Hono, Next, Bun or Deno. It answers everything below
   * `/v1`, whatever the host; everything else gets 404. Rejects as `fetch` does: by a `TypeError` if a fault resets the
   * connection, and by the signal's reason if the caller aborts.
   */
  readonly fetch: FetchGateway;
  /**
   * Returns a middleware for your own Express or Connect app. It answers `/v1/…` and `/sessions/NAME/v1/…` wherever it is
   * mounted (`app.use(…)`, `app.use('/api', …)`, `app.use('/api/v1', …)`), and leaves other requests to the app.
   */
  readonly middleware: () => NodeListener;
  /**
   * Returns the control of a session, which serves calls to `/sessions/NAME/v1/…` or with the header `x-mock-session: NAME`.
   * The control works on whatever world the session has. Once the session was removed because there were too many, its
   * methods throw.
   *
   * @throws Error on an invalid session name
   */
  readonly session: (name: string) => Control;
}

export interface GatewaySettings extends Omit<ParsedOptions, 'scenario' | 'baseUrl'> {
  readonly scenario: string | Scenario;
  readonly baseUrl?: string | undefined;
  /** The scenarios, by name. Default: the shipped scenarios. */
  readonly library?: Library | undefined;
  /** Creates the handlers when they are first read. Undefined if MSW is not loaded. */
  readonly createHandlers?: ((parts: HandlerParts) => readonly RequestHandler[]) | undefined;
  /** Keeps the sessions that are not in memory. */
  readonly store?: SessionStore | undefined;
  /** The server that gets calls over HTTP that match no operation. */
  readonly upstreamServer?: Upstream | undefined;
  /** Gets each warning. Default: `console.warn`. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** The operations, scenarios and sessions of a gateway, which a reload replaces. */
class GatewayState {
  /** The contract's operations and the user's own calls. */
  readonly operations: AnyOperation[] = [];
  /** The contract's kinds of records and the user's own. */
  readonly kinds: Kind[] = [];
  readonly sessions: Sessions;
  #ownCommands: readonly NamedCommand[] = [];
  /** Whether its controls throw. */
  isClosed = false;
  readonly #settings: GatewaySettings;
  readonly #warn: (message: string) => void;
  #library: Library;

  constructor(settings: GatewaySettings) {
    this.#settings = settings;
    this.#library = settings.library ?? shippedLibrary;
    this.#warn = settings.onWarning ?? ((message) => console.warn(`gateway-mock: ${message}`));
    this.setCalls(settings.calls);
    this.sessions = new Sessions(this.#load(settings.scenario), settings, settings.store, this.kinds);
  }

  /** The context of the commands of one session: always its current world. */
  readonly contextOf = (name: string): Context => {
    if (!isSessionName(name)) throw new Error(`Failed to open the session "${name}": ${sessionNameRule}.`);
    const { sessions, operations } = this;
    return {
      open: () => sessions.open(name).session,
      sessions,
      library: () => this.#library,
      load: (scenario) => this.#load(scenario),
      loadFile: (file) => {
        const ids = idsOf(operations);
        return this.#apply(loadDocument(file, this.#library, ids), this);
      },
      operations,
      ownCommands: () => this.#ownCommands,
      isClosed: () => this.isClosed,
      warn: this.#warn,
      onChange: (what) => sessions.noteChange(name, what),
      onRead: (what) => sessions.events.emit(name, { type: 'read', what }),
    };
  };

  /**
   * Replaces the user's own calls and kinds. The sessions stay as they are. @throws Error if an id, a name, or a method and
   * path, is taken
   */
  readonly setCalls = (calls: readonly OwnDefinition[]): void => this.#use(toServed(calls, this.contextOf));

  /** Restarts all sessions from a scenario. @throws ScenarioError; the sessions then stay as they are */
  readonly restart = (
    scenario: string | Scenario,
    library: Library,
    calls: readonly OwnDefinition[],
  ): void => {
    const served = toServed(calls, this.contextOf);
    const start = this.#load(scenario, library, served);
    this.#library = library;
    this.#use(served);
    this.sessions.restart(start);
  };

  #load(scenario: string | Scenario, library = this.#library, served: Served = this): LoadedScenario {
    return this.#apply(loadScenario(scenario, library, idsOf(served.operations)), served);
  }

  /** Applies the options, and prints the warnings. @throws ScenarioError if the scenario does not fit them, or the user's own kinds */
  #apply(loaded: LoadedScenario, { operations, kinds }: Served): LoadedScenario {
    const start = withOptions(loaded, this.#settings, idsOf(operations));
    if (loaded.isShipped) return start;
    const state = createState(start, kinds);
    const errors = [...findOwnErrors(start.scenario.own, state.world)];
    if (errors.length > 0) throw new ScenarioError(`"${start.name}"`, listErrors(errors));
    for (const warning of findWarnings(start, state)) this.#warn(warning);
    return start;
  }

  #use({ operations, kinds }: Served): void {
    this.operations.splice(0, this.operations.length, ...operations);
    this.kinds.splice(0, this.kinds.length, ...kinds);
    this.#ownCommands = listOwnCommands(kinds.filter(({ section }) => section === ownSection));
  }
}

/**
 * Builds a gateway, with what entry points need for their own methods. @throws ScenarioError on an invalid scenario; Error on
 * an invalid base URL
 */
export const buildGateway = (settings: GatewaySettings) => {
  const { baseUrl, requireSession, upstreamServer: upstream } = settings;
  const state = new GatewayState(settings);
  const { operations, sessions, contextOf, setCalls, restart } = state;
  const isCredential = createIsCredential(settings.mask);
  const rules = { operations, sessions, requireSession, isCredential };
  const inProcess: AnswerContext = { ...rules, onSent: new Set() };
  const overHttp: AnswerContext = { ...rules, upstream, onSent: new Set() };
  const locate = baseUrl === undefined ? belowAnyBase(operations) : belowBase(baseUrl, operations);
  const answerHere: Answer = (call) => answer(inProcess, call);
  const describeUnhandled = (request: Request) => describeLeft(operations, baseUrl, request);
  const onMiss = (call: Call, request: Request): void =>
    recordMiss(inProcess, call, describeUnhandled(request));
  let handlers: readonly RequestHandler[] | undefined;
  const gateway: Gateway = {
    ...createControl(contextOf(defaultSession)),
    get handlers() {
      if (settings.createHandlers === undefined)
        throw new Error('Failed to create handlers: MSW is not loaded here.');
      handlers ??= settings.createHandlers({ answer: answerHere, locate, operations, baseUrl, onMiss });
      return handlers;
    },
    fetch: createFetch(answerHere, locate),
    middleware: (...args: readonly unknown[]) => {
      if (args.length > 0)
        throw new Error(
          'Failed to handle a request: gateway.middleware() takes no arguments, and returns the middleware. Mount it by app.use(gateway.middleware()).',
        );
      return createListener(answerHere);
    },
    session: (name) => createControl(contextOf(name)),
  };
  return {
    gateway,
    contextOf,
    sessions,
    isCredential,
    setCalls,
    restart,
    /** Sets whether its controls throw. Closing it also ends pending waits. */
    setClosed: (isClosed: boolean): void => {
      state.isClosed = isClosed;
      const createReason = () => new Error('Failed to wait for requests: the gateway was closed.');
      if (isClosed) for (const { journal } of sessions.inMemory.values()) journal.endWaits(createReason);
    },
    /** Describes a request that was left to other handlers; undefined if it does not look like a call. */
    describeUnhandled,
    /** Answers a call over HTTP: only there, it may be forwarded to another server. */
    answerOverHttp: ((call) => answer(overHttp, call)) satisfies Answer,
    /** Listeners that get each reply over HTTP once it was sent or lost. */
    onSent: overHttp.onSent,
  };
};

/** Warnings about parts of a scenario without effect: quotas that limit no call, and the first slips in prompts. */
const findWarnings = (start: LoadedScenario, { quotas, world }: WorldState): string[] => {
  const idle = quotas.isEnforced ? findIdleQuotas(world) : undefined;
  const slips = [...findPromptWarnings(start.scenario, world)].map(describeError);
  const more =
    slips.length > maxSlips ? ['Prompts have more slips: `gateway-mock validate FILE` lists them'] : [];
  return [...(idle === undefined ? [] : [idle]), ...slips.slice(0, maxSlips), ...more];
};

/** How many slips in prompts are printed at the start. */
const maxSlips = 5;

/** Applies the options to the scenario. They have the same schema as its parts. @throws ScenarioError */
const withOptions = (
  loaded: LoadedScenario,
  { seed, apiKeys, virtualKeys, assume, faults = [] }: GatewaySettings,
  operations: readonly string[],
): LoadedScenario => {
  const { name, scenario } = loaded;
  if ([seed, apiKeys, virtualKeys, assume, faults[0]].every((option) => option === undefined)) return loaded;
  const keys = {
    ...(apiKeys !== undefined && { valid: apiKeys }),
    ...(virtualKeys !== undefined && { virtual: virtualKeys }),
  };
  const options = { ...(seed !== undefined && { seed }), keys, assumptions: assume, faults };
  const optionsSchema = scenarioSchema
    .unwrap()
    .pick({ seed: true, keys: true, assumptions: true, faults: true });
  const { errors } = checkValue(optionsSchema, options);
  const applied = {
    ...scenario,
    seed: seed ?? scenario.seed,
    keys: { ...scenario.keys, ...keys },
    assumptions: { ...scenario.assumptions, ...assume },
    faults: [...scenario.faults, ...faults.filter(isNewIn(scenario.faults))],
  };
  const all = [...errors, ...findUnknownOperations({ faults }, operations), ...findUnfitting(applied)];
  if (all.length > 0) throw new ScenarioError('made from the options', all);
  return { name, scenario: applied };
};

/** An exported state already has the faults of the options. */
const isNewIn =
  (present: readonly FaultState[]) =>
  (line: string): boolean =>
    !present.some((state) => canonicalLine(lineOf(state)) === canonicalLine(line));
