// Step 1 of `answer`: finds the session of a call, and its operation or the server to which it is forwarded.
import type { Marking } from '../../core/assumptions/marking.ts';
import type { PageFault } from '../../core/faults/page-faults.ts';
import type { FaultDecision } from '../../core/faults/verdicts.ts';
import type { Entry } from '../../core/journal/entry.ts';
import type { AnyOperation } from '../../core/operations/operation.ts';
import type { Call, Reply, SettledCall } from '../../core/protocol/call.ts';
import { isPreflight } from '../../core/protocol/cors.ts';
import { splitSession } from '../../core/protocol/paths.ts';
import { refuse } from '../../core/protocol/refuse.ts';
import { type Match, matchCall } from '../../core/protocol/router.ts';
import { defaultSession, isSessionName, sessionNameRule } from '../../core/protocol/session-name.ts';
import type { IsCredential } from '../../core/util/mask.ts';
import { readStopwatch, readWallClock } from '../../core/util/stopwatch.ts';
import { truncate } from '../../core/util/truncate.ts';
import { countedCallsOf, type Session } from '../control/session.ts';
import type { Sessions } from '../control/sessions.ts';
import { toRouteError } from './describe-miss.ts';
import { isForwardable, isPreflightToForward, type Upstream } from './forward.ts';

export interface AnswerContext {
  readonly sessions: Sessions;
  /** Whether calls without a session are refused. */
  readonly requireSession: boolean;
  readonly operations: readonly AnyOperation[];
  /** Which headers, parameters and fields the journal masks. */
  readonly isCredential: IsCredential;
  /** Calls that match no operation are forwarded to this server. */
  readonly upstream?: Upstream | undefined;
  /** Counts and logs a call, after its transport has called `onSettled` of the reply. */
  readonly onCallSettled?: ((settled: SettledCall) => void) | undefined;
}

interface OpenedSession {
  readonly session: Session;
  readonly isNew: boolean;
  readonly isNamed: boolean;
  /** The path of the call without the session. */
  readonly path: string;
  readonly error?: unknown;
}

/** One call on its way to a reply, with what the steps of `answer` find. */
export interface Exchange {
  readonly context: AnswerContext;
  readonly call: Call;
  /** When the call arrived: by the stopwatch and the machine's clock in milliseconds, by the world's clock in seconds. */
  readonly arrivedAt: { readonly stopwatch: number; readonly wall: number; readonly world: number };
  readonly opened: OpenedSession;
  readonly marking: Marking;
  /** How often faults and quotas of the session had counted calls before this call. */
  readonly countedBefore: number;

  // Set by `find`. A call that no session takes, and a preflight without a key, have no operation.
  match?: Match<AnyOperation> | undefined;
  /** The other server, if the call is forwarded; unset if a fault (`decideFaults`) or an error (`respond`) answers instead. */
  forwardTo?: Upstream | undefined;
  /** Why the call has neither; unset for a preflight without a key. */
  error?: unknown;
  /** If it matches no operation: the message of its error, which names the nearest operation. */
  nearest?: string;

  // Set by `decideFaults`, and by `finish` if the fault cannot act.
  faultDecision?: FaultDecision | undefined;
  /** The fault that changes the page of this call; `respond` sets its state. */
  pageFault?: PageFault;

  /** Set by `requestIdOf`, when a header first needs it. */
  requestId?: string;

  // Set by `complete`.
  /** A placeholder with status 0 until a late reply arrives. */
  reply?: Reply;
  entry?: Entry;
}

/**
 * Finds the session and the operation. The session comes first, since everything else depends on its world, even the reply to an
 * unknown path. So the error of a session comes before a 404.
 */
export const find = (context: AnswerContext, call: Call): Exchange => {
  const stopwatch = readStopwatch();
  const opened = openSession(context, call);
  const { world } = opened.session.state;
  const exchange: Exchange = {
    context,
    call: opened.path === call.path ? call : { ...call, path: opened.path, originalPath: call.path },
    arrivedAt: { stopwatch, wall: readWallClock(), world: world.clock.now() },
    opened,
    marking: world.assumptions.forAnswer(),
    countedBefore: countedCallsOf(opened.session),
    error: opened.error,
  };
  if (opened.error === undefined) route(exchange);
  return exchange;
};

/** Opens the session that a call names in its path, or else in its header. If that fails, the default session answers with the error. */
export const openSession = (context: AnswerContext, call: Call): OpenedSession => {
  const { sessions, requireSession } = context;
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
      message: 'The session is missing: call /sessions/NAME/v1, or send the header x-mock-session: NAME.',
      param: 'x-mock-session',
    });
  if (name !== undefined && !isSessionName(name))
    refuse('session-name', {
      message: `Invalid session name '${truncate(name)}': ${sessionNameRule}.`,
      param: 'x-mock-session',
    });
};

/** Finds the operation of a call, or the other server if the call is for it, or why it is for neither. */
const route = (exchange: Exchange): void => {
  const { call } = exchange;
  const { operations, upstream } = exchange.context;
  if (isKeylessPreflight(exchange)) {
    const { keys } = exchange.opened.session.state.world;
    if (isPreflightToForward(operations, call, keys)) exchange.forwardTo = upstream;
    return;
  }
  exchange.match = matchCall(operations, call);
  if (exchange.match !== undefined) return;
  if (isForwardable(call)) exchange.forwardTo = upstream;
  if (exchange.forwardTo !== undefined) return;
  const error = toRouteError(operations, call);
  exchange.error = error;
  exchange.nearest = error.message;
};

/** Whether a call is a preflight that needs no key. */
export const isKeylessPreflight = ({ call, marking }: Exchange): boolean =>
  isPreflight(call) && marking.assume('cors') === 'open';
