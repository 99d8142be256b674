import { createFaultsControl, type FaultsControl } from '../faults/control.ts';
import { createRequests, type RequestsControl } from '../journal/requests.ts';
import { checkArguments } from '../protocol/arguments.ts';
import type { AssumptionInUse } from '../protocol/assume.ts';
import { isSessionName, sessionNameRule } from '../protocol/session-name.ts';
import { createQuotasControl, type QuotasControl } from '../quotas/control.ts';
import { compareScenarios, type StateChange } from '../scenario/compare.ts';
import { inlineResponse } from '../scenario/inline.ts';
import type { Library } from '../scenario/library.ts';
import { type LoadedScenario, loadScenario } from '../scenario/load.ts';
import type { Scenario, ScenarioName } from '../scenario/schema.ts';
import type { AnyOperation } from '../world/operation.ts';
import { controlArguments } from './arguments.ts';
import { type ClockControl, createClockControl } from './clock.ts';
import { createRecords, type RecordsControl } from './records.ts';
import { beginFrom, longPresentOf, presentOf, type Session, type Sessions } from './sessions.ts';

/** What there is to know of a scenario. */
export interface ScenarioInfo {
  /** `'inline'` where it was given as an object. */
  readonly name: string;
  readonly description: string;
  readonly seed: number;
}

/** The state of one world. */
export interface StateControl {
  /** Keeps the present state in memory, under a name. Default: `'saved'`. At most 100 are kept, the oldest go first. */
  readonly save: (name?: string) => Promise<void>;
  /** Returns to a state that was saved. @throws Error where none was saved under this name */
  readonly restore: (name?: string) => Promise<void>;
  /** What differs from the world's start, part by part of the scenario. At most 500 differences are told. */
  readonly changes: () => Promise<StateChange[]>;
  /** The present state as a scenario: whoever loads it, without options that change it, gets the same bytes. */
  readonly export: () => Promise<Scenario>;
  /** Takes a scenario for the world's start, as `scenario.load` does. @throws ScenarioError */
  readonly import: (scenario: Scenario) => Promise<void>;
}

/**
 * The worlds of one gateway. Beyond `maxSessions`, the least recently used are removed: whoever names one of these gets an
 * error (410 over HTTP), until it is made again.
 */
export interface SessionsControl {
  /** The longest idle first. */
  readonly list: () => Promise<string[]>;
  /**
   * Makes a session anew: from the present state of another one, from a scenario, or from the gateway's own scenario.
   * It is the way to use a session again that was removed for lack of room.
   *
   * @throws Error where the name is no valid one, or there is no such session or scenario
   */
  readonly create: (
    name: string,
    from?: { readonly session?: string; readonly scenario?: ScenarioName | Scenario },
  ) => Promise<void>;
  /** False where there was none, and for the default one, which stays. A later call of this name makes a new session. */
  readonly delete: (name: string) => Promise<boolean>;
}

/** Steers one world. */
export interface Control {
  readonly scenario: {
    readonly current: () => Promise<ScenarioInfo>;
    /** Starts the world anew from a scenario; the old state stays where that has a mistake. @throws ScenarioError */
    readonly load: (scenario: ScenarioName | Scenario) => Promise<ScenarioInfo>;
    /** Those that can be loaded by name. */
    readonly list: () => Promise<ScenarioInfo[]>;
  };
  readonly clock: ClockControl;
  readonly records: RecordsControl;
  readonly faults: FaultsControl;
  readonly quotas: QuotasControl;
  /** The journal: what was asked of this world since its start. */
  readonly requests: RequestsControl;
  readonly state: StateControl;
  readonly sessions: SessionsControl;
  readonly assumptions: {
    /** Every choice that the mock makes where the contract is silent, with its value here. */
    readonly list: () => Promise<AssumptionInUse[]>;
  };
  /** Returns the world to the start of its scenario. */
  readonly reset: () => Promise<void>;
}

const maxSaved = 100;

/**
 * The control of one session, local to this process. Every method is asynchronous, so that one over HTTP is the same.
 *
 * @param load checks a scenario, with what the gateway's options change in it
 */
export const createControl = (
  sessions: Sessions,
  sessionName: string,
  library: () => Library,
  load: (scenario: string | Scenario) => LoadedScenario,
  operations: readonly AnyOperation[],
): Control => {
  const open = (): Session => sessions.open(sessionName).session;
  const world = () => open().situation.world;
  const begin = (what: string, start: LoadedScenario, from: LoadedScenario = start): void => {
    const session = open();
    const situation = beginFrom(from); // first, since it may fail
    sessions.tellDropped(session, what);
    session.situation = situation;
    session.start = start;
    session.journal.clear();
  };

  const control: Control = {
    scenario: {
      current: async () => toInfo(open().start),
      load: async (scenario) => {
        const start = load(scenario);
        begin('scenario.load', start);
        return toInfo(start);
      },
      list: async () => Object.keys(library().scenarios).flatMap((name) => tryInfo(name, library())),
    },
    clock: createClockControl(world),
    records: createRecords(world),
    faults: createFaultsControl(
      () => open().situation.faults,
      (line) => inlineResponse(line, library()),
    ),
    quotas: createQuotasControl(() => open().situation),
    requests: createRequests({ journal: () => open().journal, world, operations }),
    state: {
      save: async (name = 'saved') => {
        const session = open();
        session.saved.delete(name);
        session.saved.set(name, { start: session.start, present: presentOf(session) });
        for (const oldest of session.saved.keys())
          if (session.saved.size > maxSaved) session.saved.delete(oldest);
      },
      restore: async (name = 'saved') => {
        const session = open();
        const saved = session.saved.get(name);
        if (saved === undefined)
          throw new Error(
            `Failed to restore the state "${name}": it was not saved. There are: ${[...session.saved.keys()].join(', ') || 'none'}.`,
          );
        begin('state.restore', saved.start, saved.present);
      },
      changes: async () => {
        const { start, situation } = open();
        return compareScenarios(longPresentOf(beginFrom(start)), longPresentOf(situation));
      },
      // A whole scenario is one with nothing left out.
      export: async () => structuredClone(presentOf(open()).whole) as Scenario,
      import: async (scenario) => begin('state.import', load(scenario)),
    },
    sessions: {
      list: async () => sessions.names(),
      create: async (name, { session: other, scenario } = {}) => {
        if (!isSessionName(name))
          throw new Error(`Failed to create the session "${name}": ${sessionNameRule}.`);
        if (other !== undefined && scenario !== undefined)
          throw new Error(
            `Failed to create the session "${name}": it begins from a session or from a scenario, not from both.`,
          );
        if (other !== undefined && !sessions.has(other))
          throw (
            sessions.refusalOf(other) ??
            new Error(
              `Failed to create the session "${name}" from "${other}": there is none of that name. There are: ${sessions.names().join(', ')}.`,
            )
          );
        if (other === undefined) sessions.create(name, scenario === undefined ? undefined : load(scenario));
        else sessions.create(name, presentOf(sessions.open(other).session));
      },
      delete: async (name) => sessions.delete(name),
    },
    assumptions: { list: async () => world().assumptions.list() },
    reset: async () => begin('reset', open().start),
  };
  return checkArguments(control, controlArguments);
};

/** The methods that only look. */
const readers =
  /\.(?:changes|count|current|export|get|isEnforced|list|now|render|save|timeline|upcoming|wait|walk)$/;

/** The same control, which tells of each change by the name of the method, such as `clock.advance`, once it is made. */
export const notifyOnChange = (control: Control, onChange: (method: string) => void): Control => {
  const telling = (name: string, method: (...args: never[]) => Promise<unknown>) =>
    readers.test(name)
      ? method
      : async (...args: never[]): Promise<unknown> => {
          const result = await method(...args);
          onChange(name);
          return result;
        };
  const wrap = (above: string, part: object): object =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => [
        name,
        typeof value === 'function' ? telling(above + name, value) : wrap(`${above}${name}.`, value),
      ]),
    );
  return wrap('', control) as Control; // each method takes and gives what it did
};

/** A file that has mistakes cannot be loaded, so that it is not listed. */
const tryInfo = (name: string, library: Library): ScenarioInfo[] => {
  try {
    return [toInfo(loadScenario(name, library))];
  } catch {
    return [];
  }
};

const toInfo = ({ name, whole }: LoadedScenario): ScenarioInfo => ({
  name,
  description: whole.description ?? '',
  seed: whole.seed,
});
