// The options of a server, which `serve` and `exec` share: their flags, variables and help follow from `serverShape`.

import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { isMapping } from '../../core/util/mapping.ts';
import { messageOf } from '../../core/util/message-of.ts';
import { findExpected } from '../../core/util/parse-options.ts';
import { commandLine } from '../../service/gateway/gateway-options.ts';
import { type ServerOptions, serverOptions } from '../../service/server/server-options.ts';

/** The values of a command's options, as Commander parses them. */
export type Flags = Readonly<Record<string, unknown>>;

/** Adds the options of a server to a command. */
export const addServerOptions = (command: Command, defaultPort: number): Command => {
  for (const { name, option, isServeOnly } of listOptions()) {
    if (isServeOnly && command.name() !== 'serve') continue;
    command.addOption(name === 'port' ? option.default(defaultPort) : option);
    if (name === 'adminToken')
      command.addOption(
        new Option('--admin-token-file <path>', 'a file with that token')
          .argParser(readToken)
          .conflicts('adminToken'),
      );
  }
  return command;
};

/** Converts the values of the command line to the options of the server. Flags that the user did not set are left out. */
export const toServerOptions = (flags: Flags): ServerOptions => ({
  ...Object.fromEntries(listOptions().map(({ name, option }) => [name, flags[option.attributeName()]])),
  ...(flags.adminTokenFile !== undefined && { adminToken: String(flags.adminTokenFile) }),
});

/** The options of a server that the command line has: the name in code, the schema, and the option. */
const listOptions = () =>
  Object.entries(serverOptions().shape).flatMap(([name, schema]) => {
    const flag = commandLine.get(schema);
    if (flag === undefined) return [];
    const option = new Option(flag.flags, flag.text).default(undefined, flag.default ?? defaultOf(schema));
    const inner = schema.type === 'optional' || schema.type === 'default' ? schema.unwrap() : schema;
    if (option.required)
      option.argParser<unknown>((text: string, previous?: unknown): unknown => {
        if (flag.isAssignment) return assign(text, previous);
        const value = flag.isFile ? readText(text) : toValue(inner, text, previous);
        const expected = findExpected(schema, value);
        if (expected !== undefined) throw new InvalidArgumentError(`It must be ${expected}.`);
        return value;
      });
    return [{ name, option, isServeOnly: flag.isServeOnly === true }];
  });

const defaultOf = (schema: z.ZodType): string | undefined => {
  const { data } = schema.safeParse(undefined);
  return data === undefined || data === false ? undefined : String(data);
};

const toValue = (schema: z.core.$ZodType, text: string, previous: unknown): unknown => {
  if (schema instanceof z.ZodArray) return collect(text, Array.isArray(previous) ? previous : []);
  if (!(schema instanceof z.ZodNumber)) return text;
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
};

/** Adds a NAME=VALUE, or several on lines of their own, to the values so far. */
const assign = (text: string, previous: unknown): object => {
  const pairs = collect(text).map((line) => {
    const [, name, value] = /^([^=]+)=(.+)$/.exec(line) ?? [];
    if (value === undefined)
      throw new InvalidArgumentError('It must be NAME=VALUE, such as unknown-cursor=400.');
    return [name, value];
  });
  return { ...(isMapping(previous) && previous), ...Object.fromEntries(pairs) };
};

/** Collects the values of a repeatable option: a value, or several on lines of their own, which may end as on Windows. */
export const collect = (value: string, previous: string[] = []): string[] => [
  ...previous,
  ...value.replace(/\r?\n$/, '').split(/\r?\n/),
];

export const toFilled =
  (name: string) =>
  (text: string): string => {
    if (text.trim() === '') throw new InvalidArgumentError(`${name} must not be empty.`);
    return text;
  };

export const collectEach =
  (parse: (text: string) => string) =>
  (value: string, previous: string[] = []): string[] =>
    collect(value, previous).map(parse);

export const toInteger =
  (name: string, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^[0-9]+$/.test(text) || value > max)
      throw new InvalidArgumentError(`${name} must be a whole number from 0 to ${max}.`);
    return value;
  };

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be read: ${messageOf(error)}.`);
  }
};

/** Reads the admin token from a file of one line. */
const readToken = (path: string): string => {
  const text = readText(path).trim();
  if (text === '' || /[\r\n]/.test(text))
    throw new InvalidArgumentError('The file must contain one line, the token.');
  return text;
};
