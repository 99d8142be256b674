import * as z from 'zod';
import { isSessionName, sessionNameRule } from '../../protocol/session-name.ts';
import type { Scenario, ScenarioName } from '../../scenario/schema.ts';
import { command, signature } from '../command.ts';
import type { Sessions } from '../sessions.ts';
import { exportState } from '../world-state.ts';
import { sizeOfState } from '../written.ts';
import { scenarioInput, sizeOfGiven } from './scenario.ts';

/** The state in which a new session begins. Default: the gateway's own scenario. */
export interface SessionStart {
  /** The name of a session whose current state is copied. */
  readonly session?: string | undefined;
  /** A scenario to start from, by its name or as an object. Give either this or `session`. */
  readonly scenario?: ScenarioName | Scenario | undefined;
}

/**
 * Beyond `maxSessions`, the least recently used sessions are removed. Calls to a removed session fail (over HTTP:
 * 410) until it is created again.
 */
export const sessionsCommands = {
  /** The names of the sessions, the least recently used first. */
  list: command({
    summary: 'Lists the names of the sessions, the least recently used first.',
    run: ({ sessions }) => sessions.names(),
  }),
  /**
   * Creates a session. An existing session with this name is replaced, and a removed one can be used again.
   *
   * @throws Error if the name is invalid, if there is no such session to copy, or if the worlds have no room for another one
   * @throws ScenarioError
   */
  create: command({
    summary:
      'Creates a session from another session or from a scenario. An existing session with this name is replaced.',
    args: signature<[name: string, from?: SessionStart]>('name'),
    input: () =>
      z.strictObject({
        name: z.string(),
        session: z.string().exactOptional(),
        scenario: scenarioInput().exactOptional(),
      }),
    example: { name: 'checkout-test', scenario: 'in-flight' },
    writes: true,
    undoable: false,
    run: ({ sessions, load }, { name, session, scenario }) => {
      if (!isSessionName(name)) fail(name, sessionNameRule);
      if (session !== undefined && scenario !== undefined)
        fail(name, 'give either a session or a scenario to begin from, not both');
      if (session !== undefined) {
        const original = findSession(sessions, session, name);
        sessions.create(name, exportState(original), sizeOfState(original));
      } else if (scenario === undefined) sessions.create(name);
      else {
        const start = load(scenario);
        sessions.create(name, start, sizeOfGiven(scenario, start));
      }
    },
  }),
  /** Ends a session. False if there is no such session, and for the default one, which stays. */
  delete: command({
    summary: 'Ends a session. A later call that names it starts a new one.',
    args: signature<[name: string]>('name'),
    input: () => z.strictObject({ name: z.string() }),
    example: { name: 'checkout-test' },
    writes: true,
    undoable: false,
    run: ({ sessions }, { name }) => sessions.delete(name),
  }),
};

const findSession = (sessions: Sessions, name: string, copy: string) => {
  const refusal = sessions.resumeStored(name);
  if (refusal === undefined && sessions.has(name)) return sessions.open(name).session;
  throw (
    refusal ??
    fail(copy, `there is no session "${name}" to copy. The sessions are: ${sessions.names().join(', ')}`)
  );
};

const fail = (name: string, reason: string): never => {
  throw new Error(`Failed to create the session "${name}": ${reason}.`);
};
