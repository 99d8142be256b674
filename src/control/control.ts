import { callCommand, makeReady, type ReadyCommand } from './call-command.ts';
import { type Context, type ControlOf, listCommands } from './command.ts';
import { commands } from './commands/index.ts';
import { toInput } from './input.ts';
import { makeControl } from './make-control.ts';

/** Steers one world: in process, or over HTTP by `connect`. Every method is asynchronous. */
export interface Control extends ControlOf<typeof commands> {}

/** All commands, in the order of the docs. */
export const allCommands: readonly ReadyCommand[] = listCommands(commands).map(makeReady);

/** The control of one session in this process. */
export const createControl = (context: Context): Control =>
  makeControl(
    allCommands,
    (command) =>
      async (...args) =>
        callCommand(command, context, toInput(command.shape(), args)),
  );
