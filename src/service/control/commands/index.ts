import { type CommandsOf, command } from '../command.ts';
import type { Control } from '../types.ts';
import { assumptionsCommands } from './assumptions.ts';
import { clockCommands } from './clock.ts';
import { faultsCommands } from './faults.ts';
import { quotasCommands } from './quotas.ts';
import { recordsCommands } from './records.ts';
import { requestsCommands } from './requests.ts';
import { scenarioCommands, startFrom } from './scenario.ts';
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
    summary: 'Returns the world to the start of its scenario.',
    writes: true,
    run: (context) => startFrom(context, 'reset', context.session.start),
  }),
} satisfies CommandsOf<Control>;
