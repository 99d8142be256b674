import * as z from 'zod';
import { ControlError } from '../../protocol/errors.ts';
import { compareScenarios } from '../../scenario/compare.ts';
import type { Scenario } from '../../scenario/schema.ts';
import { toJsonText } from '../../util/json.ts';
import { anyObject, command, optional, required } from '../command.ts';
import { createState, exportInFull, exportState } from '../world-state.ts';
import { beginFrom } from './scenario.ts';

/** The most saved states of one session. */
const maxSaved = 100;

const savedName = () => optional('name', z.string(), 'saved');

export const stateCommands = {
  /**
   * Saves the current state in memory under a name. Default: `'saved'`.
   *
   * @throws Error if the session already has 100 saved states, or if all those of the gateway are too large
   */
  save: command({
    http: 'PUT /state/saved/{name}',
    summary: 'Saves the current state in memory under a name.',
    input: () => [savedName()],
    run: async ({ open, sessions }, name: string = 'saved') => {
      const session = open();
      const { start, saved } = session;
      const present = exportState(session);
      const size = toJsonText(start.whole).length + toJsonText(present.whole).length;
      const before = saved.get(name);
      const refuse = (reason: string): never => {
        throw new ControlError(
          429,
          `Failed to save the state "${name}": ${reason}. Delete one with state.delete(name), over HTTP by DELETE /__admin/state/saved/NAME. Saved states of this session: ${[...saved.keys()].join(', ').slice(0, 1000) || 'none'}.`,
        );
      };
      if (before === undefined && saved.size >= maxSaved)
        refuse(`a session can have ${maxSaved} saved states`);
      // As objects, they take several times as much memory as their text.
      const maxSize = (sessions.memory.megabytes * 1_000_000) / 4;
      if (sessions.savedSize() - (before?.size ?? 0) + size > maxSize)
        refuse(
          `those of all sessions together would be larger than ${maxSize / 1_000_000} MB, a quarter of journalMemory (--journal-memory on the command line)`,
        );
      saved.set(name, { start, present, size });
    },
  }),
  /** Deletes a saved state. Default: `'saved'`. False if none was saved under this name. */
  delete: command({
    http: 'DELETE /state/saved/{name}',
    summary: 'Deletes a saved state.',
    input: () => [savedName()],
    run: async ({ open }, name: string = 'saved') => open().saved.delete(name),
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
