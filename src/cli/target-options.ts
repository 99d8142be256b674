// What the commands that look at a gateway have in common: where it is, and the keys that let them in.

import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { TargetKeys } from '../conformance/target-call.ts';
import { parseJson } from '../util/json.ts';
import { tryParse } from '../util/try-parse.ts';
import { toFilled } from './server-options.ts';

/** A mistake of use. Its message holds no key. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/** The flags by which a gateway is named, as Commander hands them over. */
export interface TargetFlags {
  readonly against: string;
  readonly apiKey?: string;
  readonly virtualKey?: string;
  readonly keys?: string;
}

/**
 * Gives a command the options by which a gateway is let in.
 *
 * @param withoutVirtualKey what is so without one, for the help
 */
export const addKeyOptions = (command: Command, withoutVirtualKey = ''): Command =>
  command
    .option('--api-key <key>', 'default: GATEWAY_API_KEY', toFilled('the key'))
    .option('--virtual-key <key>', `default: GATEWAY_VIRTUAL_KEY${withoutVirtualKey}`, toFilled('the key'))
    .option('--keys <file>', 'a file with these two, as NAME=VALUE lines or JSON', toFilled('the file'));

/** The base URL, without a slash at its end. What is wrong with it is told without it: a URL may hold a password. */
export const toBaseUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const fail = (what: string): never => {
    throw new TargetError(`the URL of --against ${what}. It is a base URL such as http://127.0.0.1:4010/v1.`);
  };
  if (url === undefined) return fail('is no valid URL');
  if (!/^https?:$/.test(url.protocol)) return fail('begins with neither http:// nor https://');
  if (url.username + url.password + url.search + url.hash !== '')
    return fail('has a user, a query or a fragment');
  return /\/v1\/?$/.test(url.pathname) ? text.replace(/\/+$/, '') : fail('does not end in /v1');
};

const names = { apiKey: 'GATEWAY_API_KEY', virtualKey: 'GATEWAY_VIRTUAL_KEY' } as const;

/** Options win over the file, and the file over the environment. @throws TargetError where there is no API key */
export const findTargetKeys = async (flags: TargetFlags, env: NodeJS.ProcessEnv): Promise<TargetKeys> => {
  const inFile = flags.keys === undefined ? {} : await readKeys(flags.keys);
  const find = (name: keyof typeof names): string | undefined =>
    flags[name] ?? inFile[names[name]] ?? (env[names[name]] || undefined);
  const [apiKey, virtualKey] = [find('apiKey'), find('virtualKey')];
  if (apiKey === undefined)
    throw new TargetError(
      `there is no API key. Set ${names.apiKey} in the environment, or in a file given by --keys.`,
    );
  for (const [name, key] of [['API', apiKey] as const, ['virtual', virtualKey ?? 'none'] as const])
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new TargetError(`the ${name} key has characters that no header takes: it is printable ASCII.`);
  return { apiKey, virtualKey };
};

/** Reads `NAME=VALUE` lines or a JSON object. Its texts stay out of all messages. */
const readKeys = async (file: string): Promise<Readonly<Record<string, string>>> => {
  const text = await readFile(file, 'utf8').catch(({ message }: Error) => {
    throw new TargetError(`the keys cannot be read: ${message}.`);
  });
  const found = text.trimStart().startsWith('{') ? parseObject(text) : parseLines(text);
  if (found?.[names.apiKey] === undefined && found?.[names.virtualKey] === undefined)
    throw new TargetError(
      `${file} names neither ${names.apiKey} nor ${names.virtualKey}: it is to have lines NAME=VALUE, or a JSON object of both.`,
    );
  return found;
};

const parseObject = (text: string): Record<string, string> | undefined => {
  try {
    const entries = Object.entries(JSON.parse(text) as object); // it begins with a brace
    return Object.fromEntries(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return undefined;
  }
};

const parseLines = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(/\r?\n/).flatMap((line) => {
      const [, name = '', value = ''] = /^\s*(?:export\s+)?(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      const [, , quoted] = /^(["'])(.*)\1$/.exec(value) ?? [];
      return name === '' ? [] : [[name, quoted ?? value]];
    }),
  );

/** Reads the values that a prompt is rendered with. */
export const toVariables = (text: string): Readonly<Record<string, unknown>> => {
  const value = tryParse(text, parseJson);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidArgumentError('they are no JSON object, such as {"name":"Ada"}.');
  return value as Readonly<Record<string, unknown>>; // JSON has no other objects
};

/** Reads the id of a record. Dots alone would make a path that leads elsewhere. */
export const toId =
  (name: string) =>
  (text: string): string => {
    if (text === '.' || text === '..')
      throw new InvalidArgumentError(`${name} has an id, which dots are not.`);
    return toFilled(name)(text);
  };

/** The same of a policy, which the contract knows by a UUID. */
export const toPolicyId = (text: string): string => {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    throw new InvalidArgumentError('a policy is known by a UUID.');
  return text;
};

/** Reads a number of calls a second. */
export const toRate = (text: string): number => {
  const rate = Number(text);
  if (text.trim() === '' || !(rate >= 0.01 && rate <= 10_000))
    throw new InvalidArgumentError('it is a number from 0.01 to 10000.');
  return rate;
};
