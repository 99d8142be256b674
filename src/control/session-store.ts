import type { StoredFaults } from '../faults/faults.ts';
import type { StoredJournal } from '../journal/journal.ts';
import type { LoadedScenario } from '../scenario/load.ts';
import { toJsonText } from '../util/json.ts';
import type { SavedState, Session } from './session.ts';
import { createState, exportState } from './world-state.ts';

/** A whole session as JSON: it goes on from it, in any server, as if nothing had happened. */
export interface StoredSession {
  readonly name: string;
  readonly worldId: string;
  readonly start: LoadedScenario;
  readonly present: LoadedScenario;
  readonly faults: StoredFaults;
  readonly journal: StoredJournal;
  readonly saved: readonly (readonly [name: string, state: SavedState])[];
}

/** Where sessions are while no server has them in memory. At most one server holds a session. */
export interface SessionStore {
  /**
   * Takes a session out of the store, and holds it. Undefined if there is none with this name.
   *
   * @throws GatewayError 410 if it is lost, 503 if another server holds it
   */
  readonly take: (name: string) => StoredSession | undefined;
  /**
   * Holds a session that begins.
   *
   * @param isAnew whether it replaces the one in the store, if there is one, or one that is lost
   * @returns whether there was one
   * @throws GatewayError 503 if another server holds it, or has just stored it
   */
  readonly hold: (name: string, isAnew?: boolean) => boolean;
  /** Lets go of a session that has ended. */
  readonly release: (name: string) => void;
}

/** Writes out a session. Its journal is masked; the keys that its scenario accepts are not. */
export const toStoredSession = (session: Session): StoredSession => {
  const { name, worldId, start, state, journal, saved } = session;
  return {
    name,
    worldId,
    start,
    present: exportState(session),
    faults: state.faults.toStored(),
    journal: journal.toStored(),
    saved: [...saved],
  };
};

/** Whether nobody has done anything in a session. */
export const isUntouched = (session: Session): boolean => {
  const { start, saved, journal } = session;
  const before = exportState({ start, state: createState(start) });
  return saved.size + journal.list().length === 0 && toJsonText(exportState(session)) === toJsonText(before);
};

/**
 * Gives a stored scenario those parts of another one that are equal, so that their worlds share the memory that these take.
 */
export const shareParts = ({ name, whole }: LoadedScenario, known: LoadedScenario): LoadedScenario => {
  const parts = Object.entries(whole).map(([part, value]) => {
    const other: unknown = Reflect.get(known.whole, part);
    return [part, toJsonText(other) === toJsonText(value) ? other : value];
  });
  const shared = Object.fromEntries(parts);
  const isSame = parts.every(([part, value]) => Reflect.get(known.whole, String(part)) === value);
  return isSame && name === known.name && parts.length === Object.keys(known.whole).length
    ? known
    : { name, whole: shared };
};
