import type { AssumptionUses } from '../../core/assumptions/marking.ts';
import type { StoredJournal } from '../../core/journal/journal.ts';
import type { LoadedScenario } from '../../core/scenario/load.ts';
import type { CompleteScenario } from '../../core/scenario/scenario-schema.ts';
import { toJsonText } from '../../core/util/json.ts';
import type { Kind } from '../../core/world/kind.ts';
import { History, type StoredHistory } from './history.ts';
import type { SavedState, Session } from './session.ts';
import { changedParts, createState } from './world-state.ts';

/** The state of a session as JSON, from which another process can continue it. Earlier changes can then no longer be undone. */
export interface StoredState {
  readonly name: string;
  readonly worldId: string;
  readonly start: LoadedScenario;
  /** The parts of the present state that differ from the start. */
  readonly changed: Partial<CompleteScenario>;
  readonly saved: readonly (readonly [name: string, state: SavedState])[];
  readonly isUnreported: boolean;
  readonly history: StoredHistory;
  readonly assumptionUses: AssumptionUses;
  /** The number of the fault that was added last, which may have been removed. */
  readonly lastFault: number;
}

export interface StoredSession extends StoredState {
  /** The journal; undefined if its server was killed before it wrote the journal. */
  readonly journal: StoredJournal | undefined;
}

/** Keeps sessions between two runs of a server, and while there is no room for them in memory. */
export interface SessionStore {
  /** Reads a stored session, which then continues in memory. Undefined if none has this name. @throws GatewayError 410 if it is lost */
  readonly read: (name: string) => StoredSession | undefined;
  /** Call this when a session that was read is in memory: its stored journal is outdated by the next call. */
  readonly noteResumed: (name: string) => void;
  /** Call this if the session is new. Its state is written soon; a kill before that loses nothing that a client knows of. */
  readonly noteBegun: (session: Session) => void;
  /** Call this before the reply, if the session has changed. Its state is written soon; a kill before that loses the session, which is marked. */
  readonly storeSoon: (session: Session) => void;
  /** Writes a session that leaves memory, with its journal. Returns false if that fails. */
  readonly put: (session: Session) => boolean;
  /** Removes a stored session. Returns false if none has this name. */
  readonly remove: (name: string) => boolean;
  /** Removes all sessions but those that are lost. */
  readonly clear: () => void;
  /** The names of the sessions that were written. */
  readonly names: () => string[];
}

/** The state of a session, to be stored. The keys that its scenario accepts are not masked. */
export const toStoredState = (session: Session): StoredState => {
  const { name, worldId, start, state, saved, isUnreported, history } = session;
  return {
    name,
    worldId,
    start,
    changed: changedParts(session),
    saved: [...saved],
    isUnreported,
    history: history.toStored(),
    assumptionUses: state.world.assumptions.used(),
    lastFault: state.faults.lastNumber,
  };
};

/** A session as it was stored. @param ownStart the scenario of the server: a reset returns to it, if it is that of the session */
export const fromStored = (
  { start: storedStart, changed, saved, history, assumptionUses, lastFault, ...stored }: StoredState,
  ownStart: LoadedScenario,
  kinds?: readonly Kind[],
) => {
  const start = toJsonText(storedStart) === toJsonText(ownStart) ? ownStart : storedStart;
  const state = createState({ name: start.name, scenario: { ...start.scenario, ...changed } }, kinds);
  state.world.assumptions.continueUses(assumptionUses);
  state.faults.lastNumber = lastFault;
  return { ...stored, start, state, saved: new Map(saved), history: new History(history) };
};
