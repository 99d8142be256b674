import type { Session } from '../control/session.ts';
import type { Sessions } from '../control/sessions.ts';
import type { WorldState } from '../control/world-state.ts';
import { answerInstead, breaksBody, changeAnswer } from '../faults/answer.ts';
import { Entry } from '../journal/entry.ts';
import type { Trace } from '../journal/recorded-request.ts';
import type { Marking } from '../protocol/assume.ts';
import type { AssumptionId } from '../protocol/assumptions.ts';
import { type RawCall, type Reply, whenEnded } from '../protocol/call.ts';
import { corsHeaders, isPreflight } from '../protocol/cors.ts';
import { GatewayError, type Refusal, toErrorBody } from '../protocol/errors.ts';
import { decodeWherePossible } from '../protocol/paths.ts';
import { methodsOf } from '../protocol/router.ts';
import { newWorldHeader, worldHeader } from '../protocol/world-headers.ts';
import { describeBug, reportBug } from '../util/bug.ts';
import type { IsCredential } from '../util/mask.ts';
import { readStopwatch } from '../util/stopwatch.ts';
import { truncate } from '../util/truncate.ts';
import type { AnyOperation } from '../world/operation.ts';
import { type Opened, openSession, type SessionRules, splitCallSession } from './open-session.ts';
import { addPassedToJournal, passedMethods, passOn, type Upstream } from './pass-on.ts';
import { type Answer, json, respond } from './respond.ts';
import { describeMiss, route } from './route.ts';

/** What {@link execute} answers calls from. */
export interface Served extends SessionRules {
  readonly operations: readonly AnyOperation[];
  /** Which headers, parameters and fields the journal masks. */
  readonly isCredential: IsCredential;
  /** The server that answers what no operation does. */
  readonly upstream?: Upstream | undefined;
}

/** Answers one call: the whole behaviour of the gateway, the same on every transport. It never throws: a bug gets 500. */
export const execute = (served: Served, raw: RawCall): Reply => {
  try {
    return take(served, raw);
  } catch (error) {
    const { status, headers, body } = toRefusal(error);
    return { status, headers, body };
  }
};

/** The order of the checks (assumption `check-order`): routing, fault, keys, parameters, body, existence, quotas. */
const take = (served: Served, raw: RawCall): Reply => {
  const { upstream } = served;
  const arrived = readStopwatch();
  const { name, path } = splitCallSession(raw);
  const call = path === raw.path ? raw : { ...raw, path };
  const opened = openSession(served, name, raw);
  const { state } = opened.session;
  const usesBefore = countUses(state);
  const marking = state.world.assumptions.forAnswer();
  const { assume, marks } = marking;

  const isAsked = opened.refusal === undefined && !isPreflight(call);
  const routed = isAsked ? route(served.operations, call) : undefined;
  const match = routed instanceof GatewayError ? undefined : routed;
  const hit = match && call.method !== 'OPTIONS' ? state.faults.hit(match.operation, call) : undefined;
  const answer = catchRefusal(marking, () => {
    if (isPreflight(call)) return { status: 204, headers: upstream ? passedMethods : {}, body: null };
    if (match === undefined) {
      const passed = isAsked && upstream ? passOn(upstream, call, state, assume) : undefined;
      if (passed === undefined) throw opened.refusal ?? routed;
      return passed;
    }
    assume('check-order');
    if (call.method === 'OPTIONS') return toOptions(match.operation);
    if (hit?.effect?.kind === 'error') assume('error-body');
    return (hit?.effect && answerInstead(hit.effect)) ?? respond(match, call, state, hit, marking);
  });
  hit?.settle('the call was refused'); // has no effect if the page was already made
  if (countUses(state) !== usesBefore || opened.session.isNews) served.sessions.noteUse(opened.session);
  const { status, headers, body, bytes } =
    hit?.effect === undefined ? answer : changeAnswer(hit.effect, answer);

  assume('request-id');
  const requestId = state.world.nextRequestId();
  const noted = { opened, isNamed: name === opened.session.name, requestId, marks, faults: hit?.lines };
  const { passing } = answer;
  const delivery = passing ? { passing } : hit?.delivery;
  const reply: Reply = {
    status,
    headers: addHeaders(call, headers, noted),
    body,
    bytes,
    ...(delivery && { delivery }),
    operation: match?.operation.id,
    faultKind: hit?.kinds.at(-1),
  };
  if (isPreflight(call)) return reply;

  const isLost = call.method === 'HEAD' || (hit?.effect !== undefined && breaksBody(hit.effect));
  const trace: Trace = {
    operation: match?.operation.id,
    params: match && decodeWherePossible(match.params),
    faults: hit?.lines,
    idleFaults: hit?.idle,
    page: isLost ? undefined : answer.page,
    nearest: routed instanceof GatewayError && !passing ? routed.message : undefined,
    upstream: passing && upstream?.url,
    refusal: answer.refusal,
  };
  const held = holdWhileSent(served.sessions, opened.session, reply);
  if (passing) return addPassedToJournal(served, opened.session, call, arrived, trace, held);
  return addToJournal(served, opened.session, call, arrived, trace, held, marks);
};

const countUses = ({ faults, quotas }: WorldState): number => faults.uses() + quotas.uses();

/** The answer to an OPTIONS call that is not a preflight. */
const toOptions = (operation: AnyOperation): Answer => ({
  status: 204,
  headers: { allow: methodsOf(operation).join(', ') },
  body: null,
});

/** The input of the headers that every reply has. */
interface HeaderInputs {
  readonly opened: Opened;
  /** Whether the call named the session that answers it. */
  readonly isNamed: boolean;
  readonly requestId: string;
  readonly marks: readonly AssumptionId[];
  readonly faults: readonly string[] | undefined;
}

/** The headers of every reply. */
const addHeaders = (call: RawCall, own: Reply['headers'], noted: HeaderInputs): Record<string, string> => {
  const { opened, isNamed, requestId, marks, faults = [] } = noted;
  const { session, isNew, refusal } = opened;
  // Set one by one, and `opened` not spread: spreading optional objects takes longer than all the checks (measured).
  const headers: Record<string, string> = { ...corsHeaders(call), ...own };
  headers['x-gateway-trace-id'] = traceIdOf(call) ?? `trace_${requestId.slice('req_'.length)}`;
  if (marks.length > 0) headers['x-mock-assumptions'] = marks.join(', ');
  if (faults.length > 0) headers['x-mock-fault'] = toHeader(faults);
  if (isNamed) headers['x-mock-session'] = session.name;
  if (refusal === undefined && session.worldId !== '') {
    headers[worldHeader] = session.worldId;
    if (isNew || session.isNews) headers[newWorldHeader] = 'yes';
    session.isNews = false;
  }
  headers['x-request-id'] = requestId;
  return headers;
};

/** A session is in use while a fault slows down one of its replies, or another server makes it. In process, a client may never read to its end. */
const holdWhileSent = (sessions: Sessions, { name }: Session, reply: Reply): Reply => {
  const { delivery } = reply;
  if (delivery === undefined) return reply;
  const { delay = 0, dripOver = 0, passing } = delivery;
  const longest = passing ? undefined : delay + dripOver + slack;
  return { ...reply, delivery: { ...delivery, onEnd: sessions.hold(name, longest) } };
};

/** How much longer than its fault says a reply may take to be sent, in milliseconds. */
const slack = 10_000;

/** Adds a call to the journal, with its reply. The duration of a delayed reply is set when it has been sent. */
const addToJournal = (
  { isCredential }: Served,
  { journal, state }: Session,
  call: RawCall,
  arrived: number,
  trace: Trace,
  reply: Reply,
  assumptions: readonly string[],
): Reply => {
  if (journal.size === 0) return reply;
  const time = state.world.clock.now();
  const entry = new Entry(call, reply, { time, trace, assumptions, isCredential });
  const sent = whenEnded(reply, () => {
    entry.duration = readStopwatch() - arrived;
  });
  journal.add(entry);
  return sent;
};

/** Turns a thrown refusal into its error reply, and any other error, which is a bug, into a 500. */
const catchRefusal = ({ mark }: Marking, answer: () => Answer): Answer => {
  try {
    return answer();
  } catch (error) {
    if (error instanceof GatewayError) mark(error.assumption);
    mark('error-body');
    return toRefusal(error);
  }
};

const toRefusal = (error: unknown): Answer => {
  const isRefused = error instanceof GatewayError;
  if (!isRefused) reportBug(error);
  const refusal: Refusal = isRefused ? error.refusal : { status: 500, message: describeBug(error) };
  return {
    status: refusal.status,
    headers: { ...json, ...refusal.headers },
    body: JSON.stringify(toErrorBody(refusal)),
    refusal: isRefused ? { assumption: error.assumption, quota: refusal.quota ?? null } : undefined,
  };
};

const traceIdOf = ({ header }: RawCall): string | undefined => {
  const sent = header('x-gateway-trace-id') ?? '';
  return /^[\x20-\x7e]{1,256}$/.test(sent) ? sent : undefined;
};

/** The first few faults, shortened, as a header of printable ASCII. */
const toHeader = (lines: readonly string[]): string =>
  lines
    .slice(0, 8)
    .map((line) => truncate(line).replace(/[^\x20-\x7e]/g, toEscape))
    .join(' | ');

const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Adds a request to the journal that looks like a call of the gateway, but matches no operation and was left to others. It never
 * throws.
 */
export const addMissToJournal = (served: Served, raw: RawCall): void => {
  try {
    const { name, path } = splitCallSession(raw);
    const { session } = openSession(served, name, raw);
    const { journal, state } = session;
    if (journal.size === 0) return;
    const trace = { nearest: describeMiss(served.operations, { method: raw.method, path }) };
    const time = state.world.clock.now();
    const call = { ...raw, path };
    const { isCredential } = served;
    journal.add(new Entry(call, undefined, { time, trace, assumptions: [], isCredential }));
  } catch (error) {
    reportBug(error);
  }
};
