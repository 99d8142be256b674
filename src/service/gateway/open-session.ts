import type { Call } from '../../core/protocol/call.ts';
import { refuse } from '../../core/protocol/errors.ts';
import { splitSession } from '../../core/protocol/paths.ts';
import { defaultSession, isSessionName, sessionNameRule } from '../../core/protocol/session-name.ts';
import { truncate } from '../../core/util/truncate.ts';
import type { Session } from '../control/session.ts';
import type { Sessions } from '../control/sessions.ts';

/** How the sessions of calls are opened. */
export interface SessionRules {
  readonly sessions: Sessions;
  /** Whether calls without a session are refused. */
  readonly requireSession: boolean;
}

export interface OpenedSession {
  readonly session: Session;
  readonly isNew: boolean;
  readonly isNamed: boolean;
  /** The path of the call without the session. */
  readonly path: string;
  readonly error?: unknown;
}

/** Opens the session that a call names in its path, or else in its header. If that fails, the default session answers with the error. */
export const openSession = (rules: SessionRules, call: Call): OpenedSession => {
  const { sessions, requireSession } = rules;
  const { name = call.header('x-mock-session'), path } = splitSession(call.path);
  try {
    checkName(name, requireSession);
    const { session, isNew } = sessions.open(name ?? defaultSession);
    return { session, isNew, isNamed: name !== undefined, path };
  } catch (error) {
    const { session, isNew } = sessions.open(defaultSession);
    return { session, isNew, isNamed: false, path, error };
  }
};

const checkName = (name: string | undefined, isRequired: boolean): void => {
  if (name === undefined && isRequired)
    refuse('session-required', {
      status: 400,
      message: 'The session is missing: call /sessions/NAME/v1, or send the header x-mock-session: NAME.',
      param: 'x-mock-session',
    });
  if (name !== undefined && !isSessionName(name))
    refuse('session-name', {
      status: 400,
      message: `Invalid session name '${truncate(name)}': ${sessionNameRule}.`,
      param: 'x-mock-session',
    });
};
