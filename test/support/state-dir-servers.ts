// Processes with a state directory, and calls of their sessions.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { connect } from '../../src/client.ts';
import { serveCli } from './spawn-cli.ts';
import { keys } from './transports.ts';

/** What is needed of a server to call it. */
export interface Server {
  readonly baseUrl: string;
}

/** A call in a session, and what it shows of the session's world. */
export const call = async ({ baseUrl }: Server, session: string, path = '/batches?limit=2') => {
  const reply = await fetch(baseUrl + path, { headers: { ...keys, 'x-mock-session': session } });
  return {
    status: reply.status,
    text: await reply.text(),
    world: reply.headers.get('x-mock-world'),
    isNew: reply.headers.has('x-mock-world-new'),
  };
};

export const serve = (folder: string, ...args: string[]) =>
  serveCli('--quiet', '--state-dir', folder, ...args);
export const controlOf = ({ baseUrl }: Server, session: string) =>
  connect(new URL(baseUrl).origin, { session });

/** Waits until every change is written. */
export const untilWritten = (folder: string) =>
  expect
    .poll(() => readdirSync(join(folder, 'sessions')).filter((file) => file.endsWith('.changed')))
    .toEqual([]);
