import type { Session } from '../control/session.ts';
import type { Sessions } from '../control/sessions.ts';
import type { WorldState } from '../control/world-state.ts';
import { checkKnownKey } from '../protocol/auth.ts';
import type { RawCall } from '../protocol/call.ts';
import { refuse } from '../protocol/errors.ts';
import { splitSession } from '../protocol/paths.ts';
import { defaultSession, isSessionName, sessionNameRule } from '../protocol/session-name.ts';
import { truncate } from '../util/truncate.ts';

/** How the sessions of calls are opened. */
export interface SessionRules {
  readonly sessions: Sessions;
  /** Whether calls without a session are refused. */
  readonly requireSession: boolean;
  /** Whether only a call with a valid API key may begin a session, since any web page can make others, such as by an image. */
  readonly keyBeginsSession: boolean;
}

/** The session that a call names in its path, or else in its header, and the path without it. */
export const splitCallSession = ({ path, header }: Pick<RawCall, 'path' | 'header'>) => {
  const split = splitSession(path);
  return { name: split.name ?? header('x-mock-session'), path: split.path };
};

export interface Opened {
  readonly session: Session;
  readonly isNew: boolean;
  readonly refusal?: unknown;
}

/** Opens the session that a call names. If that fails, the default session answers with the refusal. */
export const openSession = (rules: SessionRules, name: string | undefined, call: RawCall): Opened => {
  const { sessions, requireSession, keyBeginsSession } = rules;
  try {
    checkName(name, requireSession);
    return sessions.open(name ?? defaultSession, (state) => !keyBeginsSession || hasKnownKey(call, state));
  } catch (refusal) {
    return { ...sessions.open(defaultSession), refusal };
  }
};

const hasKnownKey = ({ header }: RawCall, { world }: WorldState): boolean => {
  try {
    checkKnownKey(header, world.keys, world.assumptions.forAnswer().assume);
    return true;
  } catch {
    return false;
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
