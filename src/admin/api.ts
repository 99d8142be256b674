import { callCommand, type ReadyCommand } from '../control/call-command.ts';
import type { Context } from '../control/command.ts';
import { allCommands } from '../control/control.ts';
import type { Sessions } from '../control/sessions.ts';
import { bytesOf, parseBody, parseText } from '../protocol/body.ts';
import type { RawCall } from '../protocol/call.ts';
import { ControlError, GatewayError, toErrorBody } from '../protocol/errors.ts';
import { mapValues } from '../protocol/path-params.ts';
import { matchPath } from '../protocol/router.ts';
import { defaultSession, isSessionName, sessionNameRule } from '../protocol/session-name.ts';
import { newWorldHeader, worldHeader } from '../protocol/world-headers.ts';
import { hasTooManyValues, maxValues } from '../scenario/limits.ts';
import { ScenarioError, type ScenarioMistake } from '../scenario/scenario-error.ts';
import { toJsonText } from '../util/json.ts';
import { clientMessageOf, messageOf, nodeCodeOf } from '../util/message-of.ts';
import { didYouMean } from '../util/nearest.ts';
import { truncate } from '../util/truncate.ts';
import { readEventsQuery } from './events-query.ts';
import { type Guard, refuseStranger } from './guard.ts';
import { adminOpenapi } from './openapi.ts';
import { readQuery } from './query.ts';
import { fileIn, filePath, loadFile, writeFile } from './scenario-file.ts';

/** What the admin API works on. */
export interface AdminTarget {
  readonly contextOf: (session: string) => Context;
  readonly sessions: Pick<Sessions, 'worldOf' | 'resumeStored' | 'hold'>;
  readonly version: string;
  readonly guard: Guard;
  /** Reads the metrics of the server, in the format of Prometheus. */
  readonly metrics: () => Promise<{ readonly text: string; readonly type: string }>;
}

/** An answer of the admin API: JSON, none, or a file of the page. */
export interface AdminReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The text, or its compressed bytes. */
  readonly body: string | Uint8Array;
  /** The session that `sessions.create` made: the reply names its world. */
  readonly made?: string | undefined;
}

const root = '/__admin';

/** Whether a path belongs to the admin API, with or without a session. */
export const isAdminPath = (path: string): boolean =>
  path.startsWith(root) || (path.startsWith('/sessions/') && /^\/sessions\/[^/]*\/__admin/.test(path));

/** The session of a call, and its path below `/__admin`. */
export const locateAdmin = ({ path, header }: Pick<RawCall, 'path' | 'header'>) => {
  const [, prefixed, below = ''] = /^(?:\/sessions\/([^/]*))?\/__admin(.*)$/s.exec(path) ?? [];
  return {
    session: prefixed ?? header('x-mock-session') ?? defaultSession,
    below: below === '' ? '/' : below,
  };
};

/** Answers one call of the admin API. It never throws. */
export const answerAdmin = async (
  target: AdminTarget,
  call: RawCall,
  signal?: AbortSignal,
): Promise<AdminReply> => {
  const { session, below } = locateAdmin(call);
  const isProbe = isHealthProbe(call, below);
  const stranger = refuseStranger(
    call.header,
    isProbe ? { ...target.guard, token: undefined } : target.guard,
  );
  if (stranger !== undefined) return errorReply(stranger.status, stranger.message, stranger.headers);
  if (isProbe && target.guard.token !== undefined) return toJson({ status: 'ok' });
  if (!isSessionName(session))
    return errorReply(400, `Invalid session name '${truncate(session)}': ${sessionNameRule}.`);
  const refusal = target.sessions.resumeStored(session); // a stored session goes on: its world is not new
  const before = target.sessions.worldOf(session);
  const meant = call.header(worldHeader);
  // A session that was removed is refused with its own reason.
  if (meant !== undefined && meant !== before && refusal === undefined)
    return refuseOtherWorld(session, meant, before);
  const { made, ...reply } = await respond(target, session, below, call, signal).catch(toErrorReply);
  const world = target.sessions.worldOf(made ?? session);
  const isNew = made !== undefined || world !== before;
  return { ...reply, headers: { ...reply.headers, ...toWorldHeaders(world, isNew) } };
};

/** Whether a call without a token asks only whether the server is up, as a container's health check does. */
const isHealthProbe = ({ method, query, header }: RawCall, below: string): boolean =>
  below === '/health' &&
  ['GET', 'HEAD'].includes(method) &&
  query === '' &&
  header('authorization') === undefined;

/** Without this check, a call that arrives after its session was deleted would begin the session again. */
const refuseOtherWorld = (session: string, meant: string, world: string | undefined): AdminReply =>
  errorReply(
    412,
    `The session "${session}" does not have the world ${truncate(meant)}, which the header ${worldHeader} names: it has ${world === undefined ? 'none' : `the world ${world}`}. Nothing was done.`,
    toWorldHeaders(world, false),
  );

/** None if the session has no world: some calls do not create one, such as the list of sessions. */
export const toWorldHeaders = (world: string | undefined, isNew: boolean): Record<string, string> =>
  world === undefined ? {} : { [worldHeader]: world, ...(isNew && { [newWorldHeader]: 'yes' }) };

const respond = async (
  { version, contextOf, sessions, metrics }: AdminTarget,
  session: string,
  below: string,
  call: RawCall,
  signal: AbortSignal | undefined,
): Promise<AdminReply> => {
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  if (furtherPaths.includes(below) && method !== 'GET') return refuseMethod(below, call.method, 'GET');
  if (furtherPaths.includes(below) && below !== '/events' && call.query !== '')
    return refuseQuery(below, call);
  if (below === '/health') {
    const { name, whole } = contextOf(session).open().start;
    return toJson({ status: 'ok', version, scenario: name, seed: whole.seed });
  }
  if (below === '/openapi.json') return toJson(adminOpenapi(version));
  if (below === '/metrics') return readMetrics(metrics);
  const refusal = sessions.resumeStored(session);
  if (below === '/events') {
    if (refusal !== undefined) throw refusal;
    readEventsQuery(call.query); // its error is the reply: a valid stream has begun already
  }

  const file = fileIn(below);
  if (file !== undefined) {
    if (!['GET', 'PUT'].includes(method)) return refuseMethod(below, call.method, 'GET, PUT');
    if (call.query !== '') return refuseQuery(below, call);
    const context = contextOf(session);
    return method === 'PUT' ? toJson(await loadFile(context, file, call)) : writeFile(context, file);
  }

  const match = matchPath(
    routes.filter((route) => route.method === method),
    below,
  );
  if (match === undefined) return refuseMiss(call.method, below);
  const command = match.operation;
  if (method !== 'GET' && call.query !== '') return refuseQuery(command.path, call);
  const params = mapValues(match.params, decodeURIComponent);
  const values = method === 'GET' ? readQuery(call.query, command.schema()) : readBody(command, call);
  const result = await callCommand(command, contextOf(session), { params, values, signal });
  const made = command.name === 'sessions.create' ? params.name : undefined;
  return { ...(result === undefined ? { status: 204, headers: {}, body: '' } : toJson(result)), made };
};

/** The paths that are not commands. */
const furtherPaths = ['/health', '/openapi.json', '/metrics', '/events'];

const readMetrics = async (metrics: AdminTarget['metrics']): Promise<AdminReply> => {
  try {
    const { text, type } = await metrics();
    return { status: 200, headers: { 'content-type': type }, body: text };
  } catch (error) {
    return errorReply(500, `Failed to read the metrics: ${clientMessageOf(error)}`);
  }
};

/** Those without parameters come first, so that `/requests/count` is not a request with the id `count`. */
const routes = allCommands.toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

const refuseQuery = (path: string, { method, query }: RawCall): AdminReply =>
  errorReply(400, `${method} ${root}${path} does not take a query, but got "?${truncate(query)}".`);

const refuseMethod = (below: string, method: string, allow: string): AdminReply =>
  errorReply(405, `${root}${truncate(below)} does not support ${method}, only ${allow}.`, { allow });

const refuseMiss = (method: string, below: string): AdminReply => {
  const fitting = routes.filter((route) => matchPath([route], below) !== undefined);
  const methods = [...new Set(fitting.map((route) => route.method))];
  if (methods.length > 0) return refuseMethod(below, method, methods.join(', '));
  const paths = [...new Set(routes.map(({ path }) => path)), ...furtherPaths, filePath];
  return errorReply(
    404,
    `Unknown path ${root}${truncate(below)}.${didYouMean(below.slice(0, 200), paths, `${root}…`)} All paths: ${root}/openapi.json`,
  );
};

/** A body is a JSON object within the usual limits. No body is an empty object, unless an object is required. */
const readBody = (command: ReadyCommand, call: RawCall): Readonly<Record<string, unknown>> => {
  const type = call.header('content-type') ?? 'none';
  if (bytesOf(call).byteLength > maxValues && hasTooManyValues(parseText(call)))
    throw new ControlError(
      413,
      `Failed to call ${command.name}: over HTTP, a body may have at most ${maxValues} values. Load a large scenario from disk with --scenarios.`,
    );
  if (!isEmpty(call))
    return parseBody({ ...call, header: (name) => (name === 'content-type' ? type : call.header(name)) });
  if (command.shape().args.some(({ place, isOptional }) => place === 'merged' && !isOptional))
    throw new Error(
      `Failed to call ${command.name}: the request has no body, but a JSON object is required.`,
    );
  return {};
};

const isEmpty = ({ body }: RawCall): boolean => typeof body !== 'string' && body.byteLength === 0;

const toJson = (value: unknown): AdminReply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: toJsonText(value),
});

const toErrorReply = (error: unknown): AdminReply => {
  if (error instanceof GatewayError)
    return errorReply(error.refusal.status, error.refusal.message, error.refusal.headers);
  if (error instanceof ScenarioError) return errorReply(400, error.message, {}, error.mistakes);
  if (error instanceof ControlError) {
    const { status, message, code } = error;
    return errorReply(status, message, status === 503 ? { 'retry-after': '1' } : {}, undefined, code);
  }
  if (error instanceof URIError) return errorReply(400, 'The path has an invalid percent-encoding.');
  if (nodeCodeOf(error) !== undefined)
    return errorReply(
      500,
      `Failed to answer the call: the server failed with ${clientMessageOf(error)}. If this happens again, restart the server.`,
    );
  return errorReply(400, messageOf(error));
};

/** The most characters of a message, which may quote what a client sent. */
const maxMessage = 30_000;

export const errorReply = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  mistakes?: readonly ScenarioMistake[],
  code?: string,
): AdminReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({
    ...toErrorBody({ status, message: truncate(message, maxMessage), ...(code && { code }) }),
    ...(mistakes && { mistakes }),
  }),
});
