import * as z from 'zod';
import { compareScenarios } from '../../scenario/compare.ts';
import type { Scenario } from '../../scenario/schema.ts';
import { anyObject, command, optional, required } from '../command.ts';
import { createState, exportInFull, exportState } from '../sessions.ts';
import { beginFrom } from './scenario.ts';

const maxSaved = 100;

const savedName = () => optional('name', z.string(), 'saved');

export const stateCommands = {
  /** Saves the current state in memory under a name. Default: `'saved'`. Up to 100 states are kept; beyond that, the oldest are deleted. */
  save: command({
    http: 'PUT /state/saved/{name}',
    summary: 'Saves the current state in memory under a name.',
    input: () => [savedName()],
    run: async ({ open }, name: string = 'saved') => {
      const session = open();
      session.saved.delete(name);
      session.saved.set(name, { start: session.start, present: exportState(session) });
      for (const oldest of session.saved.keys())
        if (session.saved.size > maxSaved) session.saved.delete(oldest);
    },
  }),
  /** Returns to a saved state. Default: `'saved'`. @throws Error if no state was saved under this name */
  restore: command({
    http: 'POST /state/saved/{name}/restore',
    summary: 'Returns to a saved state.',
    input: () => [savedName()],
    writes: true,
    run: async (context, name: string = 'saved') => {
      const states = context.open().saved;
      const saved = states.get(name);
      if (saved === undefined)
        throw new Error(
          `Failed to restore the state "${name}": no such state was saved. Saved states: ${[...states.keys()].join(', ') || 'none'}.`,
        );
      beginFrom(context, 'state.restore', saved.start, saved.present);
    },
  }),
  /** The differences from the world's start, by path in the scenario. Up to 500 are listed. */
  changes: command({
    http: 'GET /state/changes',
    summary: "Lists the differences from the world's start.",
    run: async ({ open }) => {
      const { start, state } = open();
      return compareScenarios(exportInFull(createState(start)), exportInFull(state));
    },
  }),
  /** The current state as a scenario. A world loaded from it, with the same options, answers with the same bytes. */
  export: command({
    http: 'GET /state',
    summary: 'Returns the current state as a scenario.',
    // The internal scenario has a value for every key, so it has the type of a scenario.
    run: async ({ open }) => structuredClone(exportState(open()).whole) as Scenario,
  }),
  /** Restarts the world from a scenario object, as `scenario.load` does. @throws ScenarioError */
  import: command({
    http: 'PUT /state',
    summary: 'Restarts the world from a scenario object.',
    input: () => [required('scenario', anyObject<Scenario>())],
    writes: true,
    run: async (context, scenario: Scenario) => beginFrom(context, 'state.import', context.load(scenario)),
  }),
};
