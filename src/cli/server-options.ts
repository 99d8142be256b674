// What `serve` and `exec` have in common: the options by which a server is started, and what may be wrong with them.

import { type Command, InvalidArgumentError } from 'commander';
import { defaultMaxSessions } from '../control/sessions.ts';
import { maxJournal } from '../journal/journal.ts';
import type { ServerOptions } from '../server/start-server.ts';

/** The options of a server, as Commander hands them over. */
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
  readonly apiKey?: string[];
  readonly virtualKey?: string[];
  readonly adminHost?: string[];
  readonly adminToken?: string;
}

/** Gives a command the options of a server. */
export const addServerOptions = (command: Command, defaultPort: number): Command =>
  command
    .option('--port <number>', '0 picks a free one', toInteger('the port', 65_535), defaultPort)
    .option('--host <address>', 'the address to listen on', toAddress, '127.0.0.1')
    .option('--scenario <name>', 'the scenario to serve: a name, or the path of a file', 'default')
    .option('--scenarios <path>', 'a folder or file of scenarios of your own (repeatable)', collect)
    .option('--require-session', 'refuse calls that name no session')
    .option(
      '--max-sessions <number>',
      'how many sessions are kept; calls of one that was removed for lack of room get 410',
      toInteger('the number of sessions', Number.MAX_SAFE_INTEGER, 2),
      defaultMaxSessions,
    )
    .option('--seed <number>', "replaces the scenario's seed", toInteger('the seed', Number.MAX_SAFE_INTEGER))
    .option('--fault <line>', 'what goes wrong, such as "listRuns#3: reset" (repeatable)', collect)
    .option(
      '--journal <number>',
      'how many requests of each session are kept',
      toInteger('the journal', maxJournal),
      1000,
    )
    .option('--api-key <key>', 'accept only this API key (repeatable)', collectFilled('a key'))
    .option('--virtual-key <key>', 'accept only this virtual key (repeatable)', collectFilled('a key'))
    .option(
      '--admin-host <host>',
      'a host by which the admin API may be called, besides those of this machine (repeatable)',
      collectFilled('a host'),
    )
    .option('--admin-token <token>', 'what calls of the admin API must carry', toFilled('the token'));

/** What the flags ask for, as the server takes it. */
export const toServerOptions = (flags: ServerFlags): ServerOptions => ({
  port: flags.port,
  host: flags.host,
  scenario: flags.scenario,
  scenarios: flags.scenarios,
  requireSession: flags.requireSession,
  maxSessions: flags.maxSessions,
  seed: flags.seed,
  faults: flags.fault,
  journal: flags.journal,
  apiKeys: flags.apiKey,
  virtualKeys: flags.virtualKey,
  adminHosts: flags.adminHost,
  adminToken: flags.adminToken,
});

/** Gathers an option that may be given several times. */
export const collect = (value: string, previous: string[] = []): string[] => [...previous, value];

/** Refuses an option that says nothing. */
export const toFilled =
  (name: string) =>
  (text: string): string => {
    if (text.trim() === '') throw new InvalidArgumentError(`${name} is not empty.`);
    return text;
  };

const collectFilled =
  (name: string) =>
  (value: string, previous: string[] = []): string[] =>
    collect(toFilled(name)(value), previous);

/** Reads an option that is a whole number. */
export const toInteger =
  (name: string, max: number, min = 0) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^[0-9]+$/.test(text) || value > max || value < min)
      throw new InvalidArgumentError(`${name} is a whole number from ${min} to ${max}.`);
    return value;
  };

const toAddress = (text: string): string => {
  if (text.trim() === '')
    throw new InvalidArgumentError('the address is empty: leave the option out for 127.0.0.1.');
  return text;
};
