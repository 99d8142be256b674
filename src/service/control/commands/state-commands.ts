import * as z from 'zod';
import { ControlError } from '../../../core/protocol/errors.ts';
import type { Scenario } from '../../../core/scenario/scenario-types.ts';
import { toCanonicalJson } from '../../../core/util/json.ts';
import { limits } from '../../../core/util/limits.ts';
import { hashToHex } from '../../../core/world/hash.ts';
import { anyObject, type CommandsOf, change, command } from '../command.ts';
import type { Control, SavedStateInfo } from '../control-interface.ts';
import { compareWithStart, createState, exportState, withEffectiveAssumptions } from '../world-state.ts';
import { replaceState, startFrom } from './scenario-commands.ts';

/** The input of a command about one saved state. */
const ofSaved = { args: ['name'], input: () => z.strictObject({ name: z.string().default('saved') }) };

export const stateCommands = {
  save: change({
    summary: 'Saves the current state in memory under a name.',
    ...ofSaved,
    undoable: false,
    run: ({ session }, { name }) => {
      const { start, saved } = session;
      if (!saved.has(name) && saved.size >= limits.savedStates)
        throw new ControlError(
          429,
          `Failed to save the state "${name}": a session can have ${limits.savedStates} saved states. Delete one with state.delete(name), over HTTP by POST /__admin/state/delete {"name":"NAME"}. Saved states of this session: ${[...saved.keys()].join(', ').slice(0, 1000)}.`,
        );
      saved.delete(name); // moved to the end of the list
      saved.set(name, { start, present: exportState(session) });
    },
  }),
  list: command({
    summary: 'Lists the saved states of the session, the latest last.',
    run: ({ session }) =>
      [...session.saved].map(
        ([name, { start, present }]): SavedStateInfo => ({
          name,
          scenario: start.name,
          now: present.scenario.clock.now ?? present.scenario.clock.start,
        }),
      ),
  }),
  delete: change({
    summary: 'Deletes a saved state.',
    ...ofSaved,
    undoable: false,
    run: ({ session }, { name }) => session.saved.delete(name),
  }),
  restore: change({
    summary: 'Returns to a saved state.',
    ...ofSaved,
    run: (context, { name }) => {
      const { saved: states } = context.session;
      const saved = states.get(name);
      if (saved === undefined)
        throw new Error(
          `Failed to restore the state "${name}": no such state was saved. Saved states: ${[...states.keys()].join(', ') || 'none'}.`,
        );
      const state = createState(saved.present, context.session.state.world.kinds);
      replaceState(context, 'state.restore', { start: saved.start, state });
    },
  }),
  undo: change({
    summary: 'Undoes the last change of the world, or all changes from a certain change on.',
    input: () =>
      z.strictObject({ to: z.int().exactOptional().describe('The id of a change in the history.') }),
    undoable: false,
    run: ({ session }, { to }) => session.history.undo(session, to),
  }),
  normalize: change({
    summary:
      'Takes back everything unusual in one change: turns all faults off, stops enforcing the quotas, sets all assumptions to their defaults and freezes the clock.',
    run: ({ session }) => {
      const { faults, quotas, world } = session.state;
      for (const { id, off } of faults.list()) if (!off) faults.update(id, { off: true });
      quotas.isEnforced = false;
      for (const { id, value, choices } of world.assumptions.list()) {
        const [[usual] = [value]] = choices;
        if (value !== usual) world.choose(id, usual);
      }
      world.clock.run(0);
    },
  }),
  history: command({
    summary: `Lists the last changes of the world, which can be undone: at most ${limits.changes}.`,
    run: ({ session }) => session.history.list(),
  }),
  changes: command({
    summary: "Lists the differences from the world's start, by path in the scenario.",
    run: ({ session }) => compareWithStart(session),
  }),
  export: command({
    summary: 'Returns the current state as a scenario.',
    // The internal scenario has a value for every key, so it has the type of a scenario.
    run: ({ session }) => structuredClone(exportState(session).scenario) as Scenario,
  }),
  fingerprint: command({
    summary:
      'Returns a hash of the current state, as 16 hex digits: states with equal exports have equal fingerprints.',
    run: ({ session }) => {
      const { requests: _, ...scenario } = withEffectiveAssumptions(exportState(session).scenario);
      return hashToHex(toCanonicalJson(scenario));
    },
  }),
  import: change({
    summary: 'Restarts the world from a scenario object, as `scenario.load` does.',
    args: ['scenario'],
    input: () => z.strictObject({ scenario: anyObject<Scenario>() }),
    example: { scenario: { extends: 'in-flight', seed: 7 } },
    run: (context, { scenario }) => startFrom(context, 'state.import', context.load(scenario)),
  }),
} satisfies CommandsOf<Control['state']>;
