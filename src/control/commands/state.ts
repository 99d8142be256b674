import * as z from 'zod';
import { ControlError } from '../../protocol/errors.ts';
import type { Scenario } from '../../scenario/schema.ts';
import { limits } from '../../util/limits.ts';
import { anyObject, command, signature } from '../command.ts';
import { compareWithStart, createState, exportState } from '../world-state.ts';
import { countWritten, sizeOfJson, sizeOfState } from '../written.ts';
import { replaceWorld, startFrom } from './scenario.ts';

/** The name of a saved state. */
const savedName = signature<[name?: string]>('name');
const savedInput = () => z.strictObject({ name: z.string().default('saved') });

/** A saved state, without its content. */
export interface SavedStateInfo {
  readonly name: string;
  /** The name of the scenario that it started from. */
  readonly scenario: string;
  /** The time of its world, as a date-time in UTC. */
  readonly now: string;
  /** Its size in bytes of JSON, without what it shares with the scenarios of the server. */
  readonly size: number;
}

export const stateCommands = {
  /**
   * Saves the current state in memory under a name. Default: `'saved'`.
   *
   * @throws Error if the session already has 100 saved states, or if the session has written too much
   */
  save: command({
    summary: 'Saves the current state in memory under a name.',
    args: savedName,
    input: savedInput,
    writes: true,
    undoable: false,
    run: ({ open }, { name }) => {
      const session = open();
      const { start, saved } = session;
      if (!saved.has(name) && saved.size >= limits.savedStates)
        throw new ControlError(
          429,
          `Failed to save the state "${name}": a session can have ${limits.savedStates} saved states. Delete one with state.delete(name), over HTTP by POST /__admin/state/delete {"name":"NAME"}. Saved states of this session: ${[...saved.keys()].join(', ').slice(0, 1000)}.`,
        );
      const state = { start, present: exportState(session), size: sizeOfState(session) };
      countWritten(session, state.size, `save the state "${name}"`);
      saved.delete(name); // it is listed last
      saved.set(name, state);
    },
  }),
  /** The saved states, the latest last. */
  list: command({
    summary: 'Lists the saved states of the session.',
    run: ({ open }) =>
      [...open().saved].map(
        ([name, { start, present, size }]): SavedStateInfo => ({
          name,
          scenario: start.name,
          now: present.whole.clock.now ?? present.whole.clock.start,
          size,
        }),
      ),
  }),
  /** Deletes a saved state. Default: `'saved'`. False if none was saved under this name. */
  delete: command({
    summary: 'Deletes a saved state.',
    args: savedName,
    input: savedInput,
    writes: true,
    undoable: false,
    run: ({ open }, { name }) => open().saved.delete(name),
  }),
  /**
   * Returns to a saved state. Default: `'saved'`.
   *
   * @throws Error if no state was saved under this name, or if the session has written too much
   */
  restore: command({
    summary: 'Returns to a saved state.',
    args: savedName,
    input: savedInput,
    writes: true,
    run: (context, { name }) => {
      const session = context.open();
      const { saved: states } = session;
      const saved = states.get(name);
      if (saved === undefined)
        throw new Error(
          `Failed to restore the state "${name}": no such state was saved. Saved states: ${[...states.keys()].join(', ') || 'none'}.`,
        );
      replaceWorld(context, 'state.restore', { start: saved.start, state: createState(saved.present) });
    },
  }),
  /**
   * Undoes the last change of the world, which is a command such as `clock.advance`, `faults.remove` or `reset`: records, faults and
   * quotas with their counts, the clock with its speed, assumptions, the scenario, and the number of requests are as before it. The
   * journal and the saved states stay as they are.
   *
   * @param options `to`: the id of a change in `history`, to undo it together with all later ones. Default: the last one
   * @throws Error if there is no such change in the history
   */
  undo: command({
    summary: 'Undoes the last change of the world, or all changes from a given one on.',
    args: signature<[options?: { readonly to?: number | undefined }]>(),
    input: () =>
      z.strictObject({ to: z.int().exactOptional().describe('The id of a change in the history.') }),
    writes: true,
    undoable: false,
    run: ({ open }, { to }) => open().history.undo(open(), to),
  }),
  /** Makes the last undone change again: the world is as it was when the change was undone. @throws Error if none was undone since the last change */
  redo: command({
    summary: 'Makes the last undone change again. After another change, there is none.',
    writes: true,
    undoable: false,
    run: ({ open }) => open().history.redo(open()),
  }),
  /** The last changes of the world, which `undo` and `redo` work on: at most 20, and at most 16 MB of states. */
  history: command({
    summary: 'Lists the last changes of the world: those that can be undone, and those that were undone.',
    run: ({ open }) => open().history.list(),
  }),
  /**
   * The differences from the world's start, by path in the scenario. Up to 500 are listed. Records are compared with what they
   * would be now without the change, so those that moved with the clock alone do not differ.
   */
  changes: command({
    summary: "Lists the differences from the world's start.",
    run: ({ open }) => compareWithStart(open()),
  }),
  /** The current state as a scenario. A world loaded from it, with the same options, answers with the same bytes. */
  export: command({
    summary: 'Returns the current state as a scenario.',
    // The internal scenario has a value for every key, so it has the type of a scenario.
    run: ({ open }) => structuredClone(exportState(open()).whole) as Scenario,
  }),
  /**
   * Restarts the world from a scenario object, as `scenario.load` does.
   *
   * @throws ScenarioError; Error if the session has written too much
   */
  import: command({
    summary: 'Restarts the world from a scenario object.',
    args: signature<[scenario: Scenario]>('scenario'),
    input: () => z.strictObject({ scenario: anyObject<Scenario>() }),
    example: { scenario: { extends: 'in-flight', seed: 7 } },
    writes: true,
    run: (context, { scenario }) => {
      const start = context.load(scenario);
      startFrom(context, 'state.import', start, sizeOfJson(start.whole));
    },
  }),
};
