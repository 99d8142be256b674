import type * as z from 'zod';
import { checkValue } from '../../core/util/check-value.ts';
import { describeJson } from '../../core/util/json.ts';
import { isMapping, type Mapping } from '../../core/util/mapping.ts';
import { once } from '../../core/util/once.ts';
import { findReservedKeys, reservedKeyRule } from '../../core/util/reserved-keys.ts';
import { endSentence } from '../../core/util/sentence.ts';
import { describeError, listErrors } from '../../core/util/validation-error.ts';
import type { CommandContext, NamedCommand, RunningCommand } from './command.ts';

/** The arguments that a method takes. Surplus arguments are ignored: `afterEach(control.reset)`. */
export const takeArguments = (
  { args, schema }: NamedCommand,
  values: readonly unknown[],
): readonly unknown[] =>
  args[0]?.startsWith('...') || Object.keys(schema().shape).length > args.length
    ? values
    : values.slice(0, args.length);

/**
 * Converts arguments by position to the input. Null stands for an argument that is left out. @throws Error if an object
 * is expected, but the argument is something else
 */
export const toInput = (command: NamedCommand, values: readonly unknown[]): Mapping => {
  const { name, args } = command;
  if (args[0]?.startsWith('...')) return { [args[0].slice('...'.length)]: values };
  const entries = takeArguments(command, values).flatMap((value, at): [string, unknown][] => {
    const arg = args[at];
    if (value === null) return [];
    if (arg !== undefined) return [[arg, value]];
    if (isMapping(value)) return Object.entries(value);
    throw new Error(
      `Failed to call ${name}: argument ${at + 1}: expected an object, but found ${describeJson(value)}.`,
    );
  });
  return Object.fromEntries(entries);
};

/**
 * Checks the input of a call.
 *
 * @param hint is added to the error
 * @throws Error with all problems
 */
export const checkInput = <Schema extends z.ZodType>(
  { name, schema, allowsAnyKey }: Pick<NamedCommand, 'name' | 'allowsAnyKey'> & { schema: () => Schema },
  input: Mapping,
  hint = '',
): z.output<Schema> => {
  const reserved = allowsAnyKey ? [] : findReservedKeys(input);
  const { data, errors } = checkValue(schema(), input);
  const problems = [...reserved.map((path) => ({ path, message: reservedKeyRule })), ...errors];
  if (data !== undefined && problems.length === 0) return data;
  const listed = endSentence(listErrors(problems).map(describeError).join('; '));
  throw new Error(`Failed to call ${name}: ${listed}${hint}`);
};

/**
 * Checks the input of a call, runs the command, and reports it. The result of a command that waits is a promise; all changes are
 * synchronous.
 *
 * @param hint is added to the error if the input is invalid
 * @throws Error on invalid input, with all problems; and the errors of the command
 */
export const runCommand = (
  command: NamedCommand,
  context: CommandContext,
  input: Mapping,
  hint?: string,
): unknown => {
  const data = checkInput(command, input, hint);
  const { name, isChange, undoable = isChange } = command;
  if (!isChange) context.onRead(name, data);
  const open = once(context.open);
  const withSession: RunningCommand = {
    ...context,
    get session() {
      return open();
    },
  };
  const execute = (): unknown => command.run(withSession, data);
  const result = undoable
    ? withSession.session.history.track(withSession.session, name, input, execute, context.changeGroup)
    : execute();
  if (isChange) context.onChange(name);
  return result;
};
