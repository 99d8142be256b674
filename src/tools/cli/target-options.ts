// Options that `verify` and `capture` share: the address of the gateway, and the keys.

import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { type Command, InvalidArgumentError } from 'commander';
import { parseJson } from '../../core/util/json.ts';
import { isLoopback } from '../../core/util/loopback.ts';
import { isMapping, type Mapping } from '../../core/util/mapping.ts';
import { tryParse } from '../../core/util/try-parse.ts';
import type { TargetKeys } from '../conformance/client.ts';
import { collectEach, toFilled, toInteger } from './server-flags.ts';
import { fail } from './usage-error.ts';

/** The shared options, as Commander parses them. */
export interface TargetFlags {
  readonly against: string;
  readonly rate?: number;
  readonly timeout: number;
  readonly apiKey?: string;
  readonly virtualKey?: string;
  readonly keys?: string;
  readonly mask?: string[];
}

/**
 * Adds the shared options to a command.
 *
 * @param timeout the default of `--timeout`
 * @param withoutVirtualKey what happens without a virtual key, for `--help`
 */
export const addTargetOptions = (command: Command, timeout: number, withoutVirtualKey = ''): Command => {
  const [key, name] = [toFilled('the key'), collectEach(toFilled('a name'))];
  const virtualKey = `the virtual key (default: GATEWAY_VIRTUAL_KEY${withoutVirtualKey})`;
  const rate = 'maximum calls per second (default: 10, or no limit if the gateway is on this machine)';
  return command
    .requiredOption('--against <url>', 'the base URL of the gateway, ending in /v1')
    .option('--api-key <key>', 'the API key (default: GATEWAY_API_KEY)', key)
    .option('--virtual-key <key>', virtualKey, key)
    .option('--keys <file>', 'a file with both keys, as NAME=VALUE lines', toFilled('the file'))
    .option('--mask <name>', 'another field of replies to mask, as a credential (repeatable)', name)
    .option('--rate <number>', rate, toRate)
    .option('--timeout <ms>', 'maximum duration of a call', toInteger('the timeout', 600_000), timeout);
};

/** The address of a gateway, its keys, and how it is called. @throws UsageError, without a key in its message, if something is missing or invalid */
export const findTarget = async (flags: TargetFlags, env: NodeJS.ProcessEnv) => {
  const baseUrl = toBaseUrl(flags.against);
  const rate = flags.rate ?? (isLoopback(new URL(baseUrl).hostname) ? undefined : 10);
  return { baseUrl, keys: await findTargetKeys(flags, env), rate, timeout: flags.timeout, mask: flags.mask };
};

/** Parses the base URL and removes a final slash. The error leaves the URL out, since it may contain a password. */
const toBaseUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (why: string): never =>
    fail(`the URL of --against ${why}. Give a base URL such as http://127.0.0.1:4010/v1.`);
  if (url === undefined) return refuse('is not a valid URL');
  if (!/^https?:$/.test(url.protocol)) return refuse('does not begin with http:// or https://');
  if (url.username + url.password + url.search + url.hash !== '')
    return refuse('has a user, a query or a fragment');
  return /\/v1\/?$/.test(url.pathname) ? text.replace(/\/+$/, '') : refuse('does not end in /v1');
};

const names = { apiKey: 'GATEWAY_API_KEY', virtualKey: 'GATEWAY_VIRTUAL_KEY' } as const;

/** Options override the file, and the file overrides the environment. @throws UsageError if there is no API key */
const findTargetKeys = async (flags: TargetFlags, env: NodeJS.ProcessEnv): Promise<TargetKeys> => {
  const inFile = flags.keys === undefined ? {} : await readKeys(flags.keys);
  const find = (name: keyof typeof names): string | undefined =>
    flags[name] ?? (inFile[names[name]] || env[names[name]] || undefined);
  const [apiKey, virtualKey] = [find('apiKey'), find('virtualKey')];
  if (apiKey === undefined)
    return fail(`the API key is missing. Set ${names.apiKey} in the environment, or in a file for --keys.`);
  for (const [name, key] of [['API', apiKey] as const, ['virtual', virtualKey ?? 'none'] as const])
    if (!/^[\x21-\x7e]+$/.test(key))
      fail(`the ${name} key has invalid characters. Only printable ASCII is allowed.`);
  return { apiKey, virtualKey };
};

/** Reads `NAME=VALUE` lines, as `node --env-file` does. Error messages leave the values out. */
const readKeys = async (file: string): Promise<Readonly<Partial<Record<string, string>>>> => {
  const text = await readFile(file, 'utf8').catch(({ message }: Error) =>
    fail(`failed to read the keys: ${message}.`),
  );
  const keys = parseEnv(text.trim()); // some editors on Windows write a byte order mark first
  if (keys[names.apiKey] === undefined && keys[names.virtualKey] === undefined)
    fail(`${file} has neither ${names.apiKey} nor ${names.virtualKey}. Write lines NAME=VALUE.`);
  return keys;
};

export const toVariables = (text: string): Mapping => {
  const value = tryParse(text, parseJson);
  if (!isMapping(value)) throw new InvalidArgumentError('give a JSON object such as {"name":"Ada"}.');
  return value;
};

/** Parses the id of a record. `.` and `..` would lead to another path. */
export const toId =
  (name: string) =>
  (text: string): string => {
    if (text === '.' || text === '..')
      throw new InvalidArgumentError(`the id of ${name} cannot be "${text}".`);
    return toFilled(name)(text);
  };

/** Parses a number of calls per second. */
const toRate = (text: string): number => {
  const rate = Number(text);
  if (text.trim() === '' || !(rate >= 0.01 && rate <= 10_000))
    throw new InvalidArgumentError('give a number from 0.01 to 10000.');
  return rate;
};
