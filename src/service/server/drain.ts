import { ControlError } from '../../core/protocol/errors.ts';
import { defaultSession } from '../../core/protocol/session-name.ts';
import type { Sessions } from '../control/sessions.ts';
import type { StateDir } from './state/state-dir.ts';
import { close, type WebServer } from './web-server.ts';

/** How long a server that stores its sessions waits for the calls under way, in milliseconds. */
const longestDrain = 10_000;

/** Ends the calls, waits and event streams under way, and stores the sessions. */
export const drain = async (
  web: WebServer,
  sessions: Sessions,
  stateDir: StateDir | undefined,
): Promise<void> => {
  const message = 'Failed to wait for requests: the server was closed.';
  // The next server with the directory continues with the session: a client may wait again.
  const createReason = () => (stateDir === undefined ? new Error(message) : new ControlError(503, message));
  const endWaiting = (): void => {
    for (const { journal } of sessions.inMemory.values()) journal.endWaits(createReason);
    sessions.events.emit(defaultSession, { type: 'closed' });
  };
  endWaiting();
  await close(web, stateDir === undefined ? 500 : longestDrain);
  endWaiting(); // ends waits that began meanwhile
  await stateDir?.close(sessions.inMemory.values());
};
