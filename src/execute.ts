import type { Assume, AssumptionId } from './protocol/assumptions.ts';
import { checkApiKey, checkBetaHeader, checkVirtualKey } from './protocol/auth.ts';
import { parseBody } from './protocol/body.ts';
import type { Call, RawCall, Reply } from './protocol/call.ts';
import { corsHeaders, isPreflight } from './protocol/cors.ts';
import type { OperationContract } from './protocol/define-operation.ts';
import { GatewayError, type Refusal, refuse, shorten, toErrorBody } from './protocol/errors.ts';
import { parseQuery } from './protocol/query.ts';
import { describeNearest, type Match, matchPath, methodsOf, type Routed } from './protocol/router.ts';
import { defaultSession, isSessionName, type Sessions, sessionNameRule } from './sessions.ts';
import type { World } from './world/world.ts';

/** What each operation is to `execute`, whatever its contract. */
export interface AnyOperation extends Routed {
  readonly contract: OperationContract;
  handle(call: Call<object, object, Readonly<Record<string, unknown>>>, world: World): unknown;
}

/** What a call is answered from. */
export interface Served {
  readonly operations: readonly AnyOperation[];
  readonly sessions: Sessions;
  /** Whether calls that name no session are refused. */
  readonly requireSession: boolean;
}

/**
 * Answers one call: the whole behaviour of the gateway, the same for every face. It never throws.
 * The order of its checks is that of the field notes: routing, keys, parameters, body, existence.
 */
export const execute = (served: Served, raw: RawCall): Reply => {
  const { name, path } = findSession(raw);
  const isNamed = name !== undefined && isSessionName(name);
  const { session, isNew } = served.sessions.open(isNamed ? name : defaultSession);
  const { assume, mark, marks } = session.world.assumptions.forAnswer();
  const call = { ...raw, path };
  const answer = toAnswer(() => {
    if (!isPreflight(call)) checkSession(name, served.requireSession, assume);
    return respond(served.operations, session.world, call, assume);
  }, mark);
  assume('request-id');
  const requestId = session.world.nextRequestId();
  return {
    status: answer.status,
    headers: {
      ...corsHeaders(call),
      ...answer.headers,
      ...(answer.body !== null && { 'content-type': 'application/json' }),
      'x-gateway-trace-id': traceIdOf(call) ?? requestId.replace('req_', 'trace_'),
      ...(marks.length > 0 && { 'x-mock-assumptions': marks.join(', ') }),
      ...(isNamed && { 'x-mock-session': name }),
      ...(isNew && { 'x-mock-world': 'new' }),
      'x-request-id': requestId,
    },
    body: answer.body,
  };
};

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

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | null;
}

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
      headers: refusal.headers ?? {},
      body: JSON.stringify(toErrorBody(refusal)),
    };
  }
};

const respond = (operations: readonly AnyOperation[], world: World, raw: RawCall, assume: Assume): Answer => {
  if (isPreflight(raw)) return { status: 204, body: null };
  const { operation, params } = route(operations, raw, assume);
  if (raw.method === 'OPTIONS')
    return { status: 204, headers: { allow: methodsOf(operation).join(', ') }, body: null };

  const { contract } = operation;
  checkApiKey(raw.header, world.keys, operation.id, assume);
  if (contract.virtualKey) checkVirtualKey(raw.header, world.keys, assume);
  if (contract.betaHeader) checkBetaHeader(raw.header, assume);
  const call = {
    params: decodeParams(params, assume),
    query: parseQuery(contract.query, raw.query, assume),
    body: contract.body === undefined ? {} : parseBody(raw, assume),
    assume,
  };
  return { status: 200, body: JSON.stringify(operation.handle(call, world)) };
};

/** Every path is below the version segment (contract: Versioning). */
const base = '/v1';

const route = (
  operations: readonly AnyOperation[],
  { path, method }: RawCall,
  assume: Assume,
): Match<AnyOperation> => {
  const isBelowBase = path.startsWith(`${base}/`);
  const match = isBelowBase ? matchPath(operations, path.slice(base.length)) : undefined;
  if (match === undefined) {
    return refuse(assume, 'unknown-path', {
      status: 404,
      message: isBelowBase
        ? `No operation has the path ${shorten(path)}. ${describeNearest(operations, path.slice(base.length))}`
        : `No operation has the path ${shorten(path)}: every path starts with ${base}.`,
    });
  }
  const served = methodsOf(match.operation);
  if (!served.includes(method))
    refuse(assume, 'method-not-served', {
      status: 405,
      // HEAD answers as GET does, to the length of the message.
      message: `${match.operation.id} is not served by ${method === 'HEAD' ? 'GET' : method}, but by ${served.join(', ')}.`,
      headers: { allow: served.join(', ') },
    });
  return match;
};

const decodeParams = (params: Readonly<Record<string, string>>, assume: Assume): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        return refuse(assume, 'path-encoding', {
          status: 400,
          message: `Invalid '${name}': '${shorten(value)}' is no valid percent-encoding.`,
          param: name,
        });
      }
    }),
  );

const traceIdOf = ({ header }: RawCall): string | undefined => {
  const sent = header('x-gateway-trace-id') ?? '';
  return /^[\x21-\x7e]{1,256}$/.test(sent) ? sent : undefined;
};
