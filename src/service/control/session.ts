import type { Journal } from '../../core/journal/journal.ts';
import type { LoadedScenario } from '../../core/scenario/load.ts';
import { createWorldId } from '../../core/world/world-id.ts';
import { History } from './history.ts';
import { ReplyCache } from './reply-cache.ts';
import type { WorldState } from './world-state.ts';

/** One session: its state, the scenario that it started from, and its journal. */
export interface Session {
  readonly name: string;
  /** The identity of its world. `reset`, `load` and `restore` keep it: they replace the state of the same world. */
  readonly worldId: string;
  start: LoadedScenario;
  state: WorldState;
  readonly journal: Journal;
  readonly replies: ReplyCache;
  readonly saved: Map<string, SavedState>;
  /** True from the time at which a new world replaces a lost one until a reply says so to the client. */
  isUnreported: boolean;
  readonly history: History;
}

/** A session at its start, or as it was stored. */
export const createSession = (
  parts: Pick<Session, 'name' | 'start' | 'state' | 'journal'> & Partial<Session>,
): Session => ({
  worldId: createWorldId(),
  replies: new ReplyCache(),
  saved: new Map(),
  isUnreported: false,
  history: new History(),
  ...parts,
});

/** How often the faults and quotas of a session have counted calls. */
export const countedCallsOf = ({ state: { faults, quotas } }: Session): number =>
  faults.countedCalls + quotas.countedCalls;

/** A saved state, with the scenario that it started from. */
export interface SavedState {
  readonly start: LoadedScenario;
  readonly present: LoadedScenario;
}
