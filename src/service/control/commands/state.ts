import * as z from 'zod';
import { ControlError } from '../../../core/protocol/errors.ts';
import type { Scenario } from '../../../core/scenario/types.ts';
import { toCanonicalJson } from '../../../core/util/json.ts';
import { limits } from '../../../core/util/limits.ts';
import { hashToHex } from '../../../core/world/hash.ts';
import { anyObject, type CommandsOf, command } from '../command.ts';
import type { Control, SavedStateInfo } from '../types.ts';
import { compareWithStart, createState, exportState } from '../world-state.ts';
import { replaceWorld, startFrom } from './scenario.ts';

/** What a command takes that is about one saved state. */
const ofSaved = { args: ['name'], input: () => z.strictObject({ name: z.string().default('saved') }) };

export const stateCommands = {
  save: command({
    ...ofSaved,
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
      saved.delete(name); // it is listed last
      saved.set(name, { start, present: exportState(session) });
    },
  }),
  list: command({
    run: ({ open }) =>
      [...open().saved].map(
        ([name, { start, present }]): SavedStateInfo => ({
          name,
          scenario: start.name,
          now: present.scenario.clock.now ?? present.scenario.clock.start,
        }),
      ),
  }),
  delete: command({
    ...ofSaved,
    writes: true,
    undoable: false,
    run: ({ open }, { name }) => open().saved.delete(name),
  }),
  restore: command({
    ...ofSaved,
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
  undo: command({
    input: () =>
      z.strictObject({ to: z.int().exactOptional().describe('The id of a change in the history.') }),
    writes: true,
    undoable: false,
    run: ({ open }, { to }) => open().history.undo(open(), to),
  }),
  normalize: command({
    writes: true,
    run: ({ open, world }) => {
      const { state } = open();
      for (const { id, off } of state.faults.list()) if (!off) state.faults.update(id, { off: true });
      state.quotas.enforce(false);
      for (const { id, value, choices } of world().assumptions.list()) {
        const [[usual] = [value]] = choices;
        if (value !== usual) world().choose(id, usual);
      }
      world().clock.run(0);
    },
  }),
  history: command({ run: ({ open }) => open().history.list() }),
  changes: command({ run: ({ open }) => compareWithStart(open()) }),
  export: command({
    // The internal scenario has a value for every key, so it has the type of a scenario.
    run: ({ open }) => structuredClone(exportState(open()).scenario) as Scenario,
  }),
  fingerprint: command({
    run: ({ open }) => {
      const { requests: _, ...scenario } = exportState(open()).scenario;
      return hashToHex(toCanonicalJson(scenario));
    },
  }),
  import: command({
    args: ['scenario'],
    input: () => z.strictObject({ scenario: anyObject<Scenario>() }),
    example: { scenario: { extends: 'in-flight', seed: 7 } },
    writes: true,
    run: (context, { scenario }) => startFrom(context, 'state.import', context.load(scenario)),
  }),
} satisfies CommandsOf<Control['state']>;
