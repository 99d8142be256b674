import * as z from 'zod';
import { findReservedKeys, reservedKeyRule } from '../protocol/reserved-keys.ts';
import { checkValue } from '../scenario/mistakes.ts';
import { describeMistake, listMistakes } from '../scenario/scenario-error.ts';
import { endSentence } from '../util/sentence.ts';
import { type Argument, type Context, type NamedCommand, toShape } from './command.ts';
import type { CommandShape, Input } from './input.ts';
import { countWritten, sizeOfJson } from './written.ts';

/** A command with its input, shape and schema. Each is made once, at the first use. */
export interface ReadyCommand extends NamedCommand {
  readonly input: () => readonly Argument[];
  readonly shape: () => CommandShape;
  /** The schema of its query or body. */
  readonly schema: () => z.ZodObject;
}

export const makeReady = (command: NamedCommand): ReadyCommand => {
  const input = once(() => command.input?.() ?? []);
  const shape = once(() => toShape({ ...command, input }));
  return { ...command, input, shape, schema: once(() => mergeSchemas(input(), shape())) };
};

const once = <Value extends object>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/**
 * Returns one schema for all arguments: named arguments are keys, and merged arguments add their own keys. An argument that
 * accepts any key cannot be combined with others, so its schema is returned as it is.
 */
const mergeSchemas = (input: readonly Argument[], { args }: CommandShape): z.ZodObject => {
  const keys: Record<string, z.ZodType> = {};
  for (const [at, { name, schema, isOptional }] of input.entries()) {
    const place = args[at]?.place;
    if (place === 'path') continue;
    if (place === 'rest') keys[name] = z.array(schema);
    else if (!(schema instanceof z.ZodObject)) keys[name] = isOptional ? schema.optional() : schema;
    else if (schema.def.catchall instanceof z.ZodUnknown) return schema;
    else Object.assign(keys, schema.shape);
  }
  return z.strictObject(keys);
};

/**
 * Checks the input of a call, runs the command, and notifies of the change if it makes one.
 *
 * @throws Error on invalid input, with all problems; ControlError 429 if the session has written too much; and the errors of
 * the command
 */
export const callCommand = async (
  command: ReadyCommand,
  context: Context,
  { params, values, signal }: Input,
): Promise<unknown> => {
  const { args } = command.shape();
  const { data = {}, mistakes } = checkValue(command.schema(), values);
  const reserved = command.allowsAnyKey ? [] : findReservedKeys(values);
  const problems = [...reserved.map((path) => ({ path, message: reservedKeyRule })), ...mistakes];
  const given = command.input().flatMap(({ name, schema }, at): unknown[] => {
    switch (args[at]?.place) {
      case 'path': {
        for (const mistake of checkValue(schema, params[name]).mistakes)
          problems.push({ ...mistake, path: [name, ...mistake.path] });
        return [params[name]];
      }
      case 'merged':
        return [keysOf(schema, data)];
      case 'rest':
        return [data[name]].flat();
      default:
        return [data[name]];
    }
  });
  if (problems.length > 0)
    throw new Error(
      `Failed to call ${command.name}: ${endSentence(listMistakes(problems).map(describeMistake).join('; '))}`,
    );
  if (command.keepsInput) countWritten(context.open(), sizeOfJson(values), `call ${command.name}`);
  const result = await command.run({ ...context, signal }, ...given);
  if (command.writes) context.onChange(command.name);
  return result;
};

/** Picks the data of one merged argument: the keys of its schema, or all keys if the schema names none. */
const keysOf = (schema: z.ZodType, data: object): object => {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return known.length === 0
    ? data
    : Object.fromEntries(Object.entries(data).filter(([key]) => known.includes(key)));
};
