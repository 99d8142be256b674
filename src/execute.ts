import { type Answer, answerInstead, changeAnswer } from './faults/answer.ts';
import type { Hit } from './faults/faults.ts';
import { hostilePage } from './faults/page.ts';
import { type Trace, toEntry } from './journal/entry.ts';
import { readStopwatch } from './journal/stopwatch.ts';
import { policies } from './operations/get-rate-limits-policy/record.ts';
import type { Assume, AssumptionId } from './protocol/assumptions.ts';
import { checkApiKey, checkBetaHeader, checkVirtualKey } from './protocol/auth.ts';
import { parseBody } from './protocol/body.ts';
import type { RawCall, Reply } from './protocol/call.ts';
import { corsHeaders, isPreflight } from './protocol/cors.ts';
import { GatewayError, type Refusal, refuse, shorten, toErrorBody } from './protocol/errors.ts';
import { parseQuery } from './protocol/query.ts';
import { describeNearest, type Match, matchPath, methodsOf } from './protocol/router.ts';
import {
  defaultSession,
  isSessionName,
  type Session,
  type Sessions,
  type Situation,
  sessionNameRule,
} from './sessions.ts';
import type { AnyOperation } from './world/operation.ts';

/** What a call is answered from. */
export interface Served {
  readonly operations: readonly AnyOperation[];
  readonly sessions: Sessions;
  /** Whether calls that name no session are refused. */
  readonly requireSession: boolean;
}

/**
 * Answers one call: the whole behaviour of the gateway, the same for every face. It never throws.
 * The order of its checks is that of the field notes: routing, fault, keys, parameters, body, existence; then quotas.
 */
export const execute = (served: Served, raw: RawCall): Reply => {
  const arrived = readStopwatch();
  const { name, path } = findSession(raw);
  const isNamed = name !== undefined && isSessionName(name);
  const { session, isNew } = served.sessions.open(isNamed ? name : defaultSession);
  const { world } = session.situation;
  const { assume, mark, marks } = world.assumptions.forAnswer();
  const call = { ...raw, path };
  const answering: Answering = { situation: session.situation, assume, trace: {} };
  const answer = changeByFault(
    toAnswer(() => {
      if (!isPreflight(call)) checkSession(name, served.requireSession, assume);
      return respond(served.operations, call, answering);
    }, mark),
    answering,
  );
  assume('request-id');
  const requestId = world.nextRequestId();
  const { trace, hit } = answering;
  const headers = {
    ...corsHeaders(call),
    ...answer.headers,
    'x-gateway-trace-id': traceIdOf(call) ?? requestId.replace('req_', 'trace_'),
    ...(marks.length > 0 && { 'x-mock-assumptions': marks.join(', ') }),
    ...(hit !== undefined && { 'x-mock-fault': toHeader(hit.lines) }),
    ...(isNamed && { 'x-mock-session': name }),
    ...(isNew && { 'x-mock-world': 'new' }),
    'x-request-id': requestId,
  };
  const reply: Reply = {
    status: answer.status,
    headers,
    body: answer.body,
    ...(hit?.delivery && { delivery: hit.delivery }),
  };
  return isPreflight(call) ? reply : record(session, call, arrived, trace, reply, marks);
};

/** Keeps a call in the journal, with its answer. What takes its time to go out has its duration when it has gone. */
const record = (
  { journal, situation }: Session,
  call: RawCall,
  arrived: number,
  trace: Trace,
  reply: Reply,
  marks: readonly string[],
): Reply => {
  if (journal.size === 0) return reply;
  const entry = toEntry(call, situation.world.clock.now(), trace, reply, marks);
  const onEnd = (): void => {
    entry.duration = readStopwatch() - arrived;
  };
  if (reply.delivery === undefined) onEnd();
  journal.add(entry);
  return reply.delivery === undefined ? reply : { ...reply, delivery: { ...reply.delivery, onEnd } };
};

const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Keeps a request in the journal that looks like one of ours and is left to others, since no operation has it.
 */
export const recordMiss = (served: Served, raw: RawCall): void => {
  const { name, path } = findSession(raw);
  const { session } = served.sessions.open(name !== undefined && isSessionName(name) ? name : defaultSession);
  const { journal, situation } = session;
  if (journal.size === 0) return;
  const trace = { nearest: describeMiss(served.operations, { method: raw.method, path }) };
  const time = situation.world.clock.now();
  journal.add(toEntry({ ...raw, path }, time, trace, undefined, []));
};

/** What the answer to one call is made from, and what is noted on the way. */
interface Answering {
  readonly situation: Situation;
  readonly assume: Assume;
  readonly trace: Trace;
  hit?: Hit | undefined;
}

/** A header takes printable ASCII; a line may be longer than one should be. */
const toHeader = (lines: readonly string[]): string =>
  lines.map((line) => shorten(line).replace(/[^\x20-\x7e]/g, toEscape)).join(' | ');

/** The session that a call names: by its path, which wins, or by its header. */
const findSession = ({
  path,
  header,
}: RawCall): { readonly name: string | undefined; readonly path: string } => {
  const prefixed = path.startsWith('/sessions/') ? /^\/sessions\/([^/]*)(\/.*)?$/.exec(path) : null;
  if (prefixed !== null) return { name: prefixed[1], path: prefixed[2] ?? '/' };
  return { name: header('x-mock-session'), path };
};

const checkSession = (name: string | undefined, isRequired: boolean, assume: Assume): void => {
  if (name === undefined && isRequired)
    refuse(assume, 'session-required', {
      status: 400,
      message:
        'This call names no session: send it to /sessions/NAME/v1, or with the header x-mock-session: NAME.',
      param: 'x-mock-session',
    });
  if (name !== undefined && !isSessionName(name))
    refuse(assume, 'session-name', {
      status: 400,
      message: `'${shorten(name)}' is no name of a session: ${sessionNameRule}.`,
      param: 'x-mock-session',
    });
};

/** Turns what is thrown into an answer: a refusal into its error, anything else into a 500, since it is our mistake. */
const toAnswer = (respondOrThrow: () => Answer, mark: (id: AssumptionId) => void): Answer => {
  try {
    return respondOrThrow();
  } catch (error) {
    if (error instanceof GatewayError) mark(error.assumption);
    mark('error-body');
    const refusal: Refusal =
      error instanceof GatewayError
        ? error.refusal
        : {
            status: 500,
            message: `gateway-mock met a mistake of its own: ${String(error)}. Please report it.`,
          };
    return {
      status: refusal.status,
      headers: { ...json, ...refusal.headers },
      body: JSON.stringify(toErrorBody(refusal)),
    };
  }
};

const json = { 'content-type': 'application/json' };

const respond = (operations: readonly AnyOperation[], raw: RawCall, answering: Answering): Answer => {
  const { situation, assume, trace } = answering;
  if (isPreflight(raw)) return { status: 204, headers: {}, body: null };
  const match = route(operations, raw, answering);
  const { operation } = match;
  if (raw.method === 'OPTIONS')
    return { status: 204, headers: { allow: methodsOf(operation).join(', ') }, body: null };

  const hit = situation.faults.hit(operation, raw);
  answering.hit = hit;
  if (hit !== undefined) trace.faults = hit.lines;
  const instead = hit?.effect && answerInstead(hit.effect);
  if (instead !== undefined) {
    if (hit?.effect?.kind === 'error') assume('error-body');
    return instead;
  }

  const { contract } = operation;
  const { world, quotas } = situation;
  checkApiKey(raw.header, world.keys, operation.id, assume);
  if (contract.virtualKey) checkVirtualKey(raw.header, world.keys, assume);
  if (contract.betaHeader) checkBetaHeader(raw.header, assume);
  const call = {
    params: decodeParams(match.params, assume),
    query: parseQuery(contract.query, raw.query, assume),
    body: contract.body === undefined ? {} : parseBody(raw, assume),
    assume,
  };
  const reply =
    hit?.effect !== undefined && 'page' in hit.effect
      ? hostilePage(hit.effect, operation, call, world)
      : operation.handle(call, world);
  const headers =
    quotas.isEnforced() && isLimited(operation)
      ? quotas.spend({ header: raw.header, params: call.params, reply }, assume)
      : {};
  notePage(reply, trace);
  return { status: 200, headers: { ...json, ...headers }, body: JSON.stringify(reply) };
};

/** What a fault does to the bytes of an answer, whether that is an error or not. */
const changeByFault = (answer: Answer, { hit }: Answering): Answer =>
  hit?.effect === undefined ? answer : changeAnswer(hit.effect, answer);

/** Whoever asks for a policy is not limited by it. */
const isLimited = ({ kinds }: AnyOperation): boolean => !kinds.some(({ name }) => name === policies.name);

/** For lists, which records were on the page. */
const notePage = (reply: unknown, trace: Trace): void => {
  const { data, has_more } = Object(reply);
  if (!Array.isArray(data)) return;
  trace.page = { ids: data.map(({ id }) => id), has_more };
};

/** Every path is below the version segment (contract: Versioning). */
const base = '/v1';

const route = (
  operations: readonly AnyOperation[],
  raw: RawCall,
  { assume, trace }: Answering,
): Match<AnyOperation> => {
  const { path, method } = raw;
  const match = path.startsWith(`${base}/`) ? matchPath(operations, path.slice(base.length)) : undefined;
  const served = match === undefined ? [] : methodsOf(match.operation);
  if (match !== undefined && served.includes(method)) {
    trace.operation = match.operation.id;
    trace.params = mapValues(match.params, (value) => tryDecode(value) ?? value);
    return match;
  }
  const message = describeMiss(operations, raw);
  trace.nearest = message;
  if (match === undefined) return refuse(assume, 'unknown-path', { status: 404, message });
  return refuse(assume, 'method-not-served', {
    status: 405,
    message,
    headers: { allow: served.join(', ') },
  });
};

/** Why no operation has this path and method: the nearest one, and what differs. */
const describeMiss = (
  operations: readonly AnyOperation[],
  { path, method }: Pick<RawCall, 'path' | 'method'>,
): string => {
  if (!path.startsWith(`${base}/`))
    return `No operation has the path ${shorten(path)}: every path starts with ${base}.`;
  const match = matchPath(operations, path.slice(base.length));
  if (match === undefined)
    return `No operation has the path ${shorten(path)}. ${describeNearest(operations, path.slice(base.length))}`;
  // HEAD answers as GET does, to the length of the message.
  return `${match.operation.id} is not served by ${method === 'HEAD' ? 'GET' : method}, but by ${methodsOf(match.operation).join(', ')}.`;
};

const decodeParams = (params: Readonly<Record<string, string>>, assume: Assume): Record<string, string> =>
  mapValues(
    params,
    (value, name) =>
      tryDecode(value) ??
      refuse(assume, 'path-encoding', {
        status: 400,
        message: `Invalid '${name}': '${shorten(value)}' is no valid percent-encoding.`,
        param: name,
      }),
  );

const tryDecode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const mapValues = (
  record: Readonly<Record<string, string>>,
  change: (value: string, name: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));

const traceIdOf = ({ header }: RawCall): string | undefined => {
  const sent = header('x-gateway-trace-id') ?? '';
  return /^[\x21-\x7e]{1,256}$/.test(sent) ? sent : undefined;
};
