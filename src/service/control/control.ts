import { blameCaller } from '../../core/util/caller.ts';
import { parseJson } from '../../core/util/json.ts';
import { toArguments } from './arguments.ts';
import { runCommand, takeArguments, toInput } from './call-command.ts';
import { type CommandContext, listCommands, type NamedCommand } from './command.ts';
import { commandTree } from './commands/index.ts';
import type { Control } from './control-interface.ts';

/** All commands, in the order of the docs. */
export const allCommands: readonly NamedCommand[] = listCommands(commandTree);

/** Copies of the arguments of a call. */
export const readArguments = (command: NamedCommand, args: readonly unknown[]) => {
  const { json, signal } = toArguments(command.name, takeArguments(command, args)); // surplus ones may be anything
  return { input: toInput(command, parseJson(json) as unknown[]), signal }; // an array becomes an array
};

/** An object with a method for each command: `clock.advance` is `methods.clock.advance`. */
export const toMethods = (
  commands: readonly NamedCommand[],
  toMethod: (command: NamedCommand) => (...args: unknown[]) => unknown,
): Readonly<Record<string, unknown>> => {
  const methods: Record<string, unknown> = {};
  for (const command of commands) {
    const parts = command.name.split('.');
    let part = methods;
    for (const name of parts.slice(0, -1)) {
      part[name] ??= {};
      part = part[name] as Record<string, unknown>; // the line above has created the group
    }
    part[parts.at(-1) ?? ''] = toMethod(command);
  }
  const { records } = methods;
  for (const plural of Object.keys(Object(records))) {
    const singular = plural.replace(/ies$/, 'y').replace(/(?<=h)es$|s$/, '');
    if (singular === plural) continue;
    const get = (): never => {
      throw new Error(`records.${singular} does not exist. Use records.${plural}.`);
    };
    Object.defineProperty(records, singular, { get });
  }
  return methods;
};

/** The control of one session in this process. */
export const createControl = (context: CommandContext): Control => {
  const toMethod = (command: NamedCommand) =>
    blameCaller(async (...args: unknown[]) => {
      if (context.isClosed?.())
        throw new Error(`Failed to call ${command.name}: the gateway was closed. Call it before close().`);
      const { input, signal } = readArguments(command, args);
      return runCommand(command, { ...context, signal }, input);
    });
  const control = toMethods(allCommands, toMethod) as unknown as Control; // the names are those of the tree of commands
  // A reload of calls may change the kinds.
  const get = (): unknown => Object(toMethods(context.ownCommands(), toMethod).records).own ?? {};
  Object.defineProperty(control.records, 'own', { enumerable: true, get });
  return control;
};
