import { type CommandsOf, command } from '../command.ts';
import type { Control } from '../types.ts';
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

/** The commands of the control, each in the file of its group. */
export const commands = {
  scenario: scenarioCommands,
  clock: clockCommands,
  records: recordsCommands,
  faults: faultsCommands,
  quotas: quotasCommands,
  requests: requestsCommands,
  state: stateCommands,
  sessions: sessionsCommands,
  assumptions: assumptionsCommands,
  reset: command({
    writes: true,
    run: (context) => {
      const { start } = context.open();
      replaceWorld(context, 'reset', { start, state: createState(start) });
    },
  }),
} satisfies CommandsOf<Control>;
