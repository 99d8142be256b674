import type { AssumptionId } from '../../core/assumptions/table.ts';
import { GatewayError } from '../../core/protocol/errors.ts';

const toError = (assumption: AssumptionId, status: number, message: string, headers = {}): GatewayError =>
  new GatewayError(assumption, { status, message, param: 'x-mock-session', headers });

const createAgain = (name: string): string =>
  `Its records, faults, clock and journal are lost. Create it again with sessions.create("${name}"), over HTTP by POST /__admin/sessions/create {"name":"${name}"}.`;

/** Refuses a call to a session that was removed because there were too many. */
export const toRemovedError = (name: string, max: number): GatewayError =>
  toError(
    'session-removed',
    410,
    `The session "${name}" was removed: at most ${max} sessions are kept, and it was the least recently used. ${createAgain(name)} To keep more sessions, set maxSessions (--max-sessions on the command line).`,
  );

/** Refuses a call to a session whose stored state lacks a change, or cannot be read. */
export const toLostError = (name: string, reason: string): GatewayError =>
  toError('session-lost', 410, `The session "${name}" is lost: ${reason}. ${createAgain(name)}`);

/** Refuses a call to a session that cannot be read now. A new session must not replace it, since its file may be intact. */
export const toUnreadableError = (name: string, code: string): GatewayError =>
  toError(
    'session-lost',
    503,
    `The session "${name}" cannot be read from the state directory: ${code}. Try again later.`,
    { 'retry-after': '1' },
  );
