import * as z from 'zod';
import { isSessionName, sessionNameRule } from '../../../core/protocol/session-name.ts';
import { type CommandsOf, change, command } from '../command.ts';
import type { Control } from '../control-interface.ts';
import type { Sessions } from '../sessions.ts';
import { exportState } from '../world-state.ts';
import { scenarioInput } from './scenario-commands.ts';

export const sessionsCommands = {
  list: command({
    summary: 'Lists the names of the sessions, the least recently used first.',
    run: ({ sessions }) => sessions.names(),
  }),
  create: change({
    summary: 'Creates a session from another session or from a scenario.',
    args: ['name'],
    input: () =>
      z.strictObject({
        name: z.string(),
        session: z.string().exactOptional(),
        scenario: scenarioInput().exactOptional(),
      }),
    example: { name: 'checkout-test', scenario: 'in-flight' },
    undoable: false,
    run: ({ sessions, load }, { name, session, scenario }) => {
      if (!isSessionName(name)) fail(name, sessionNameRule);
      if (session !== undefined && scenario !== undefined)
        fail(name, 'give either a session or a scenario to begin from, not both');
      if (session !== undefined) sessions.create(name, exportState(findSession(sessions, session, name)));
      else sessions.create(name, scenario === undefined ? undefined : load(scenario));
    },
  }),
  delete: change({
    summary: 'Ends a session.',
    args: ['name'],
    input: () => z.strictObject({ name: z.string() }),
    example: { name: 'checkout-test' },
    undoable: false,
    run: ({ sessions }, { name }) => sessions.delete(name),
  }),
} satisfies CommandsOf<Control['sessions']>;

const findSession = (sessions: Sessions, name: string, copy: string) => {
  const refusal = sessions.resume(name);
  if (refusal === undefined && sessions.inMemory.has(name)) return sessions.open(name).session;
  throw (
    refusal ??
    fail(copy, `there is no session "${name}" to copy. The sessions are: ${sessions.names().join(', ')}`)
  );
};

const fail = (name: string, reason: string): never => {
  throw new Error(`Failed to create the session "${name}": ${reason}.`);
};
