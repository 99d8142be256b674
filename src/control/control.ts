import { parseJson } from '../util/json.ts';
import { toArguments } from './arguments.ts';
import { callCommand, takeArguments, toInput } from './call-command.ts';
import { type Context, listCommands, type NamedCommand } from './command.ts';
import { commands } from './commands/index.ts';
import type { Control } from './types.ts';

/** All commands, in the order of the docs. */
export const allCommands: readonly NamedCommand[] = listCommands(commands);

/** The control of one session in this process: `clock.advance` is its method `control.clock.advance`. */
export const createControl = (context: Context): Control => {
  const control: Record<string, unknown> = {};
  for (const command of allCommands) {
    const parts = command.name.split('.');
    let part = control;
    for (const name of parts.slice(0, -1)) {
      part[name] ??= {};
      part = part[name] as Record<string, unknown>; // a group of commands, made above
    }
    part[parts.at(-1) ?? ''] = async (...args: unknown[]) => {
      const { json, signal } = toArguments(command.name, takeArguments(command, args));
      const copies = parseJson(json) as unknown[]; // an array was written
      return callCommand(command, { ...context, signal }, toInput(command, copies));
    };
  }
  return control as unknown as Control; // the names are those of the tree of commands
};
