import { command } from '../command.ts';
import { createState } from '../world-state.ts';
import { assumptionsCommands } from './assumptions.ts';
import { clockCommands } from './clock.ts';
import { faultsCommands } from './faults.ts';
import { quotasCommands } from './quotas.ts';
import { recordsCommands } from './records.ts';
import { requestsCommands } from './requests.ts';
import { replaceWorld, scenarioCommands } from './scenario.ts';
import { sessionsCommands } from './sessions.ts';
import { stateCommands } from './state.ts';

/** Everything that controls a world. Each command is stated once, in the file of its group. */
export const commands = {
  /** The scenario that the world started from. */
  scenario: scenarioCommands,
  /** The time of the world. Runs, batches and checkpoints follow it; nothing waits. */
  clock: clockCommands,
  /** The records of the world, by kind. */
  records: recordsCommands,
  /** What goes wrong. */
  faults: faultsCommands,
  /** The enforced rate limits. */
  quotas: quotasCommands,
  /** The journal: the requests that this world received since its start. */
  requests: requestsCommands,
  /** The state of the world: saved, restored, exported and imported. */
  state: stateCommands,
  /** The sessions of the gateway. Each has a world of its own. */
  sessions: sessionsCommands,
  /** What the mock does where the contract is silent. */
  assumptions: assumptionsCommands,
  /** Returns the world to the start of its scenario. */
  reset: command({
    summary: 'Returns the world to the start of its scenario.',
    writes: true,
    run: (context) => {
      const { start } = context.open();
      replaceWorld(context, 'reset', { start, state: createState(start) });
    },
  }),
};
