import type * as z from 'zod';
import { checkValue } from '../scenario/mistakes.ts';
import { describeMistake, listMistakes } from '../scenario/scenario-error.ts';
import { describeJson } from '../util/json.ts';
import { isMapping, type Mapping } from '../util/mapping.ts';
import { findReservedKeys, reservedKeyRule } from '../util/reserved-keys.ts';
import { endSentence } from '../util/sentence.ts';
import type { Context, NamedCommand } from './command.ts';
import { countWritten, sizeOfJson } from './written.ts';

/** Whether a method takes more than its named arguments. What a method does not take is ignored: `afterEach(control.reset)`. */
export const takesMore = ({ args, schema }: NamedCommand): boolean =>
  Object.keys(schema().shape).some((key) => !args.includes(key));

/**
 * The input that arguments by position make. JSON has null where an argument is left out.
 *
 * @throws Error if an object is expected, but something else was given
 */
export const toInput = (command: NamedCommand, given: readonly unknown[]): Mapping => {
  const { name, args } = command;
  const entries: [string, unknown][] = [];
  const rest = args.findIndex((arg) => arg.startsWith('...'));
  for (const [at, value] of given.entries()) {
    const arg = args[at];
    if (rest !== -1 && at >= rest) break;
    if (value === null) continue;
    if (arg !== undefined) entries.push([arg, value]);
    else if (!takesMore(command)) break;
    else if (isMapping(value)) entries.push(...Object.entries(value));
    else
      throw new Error(
        `Failed to call ${name}: argument ${at + 1}: expected an object, but found ${describeJson(value)}.`,
      );
  }
  if (rest !== -1) entries.push([args[rest]?.slice('...'.length) ?? '', given.slice(rest)]);
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
  const { data, mistakes } = checkValue(schema(), input);
  const problems = [...reserved.map((path) => ({ path, message: reservedKeyRule })), ...mistakes];
  if (data !== undefined && problems.length === 0) return data;
  const listed = endSentence(listMistakes(problems).map(describeMistake).join('; '));
  throw new Error(`Failed to call ${name}: ${listed}${hint}`);
};

/**
 * Checks the input of a call, runs the command, and notifies of the change if it makes one.
 *
 * @param hint is added to the error if the input is invalid
 * @throws Error on invalid input, with all problems; ControlError 429 if the session has written too much; and the errors of
 * the command
 */
export const callCommand = async (
  command: NamedCommand,
  context: Context,
  input: Mapping,
  hint?: string,
): Promise<unknown> => {
  const data = checkInput(command, input, hint);
  const { name, keepsInput, writes, undoable = writes } = command;
  const run = (): unknown => {
    if (keepsInput) countWritten(context.open(), sizeOfJson(input), `call ${name}`);
    return command.run(context, data);
  };
  const session = undoable && context.open();
  const result = await (session ? session.history.record(session, name, input, run) : run());
  if (writes) context.onChange(name);
  return result;
};
