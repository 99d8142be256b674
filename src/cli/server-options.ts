// The options of a server, which `serve` and `exec` share.

import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ServerOptions } from '../server/start-server.ts';
import { toTlsPair } from '../server/tls-pair.ts';
import { limits } from '../util/limits.ts';
import { messageOf } from '../util/message-of.ts';

/** The options of a server, as Commander parses them. */
export interface ServerFlags {
  readonly port: number;
  readonly host: string;
  readonly scenario: string;
  readonly scenarios?: string[];
  readonly requireSession?: true;
  readonly maxSessions: number;
  readonly seed?: number;
  readonly fault?: string[];
  readonly journal: number;
  readonly journalMemory?: number;
  readonly apiKey?: string[];
  readonly virtualKey?: string[];
  readonly adminHost?: string[];
  readonly adminToken?: string;
  readonly mask?: string[];
  readonly stateDir?: string;
  readonly upstream?: string;
  readonly upstreamCredentials?: true;
  /** In seconds. */
  readonly upstreamTimeout?: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** The token in the file, not its path. */
  readonly adminTokenFile?: string;
}

/** Adds the options of a server to a command. */
export const addServerOptions = (command: Command, defaultPort: number): Command =>
  command
    .option('--port <number>', 'the port; 0 picks a free one', toInteger('the port', 65_535), defaultPort)
    .option('--host <address>', 'the address to listen on', toAddress, '127.0.0.1')
    .option('--scenario <name>', 'the scenario to serve: a name, or the path of a file', 'default')
    .option('--scenarios <path>', 'a folder or file with your own scenarios (repeatable)', collect)
    .option('--require-session', 'refuse calls without a session')
    .option(
      '--max-sessions <number>',
      'maximum number of sessions in memory; beyond it, the least recently used that is not in use goes to the state directory, or without one is removed and its calls get 410',
      toInteger('the number of sessions', Number.MAX_SAFE_INTEGER, 2),
      limits.sessions,
    )
    .option('--seed <number>', "override the scenario's seed", toInteger('the seed', Number.MAX_SAFE_INTEGER))
    .option('--fault <line>', 'a fault, such as "listRuns#3: reset" (repeatable)', collect)
    .option(
      '--journal <number>',
      'how many requests the journal of each session keeps',
      toInteger('the size of the journal', Number.MAX_SAFE_INTEGER),
      limits.requests,
    )
    .option(
      '--journal-memory <megabytes>',
      `how much memory the journals of all sessions may take together (default: ${limits.journalMemory}, or a quarter of the heap if that is less)`,
      toInteger('the memory of the journals', Number.MAX_SAFE_INTEGER, 1),
    )
    .option('--api-key <key>', 'accept only this API key (repeatable)', collectFilled('a key'))
    .option('--virtual-key <key>', 'accept only this virtual key (repeatable)', collectFilled('a key'))
    .option(
      '--mask <name>',
      'another header, query parameter or body field whose value is a credential, to mask it (repeatable)',
      collectFilled('a name'),
    )
    .option(
      '--state-dir <path>',
      'a directory for the sessions, used by this server alone: the next server with it continues them',
      toFilled('the path'),
    )
    .option(
      '--upstream <url>',
      'the base URL of another server, which gets the calls that match no operation',
      toFilled('the URL'),
    )
    .option('--upstream-credentials', 'also pass credentials on; without it, they are left out')
    .option(
      '--upstream-timeout <seconds>',
      'how long that server may take until its reply starts (default: 60)',
      toInteger('the seconds', 86_400, 1),
    )
    .option(
      '--admin-host <host>',
      'another host name that the admin API accepts, besides the names of this machine (repeatable)',
      collectFilled('a host'),
    )
    .option(
      '--admin-token <token>',
      'the bearer token that admin API calls must send; visible to other users in the process list',
      toFilled('the token'),
    )
    .addOption(
      new Option('--admin-token-file <path>', 'a file with that token')
        .argParser(readToken)
        .conflicts('adminToken'),
    )
    .option('--tls-cert <path>', 'a file with a certificate in PEM, to serve HTTPS', toFilled('the path'))
    .option('--tls-key <path>', 'the file with its private key', toFilled('the path'));

/**
 * Converts the command-line options to those of the server.
 *
 * @throws Error if the certificate or its key cannot be used, with their paths
 */
export const toServerOptions = async (flags: ServerFlags): Promise<ServerOptions> => ({
  port: flags.port,
  host: flags.host,
  scenario: flags.scenario,
  scenarios: flags.scenarios,
  requireSession: flags.requireSession,
  maxSessions: flags.maxSessions,
  seed: flags.seed,
  faults: flags.fault,
  journal: flags.journal,
  journalMemory: flags.journalMemory,
  apiKeys: flags.apiKey,
  virtualKeys: flags.virtualKey,
  adminHosts: flags.adminHost,
  mask: flags.mask,
  stateDir: flags.stateDir,
  upstream: flags.upstream,
  upstreamCredentials: flags.upstreamCredentials,
  upstreamTimeout: flags.upstreamTimeout === undefined ? undefined : flags.upstreamTimeout * 1000,
  adminToken: findAdminToken(flags),
  ...(await readTlsFiles(flags)),
});

/** The admin token, wherever it was given; undefined if it was not. */
export const findAdminToken = ({ adminToken, adminTokenFile }: ServerFlags): string | undefined =>
  adminToken ?? adminTokenFile;

const readTlsFiles = async ({
  tlsCert,
  tlsKey,
}: ServerFlags): Promise<Pick<ServerOptions, 'tlsCert' | 'tlsKey'>> => {
  const names = { cert: tlsCert ?? '--tls-cert', key: tlsKey ?? '--tls-key' };
  const pair = await toTlsPair({ cert: readPem(tlsCert), key: readPem(tlsKey) }, names);
  return { tlsCert: pair?.cert, tlsKey: pair?.key };
};

const readPem = (path: string | undefined): string | undefined => {
  try {
    return path === undefined ? undefined : readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`Failed to serve HTTPS: ${messageOf(error)}.`);
  }
};

/** Collects the values of a repeatable option: one, or one per line. On Windows, lines end in another way. */
export const collect = (value: string, previous: string[] = []): string[] => [
  ...previous,
  ...value.replace(/\r?\n$/, '').split(/\r?\n/),
];

/** Refuses an empty value. */
export const toFilled =
  (name: string) =>
  (text: string): string => {
    if (text.trim() === '') throw new InvalidArgumentError(`${name} must not be empty.`);
    return text;
  };

export const collectFilled =
  (name: string) =>
  (value: string, previous: string[] = []): string[] =>
    collect(value, previous).map(toFilled(name));

/** Parses a whole number. */
export const toInteger =
  (name: string, max: number, min = 0) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^[0-9]+$/.test(text) || value > max || value < min) {
      const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
      throw new InvalidArgumentError(`${name} must be a whole number ${range}.`);
    }
    return value;
  };

/** Reads the admin token from a file of one line. */
const readToken = (path: string): string => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new InvalidArgumentError(`the token cannot be read: ${messageOf(error)}.`);
  }
  if (text === '' || /[\r\n]/.test(text))
    throw new InvalidArgumentError('the file must contain one line, the token.');
  return text;
};

const toAddress = (text: string): string => {
  if (text.trim() === '')
    throw new InvalidArgumentError('the address must not be empty. Leave the option out for 127.0.0.1.');
  return text;
};
