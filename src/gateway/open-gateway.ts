import type { RequestHandler } from 'msw';
import type { Context } from '../control/command.ts';
import { createControl } from '../control/control.ts';
import type { SessionStore } from '../control/session-store.ts';
import { Sessions } from '../control/sessions.ts';
import type { Control } from '../control/types.ts';
import type { WorldEvents } from '../control/world-events.ts';
import { canonicalLine } from '../faults/faults.ts';
import type { FaultState } from '../faults/schema.ts';
import { JournalMemory } from '../journal/journal-memory.ts';
import type { AssumptionId } from '../protocol/assumptions.ts';
import type { Answer, Call, Reply, Sent } from '../protocol/call.ts';
import { defaultSession, isSessionName, sessionNameRule } from '../protocol/session-name.ts';
import { findUnknownStatuses } from '../scenario/further-mistakes.ts';
import { inlineResponse } from '../scenario/inline.ts';
import { type Library, type ScenarioDocument, shippedLibrary } from '../scenario/library.ts';
import { type LoadedScenario, loadDocument, loadScenario } from '../scenario/load.ts';
import { checkValue } from '../scenario/mistakes.ts';
import { ScenarioError } from '../scenario/scenario-error.ts';
import { operations as contractOperations, scenarioSchema } from '../scenario/schema.ts';
import type { Scenario } from '../scenario/types.ts';
import { belowAnyBase, belowBase } from '../transports/base-url.ts';
import { createFetch, type FetchGateway } from '../transports/fetch.ts';
import type { HandlerParts } from '../transports/msw.ts';
import { createListener, type NodeListener } from '../transports/node-http.ts';
import { createIsCredential, type IsCredential } from '../util/mask.ts';
import { type AnswerContext, answer, toErrorReply } from './answer.ts';
import type { Upstream } from './forward.ts';
import { recordMiss, recordUnanswered } from './misses.ts';
import type { ParsedOptions } from './options.ts';
import { type DefinedCall, toOperations } from './own-calls.ts';

/** A gateway: the control of its default session, and its transports. */
export interface Gateway extends Control {
  /**
   * Handlers for MSW 2 and 3: `setupServer(...gateway.handlers)`, `setupWorker(...gateway.handlers)`. One per operation;
   * with a `baseUrl`, one more that answers everything else below it with 404 or 405.
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

/** A gateway, and what entry points build their transports on. */
export interface OpenGateway {
  readonly gateway: Gateway;
  /** Answers a call over HTTP: only there, it may be forwarded to another server. */
  readonly answer: Answer;
  /** Subscribes to the replies over HTTP, when each was sent or lost. */
  readonly onSent: (listener: (sent: Sent) => void) => void;
  /** Counts a refused request that is not valid HTTP. Returns the id and the assumptions for its reply. */
  readonly onNoCall: () => { readonly requestId: string; readonly marks: readonly AssumptionId[] };
  /** What the commands of one session work on: always its current world. */
  readonly contextOf: (name: string) => Context;
  /** Lookups and counts of sessions, and what a server needs that stops. */
  readonly sessions: Pick<
    Sessions,
    | 'worldOf'
    | 'resumeStored'
    | 'hold'
    | 'endWaits'
    | 'size'
    | 'counts'
    | 'journalBytes'
    | 'events'
    | 'storeAll'
  >;
  /** Subscribes to the events of all worlds. Returns a function that unsubscribes. */
  readonly subscribe: WorldEvents['subscribe'];
  /** The current state of the faults of all sessions. */
  readonly faultsNow: Sessions['faultsNow'];
  /** How many requests the journal of each session keeps. */
  readonly journalSize: number;
  /** Which headers, parameters and fields hold a credential. */
  readonly isCredential: IsCredential;
  /** Restarts all sessions from a scenario. @throws ScenarioError; the sessions then stay as they are */
  readonly restart: (scenario: string | Scenario, library: Library, calls?: readonly DefinedCall[]) => void;
}

/** The same, with scenarios by any name: the library may hold the user's own. */
export interface OpenOptions extends Omit<ParsedOptions, 'scenario' | 'baseUrl'> {
  readonly scenario: string | Scenario;
  readonly baseUrl?: string | undefined;
  /** Whether only a call with a valid API key begins a session, or the control. */
  readonly keyBeginsSession?: boolean;
  /** Where sessions are when they are not in memory. */
  readonly store?: SessionStore | undefined;
  /** The server that answers calls over HTTP which no operation serves. */
  readonly upstreamServer?: Upstream | undefined;
}

/** Makes the handlers of a gateway, where MSW is loaded. */
export type CreateHandlers = (parts: HandlerParts) => readonly RequestHandler[];

/** Opens a gateway for an entry point. @param createHandlers called when the handlers are first read */
export const openGateway = (
  options: OpenOptions,
  given: Library = shippedLibrary,
  createHandlers: CreateHandlers = () => {
    throw new Error('Failed to create handlers: MSW is not loaded here.');
  },
): OpenGateway => {
  let library = given;
  const load = (scenario: string | Scenario) =>
    withOptions(loadScenario(scenario, library), options, library);
  const loadFile = (file: ScenarioDocument) => withOptions(loadDocument(file, library), options, library);
  const contextOf = (name: string): Context => {
    if (!isSessionName(name)) throw new Error(`Failed to open the session "${name}": ${sessionNameRule}.`);
    const open = () => sessions.open(name).session;
    return {
      open,
      world: () => open().state.world,
      sessions,
      library: () => library,
      load,
      loadFile,
      operations,
      onChange: (what) => sessions.noteChange(name, what),
    };
  };
  /** Those of the contract and the user's own calls, whose ids the scenario may name. A reload replaces them. */
  const operations = toOperations(options.calls, contextOf, contractOperations);

  const { maxSessions, journal, journalMemory } = options;
  let start = load(options.scenario);
  const sessions = new Sessions(
    start,
    maxSessions,
    journal,
    new JournalMemory(journalMemory),
    undefined,
    options.store,
  );

  const isCredential = createIsCredential(options.mask);
  const { requireSession, keyBeginsSession = false } = options;
  const context: AnswerContext = {
    operations,
    sessions,
    requireSession,
    keyBeginsSession,
    isCredential,
    onSent: new Set(),
  };
  const overHttp: AnswerContext = { ...context, upstream: options.upstreamServer, onSent: new Set() };
  const { baseUrl } = options;
  const locate = baseUrl === undefined ? belowAnyBase(operations) : belowBase(baseUrl, operations);
  const session = (name: string): Control => createControl(contextOf(name));
  const inProcess: Answer = (call) => answerSafely(context, call);
  const onMiss = (call: Call): void => recordMiss(context, call);
  let handlers: readonly RequestHandler[] | undefined;

  return {
    gateway: {
      ...createControl(contextOf(defaultSession)),
      get handlers() {
        handlers ??= createHandlers({ answer: inProcess, locate, operations, baseUrl, onMiss });
        return handlers;
      },
      fetch: createFetch(inProcess, locate),
      middleware: () => createListener(inProcess, recordUnanswered(context)),
      session,
    },
    answer: (call) => answerSafely(overHttp, call),
    onSent: (listener) => overHttp.onSent.add(listener),
    contextOf,
    onNoCall: () => {
      const { world } = sessions.open(defaultSession).session.state;
      const { mark, marks } = world.assumptions.forAnswer();
      mark('http-syntax');
      mark('error-body');
      return { requestId: world.nextRequestId(), marks };
    },
    sessions,
    subscribe: (listener) => sessions.events.subscribe(listener),
    faultsNow: () => sessions.faultsNow(),
    journalSize: journal,
    isCredential,
    restart: (scenario, nextLibrary, calls = options.calls) => {
      const nextOperations = toOperations(calls, contextOf, contractOperations);
      start = withOptions(loadScenario(scenario, nextLibrary), options, nextLibrary);
      library = nextLibrary;
      operations.splice(0, operations.length, ...nextOperations);
      sessions.restart(start);
    },
  };
};

/** It never throws: a bug gets 500. */
const answerSafely = (context: AnswerContext, call: Call): Reply => {
  try {
    return answer(context, call);
  } catch (error) {
    return toErrorReply(error);
  }
};

/** Applies the options to the scenario, and validates them with the same schema. @throws ScenarioError */
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
  const applied = { ...whole, ...data };
  const all = [...mistakes, ...findUnknownStatuses(applied)];
  if (all.length > 0) throw new ScenarioError('made from the options', all);
  return { name, whole: applied };
};

/** An exported state already has the faults of the options. */
const isNewIn =
  (present: readonly FaultState[]) =>
  (line: string): boolean =>
    !present.some((state) => (typeof state === 'string' ? state : state.fault) === canonicalLine(line));
