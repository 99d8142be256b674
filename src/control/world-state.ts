import { createFaults, type Faults, type StoredFaults } from '../faults/faults.ts';
import { createQuotas, type Quotas } from '../quotas/quotas.ts';
import { compareScenarios, type StateChange } from '../scenario/compare.ts';
import type { LoadedScenario } from '../scenario/load.ts';
import { kinds, type WholeScenario } from '../scenario/schema.ts';
import { noteOrigin } from '../world/base.ts';
import type { WorldScenario } from '../world/scenario.ts';
import { createWorld, type World } from '../world/world.ts';
import type { Session } from './session.ts';

/** A world with its faults and quotas. */
export interface WorldState {
  readonly world: World;
  readonly faults: Faults;
  readonly quotas: Quotas;
}

/**
 * A new state, at the start of a scenario.
 *
 * @param stored the faults of a world that goes on
 */
export const createState = ({ whole }: LoadedScenario, stored?: StoredFaults): WorldState => {
  const world = createWorld(kinds, whole);
  return {
    world,
    faults: createFaults(whole.faults, world, stored),
    quotas: createQuotas(whole.quotas, world),
  };
};

/** The present state as a scenario. A world loaded from it answers the same bytes, and shares the seeded records. */
export const exportState = ({ start, state }: Pick<Session, 'start' | 'state'>): LoadedScenario => {
  const whole = withFaultsAndQuotas(state, state.world.toScenario());
  noteOrigin(whole, state.world.start.scenario);
  return { name: start.name, whole };
};

/** What differs from the start. Records are compared with what they would be now without the change. */
export const compareWithStart = ({ start, state }: Pick<Session, 'start' | 'state'>): StateChange[] => {
  const fresh = createState(start);
  const { from, to } = state.world.comparison(fresh.world.start);
  const { clock } = fresh.world.toScenario();
  return compareScenarios(withFaultsAndQuotas(fresh, { ...from, clock }), withFaultsAndQuotas(state, to));
};

/** The world's scenario is the one that it started from, with all changes since. */
const withFaultsAndQuotas = ({ faults, quotas }: WorldState, written: WorldScenario): WholeScenario =>
  ({ ...written, faults: faults.toScenario(), quotas: quotas.toScenario() }) as WholeScenario;
