import { type CommandsOf, change } from '../command.ts';
import type { Control } from '../control-interface.ts';
import { assumptionsCommands } from './assumption-commands.ts';
import { clockCommands } from './clock-commands.ts';
import { faultsCommands } from './fault-commands.ts';
import { quotasCommands } from './quota-commands.ts';
import { recordsCommands } from './record-commands.ts';
import { requestsCommands } from './request-commands.ts';
import { scenarioCommands, startFrom } from './scenario-commands.ts';
import { sessionsCommands } from './session-commands.ts';
import { stateCommands } from './state-commands.ts';

/** The commands of the control, each in the file of its group. */
export const commandTree = {
  scenario: scenarioCommands,
  clock: clockCommands,
  records: recordsCommands,
  faults: faultsCommands,
  quotas: quotasCommands,
  requests: requestsCommands,
  state: stateCommands,
  sessions: sessionsCommands,
  assumptions: assumptionsCommands,
  reset: change({
    summary: 'Returns the world to the start of its scenario.',
    run: (context) => startFrom(context, 'reset', context.session.start),
  }),
} satisfies CommandsOf<Omit<Control, 'records'>> & Record<'records', object>;
