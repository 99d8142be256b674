// The first step of `answer`: finds the session of a call, and its operation or the server to which it is forwarded.
import type { Marking } from '../../core/assumptions/marking.ts';
import type { FaultDecision } from '../../core/faults/decide.ts';
import type { PageFault } from '../../core/faults/page-faults.ts';
import type { Entry } from '../../core/journal/entry.ts';
import type { AnyOperation } from '../../core/operations/operation.ts';
import { checkKnownKey } from '../../core/protocol/auth.ts';
import type { Call, LateReply, Sent } from '../../core/protocol/call.ts';
import { isOfThisMachine, isPreflight } from '../../core/protocol/cors.ts';
import { refuse } from '../../core/protocol/errors.ts';
import { splitSession } from '../../core/protocol/paths.ts';
import { type Match, matchCall } from '../../core/protocol/router.ts';
import { defaultSession, isSessionName, sessionNameRule } from '../../core/protocol/session-name.ts';
import type { IsCredential } from '../../core/util/mask.ts';
import { readStopwatch, readWallClock } from '../../core/util/stopwatch.ts';
import { truncate } from '../../core/util/truncate.ts';
import type { Session } from '../control/session.ts';
import type { Sessions } from '../control/sessions.ts';
import { refuseRoute } from './describe-miss.ts';
import { isForwardable, prepareForward, type Upstream } from './forward.ts';

/** How the sessions of calls are opened. */
interface SessionRules {
  readonly sessions: Sessions;
  /** Whether calls without a session are refused. */
  readonly requireSession: boolean;
}

export interface AnswerContext extends SessionRules {
  readonly operations: readonly AnyOperation[];
  /** Which headers, parameters and fields the journal masks. */
  readonly isCredential: IsCredential;
  /** Calls that match no operation are forwarded to this server. */
  readonly upstream?: Upstream | undefined;
  /** Listeners that get each reply once it was sent or lost. */
  readonly onSent: Set<(sent: Sent) => void>;
}

interface OpenedSession {
  readonly session: Session;
  readonly isNew: boolean;
  readonly isNamed: boolean;
  /** The path of the call without the session. */
  readonly path: string;
  readonly refusal?: unknown;
}

/** One call on its way to a reply, with what the steps of `answer` find. */
export interface Exchange {
  readonly context: AnswerContext;
  readonly call: Call;
  /** When the call arrived by the stopwatch, in milliseconds. */
  readonly arrived: number;
  /** When it arrived by the machine's clock, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** When it arrived by the world's clock, in seconds since 1970. */
  readonly time: number;
  readonly opened: OpenedSession;
  readonly marking: Marking;
  /** How often faults and quotas had counted before this call. */
  readonly uses: number;
  /** The operation; undefined if the call matches none, or was refused before the operation was looked up. */
  match?: Match<AnyOperation> | undefined;
  /** Set by `find`: why the call gets an error, unless a fault has its own reply. */
  refusal?: unknown;
  /** For a call that matches no operation: the message of its refusal, which names the nearest operation. */
  nearest?: string;
  /** For a call to another server: sends it there. */
  forward?: LateReply['wait'] | undefined;
  /** Set by `decide`: which faults act. */
  faults?: FaultDecision | undefined;
  /** Set by `decide`: the fault that changes the page of this call, and why it could not, if so. */
  pageFault?: PageFault;
  /** Set when it is first needed. */
  requestId?: string;
  /** Set by `addToJournal`. */
  entry?: Entry;
}

/**
 * Finds the session and the operation. The session comes first, since everything else depends on its world, even the reply to an
 * unknown path. So a refused session is reported before a 404.
 */
export const find = (context: AnswerContext, sent: Call): Exchange => {
  const arrived = readStopwatch();
  const opened = openSession(context, sent);
  const call = opened.path === sent.path ? sent : { ...sent, path: opened.path, originalPath: sent.path };
  const { world } = opened.session.state;
  const exchange: Exchange = {
    context,
    call,
    arrived,
    receivedAt: readWallClock(),
    time: world.clock.now(),
    opened,
    marking: world.assumptions.forAnswer(),
    uses: countUses(opened.session),
  };
  exchange.refusal = opened.refusal;
  if (opened.refusal === undefined) route(exchange);
  return exchange;
};

/** Opens the session that a call names in its path, or else in its header. If that fails, the default session answers with the refusal. */
export const openSession = (rules: SessionRules, call: Call): OpenedSession => {
  const { sessions, requireSession } = rules;
  const { name = call.header('x-mock-session'), path } = splitSession(call.path);
  try {
    checkName(name, requireSession);
    const { session, isNew } = sessions.open(name ?? defaultSession);
    return { session, isNew, isNamed: name !== undefined, path };
  } catch (refusal) {
    const { session, isNew } = sessions.open(defaultSession);
    return { session, isNew, isNamed: name === defaultSession, path, refusal };
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

/** How often the faults and quotas of a session have counted calls. */
export const countUses = ({ state: { faults, quotas } }: Session): number => faults.uses + quotas.calls;

/** Finds the operation of a call, or the other server to which it is forwarded. */
const route = (exchange: Exchange): void => {
  const { context, call, opened, marking } = exchange;
  const { operations, upstream } = context;
  if (isPreflight(call) && isCorsOpen(exchange)) {
    routePreflight(exchange);
    return;
  }
  exchange.match = matchCall(operations, call);
  if (exchange.match !== undefined) return;
  const refusal = refuseRoute(operations, call);
  exchange.refusal = refusal;
  exchange.nearest = refusal.message;
  if (upstream === undefined || !isForwardable(call)) return;
  try {
    checkKnownKey(call.header, opened.session.state.world.keys, marking.assume);
    exchange.forward = prepareForward(upstream, call);
  } catch (error) {
    exchange.refusal = error;
  }
};

/**
 * Forwards a preflight that is for another server: that server decides which web pages may read its replies. The gateway
 * answers the others.
 */
const routePreflight = (exchange: Exchange): void => {
  const { call, context } = exchange;
  const { operations, upstream } = context;
  const method = call.header('access-control-request-method') ?? '';
  const isOurs = matchCall(operations, { ...call, method }) !== undefined;
  if (isOurs || upstream === undefined || !isForwardable(call) || mayReadForwarded(exchange)) return;
  exchange.forward = prepareForward(upstream, call);
};

export const isCorsOpen = ({ marking }: Exchange): boolean => marking.assume('cors') === 'open';

/**
 * Whether a web page may read replies of another server. Only pages of this machine may, unless the session lists its valid API keys:
 * otherwise, any web page could read a server in the user's network.
 */
export const mayReadForwarded = ({ call, opened }: Exchange): boolean =>
  opened.session.state.world.keys.valid !== undefined || isOfThisMachine(call.header('origin') ?? '');
