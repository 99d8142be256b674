import { GatewayError } from '../protocol/errors.ts';

/** Refuses a call to a session that was removed because there were too many. */
export const describeRemoved = (name: string, max: number): GatewayError =>
  new GatewayError('session-removed', {
    status: 410,
    message: `The session "${name}" was removed: at most ${max} sessions are kept, and it was the least recently used. Its records, faults, clock and journal are lost. Create it again with sessions.create("${name}"), over HTTP by POST /__admin/sessions/create {"name":"${name}"}. To keep more sessions, set maxSessions (--max-sessions on the command line).`,
    param: 'x-mock-session',
  });

/** Refuses a new session for which there is no room. */
export const describeFull = (max: number): GatewayError =>
  new GatewayError('sessions-in-use', {
    status: 503,
    message: `There is no room for a new session: at most ${max} sessions are kept, and each of them is in use by an event stream, a wait or a delayed reply, or could not be stored. End one of these, delete a session, or set maxSessions (--max-sessions on the command line).`,
    param: 'x-mock-session',
  });

/** Refuses a call to a session whose stored state lacks a change, or cannot be read. */
export const describeLost = (name: string, reason: string): GatewayError =>
  new GatewayError('session-lost', {
    status: 410,
    message: `The session "${name}" is lost: ${reason}. Its records, faults, clock and journal are lost. Create it again with sessions.create("${name}"), over HTTP by POST /__admin/sessions/create {"name":"${name}"}.`,
    param: 'x-mock-session',
  });

/** Refuses a call to a session that cannot be read now. It must not begin again: its file may be whole. */
export const describeUnreadable = (name: string, code: string): GatewayError =>
  new GatewayError('session-lost', {
    status: 503,
    message: `The session "${name}" cannot be read from the state directory: ${code}. Try again later.`,
    param: 'x-mock-session',
    headers: { 'retry-after': '1' },
  });
