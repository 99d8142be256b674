import { withoutDefaults } from '../../core/assumptions/marking.ts';
import { Faults } from '../../core/faults/faults.ts';
import { Quotas } from '../../core/quotas/quotas.ts';
import { compareScenarios, type StateChange } from '../../core/scenario/compare.ts';
import type { LoadedScenario } from '../../core/scenario/load.ts';
import { type CompleteScenario, kinds } from '../../core/scenario/scenario-schema.ts';
import { filterValues } from '../../core/util/mapping.ts';
import { changesIn, sectionOf, withChanges } from '../../core/world/base.ts';
import type { Kind, Resource } from '../../core/world/kind.ts';
import { World } from '../../core/world/world.ts';
import type { WorldScenario } from '../../core/world/world-schema.ts';
import type { Session } from './session.ts';

/** A world with its faults and quotas. */
export interface WorldState {
  readonly world: World;
  readonly faults: Faults;
  readonly quotas: Quotas;
}

/** A new state, at the start of a scenario. @param worldKinds the contract's kinds of records and the user's own */
export const createState = (
  { scenario }: LoadedScenario,
  worldKinds: readonly Kind[] = kinds as readonly Kind[],
): WorldState => {
  const world = new World(worldKinds, scenario);
  return {
    world,
    faults: new Faults(scenario.faults, world),
    quotas: new Quotas(scenario.quotas, world),
  };
};

/** The present state as a scenario. A world loaded from it sends the same bytes. */
export const exportState = ({ start, state }: Pick<Session, 'start' | 'state'>): LoadedScenario => ({
  name: start.name,
  scenario: withFaultsAndQuotas(state, state.world.toScenario()),
});

/** The parts of the present state that differ from the start. Unchanged parts are the same objects. */
export const changedParts = (session: Pick<Session, 'start' | 'state'>): Partial<CompleteScenario> =>
  filterValues(
    exportState(session).scenario,
    (value, part) => value !== Reflect.get(session.start.scenario, part),
  );

/** A scenario without the assumptions that have their default values. */
export const withEffectiveAssumptions = (scenario: CompleteScenario): CompleteScenario => ({
  ...scenario,
  assumptions: withoutDefaults(scenario.assumptions, scenario.keys),
});

/** The differences from the start. Records are compared with what they would be now without the change. */
export const compareWithStart = ({ start, state }: Pick<Session, 'start' | 'state'>): StateChange[] => {
  const fresh = createState(start, state.world.kinds);
  let [from, to] = [fresh.world.toScenario(), state.world.toScenario()];
  const now = state.world.clock.now();
  for (const kind of kinds) {
    if (kind.changes === undefined) continue; // its section lists the records themselves by their ids
    const sections = [from, to].map((scenario) => Object(sectionOf(kind, scenario)));
    for (const owner of kind.owner === undefined ? [''] : new Set(sections.flatMap(Object.keys))) {
      const changes = [from, to].map((scenario) => changesIn(kind, scenario, owner));
      const ids = new Set(changes.flatMap(({ records, deleted }) => [...records.map(idOf), ...deleted]));
      if (owner !== '' && ids.size === 0) continue;
      /** Replaces the changes to these records by the complete records, as they are now. */
      const withRecords = (scenario: WorldScenario, world: World): WorldScenario => {
        const entries = [...ids].flatMap((id) => world.list<Resource>(kind, owner)?.entry(id) ?? []);
        return withChanges(kind, scenario, owner, {
          records: entries.map((entry) => entry.readAt(now)),
          deleted: [],
        });
      };
      [from, to] = [withRecords(from, fresh.world), withRecords(to, state.world)];
    }
  }
  return compareScenarios(
    withEffectiveAssumptions(withFaultsAndQuotas(fresh, from)),
    withEffectiveAssumptions(withFaultsAndQuotas(state, to)),
  );
};

const idOf = ({ id }: Resource): string => id;

/** The world's scenario at the start, with all changes since. */
const withFaultsAndQuotas = ({ faults, quotas }: WorldState, written: WorldScenario): CompleteScenario =>
  ({ ...written, faults: faults.toScenario(), quotas: quotas.toScenario() }) as CompleteScenario;
