import type { Control } from '../control/control.ts';
import type { Sessions } from '../control/sessions.ts';
import { parseBody } from '../protocol/body.ts';
import type { RawCall } from '../protocol/call.ts';
import { GatewayError, toErrorBody, truncate } from '../protocol/errors.ts';
import { findReservedKeys, reservedKeyRule } from '../protocol/reserved-keys.ts';
import { defaultSession, isSessionName, sessionNameRule } from '../protocol/session-name.ts';
import { newWorldHeader, worldHeader } from '../protocol/world-headers.ts';
import { findMistakes } from '../scenario/mistakes.ts';
import { describeMistake, ScenarioError, type ScenarioMistake } from '../scenario/scenario-error.ts';
import { toJsonText } from '../util/json.ts';
import { messageOf } from '../util/message-of.ts';
import { didYouMean } from '../util/nearest.ts';
import { endSentence } from '../util/sentence.ts';
import { readEventsQuery } from './events-query.ts';
import { type Guard, refuseStranger } from './guard.ts';
import { adminOpenapi } from './openapi.ts';
import { fromQueryText } from './query.ts';
import { type AnyRoute, allRoutes } from './routes.ts';

/** What the admin API steers. */
export interface AdminTarget {
  readonly control: (session: string) => Control;
  readonly sessions: Pick<Sessions, 'worldOf' | 'refusalOf'>;
  readonly version: string;
  readonly guard: Guard;
}

/** An answer of the admin API: JSON, or none. */
export interface AdminReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The session that the call made, on purpose: the reply names its world. */
  readonly made?: string | undefined;
}

const root = '/__admin';

/** Whether a path is the admin API's, of a session or not. */
export const isAdminPath = (path: string): boolean =>
  path.startsWith(root) || (path.startsWith('/sessions/') && /^\/sessions\/[^/]*\/__admin/.test(path));

/** Where a call of the admin API leads: the session, and the path below `/__admin`. */
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
  const stranger = refuseStranger(call.header, target.guard);
  if (stranger !== undefined) return errorReply(stranger.status, stranger.message, stranger.headers);
  const { session, below } = locateAdmin(call);
  if (!isSessionName(session))
    return errorReply(400, `'${truncate(session)}' is no name of a session: ${sessionNameRule}.`);
  const before = target.sessions.worldOf(session);
  const { made, ...reply } = await respond(target, session, below, call, signal).catch(toErrorReply);
  const world = target.sessions.worldOf(made ?? session);
  const isNew = made !== undefined || world !== before;
  return { ...reply, headers: { ...reply.headers, ...toWorldHeaders(world, isNew) } };
};

/** None where the session has no world: some calls do not make one, such as a list of the sessions. */
export const toWorldHeaders = (world: string | undefined, isNew: boolean): Record<string, string> =>
  world === undefined ? {} : { [worldHeader]: world, ...(isNew && { [newWorldHeader]: 'yes' }) };

const respond = async (
  { version, control: controlOf, sessions }: AdminTarget,
  session: string,
  below: string,
  call: RawCall,
  signal: AbortSignal | undefined,
): Promise<AdminReply> => {
  const control = controlOf(session);
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  if (['/health', '/openapi.json', '/events'].includes(below) && method !== 'GET')
    return errorReply(405, `${root}${below} is not served by ${call.method}, but by GET.`, { allow: 'GET' });
  if ((below === '/health' || below === '/openapi.json') && call.query !== '')
    return refuseQuery(below, call);
  if (below === '/health') {
    const { name, seed } = await control.scenario.current();
    return toJson({ status: 'ok', version, scenario: name, seed });
  }
  if (below === '/openapi.json') return toJson(adminOpenapi(version));
  const refusal = sessions.refusalOf(session);
  if (below === '/events') {
    if (refusal !== undefined) throw refusal;
    readEventsQuery(call.query); // what it throws is the answer: any other stream has begun by now
  }

  const found = findRoutes(below);
  const match = found.find(({ route }) => route.method === method);
  if (match === undefined) return refuseMiss(call.method, below, found);
  const { route, params } = match;
  if (route.method !== 'GET' && call.query !== '') return refuseQuery(route.path, call);
  if (route.needsBody && isEmpty(call))
    return errorReply(400, `${route.method} ${root}${route.path} takes a JSON object, but got no body.`);
  const given = route.method === 'GET' ? fromQueryText(call.query, route.input) : readBody(call);
  const reserved = (route.takesAnyKey ? [] : findReservedKeys(given)).map((place) => ({
    path: place,
    message: reservedKeyRule,
  }));
  const mistakes = [...reserved, ...findMistakes(route.input, given)];
  if (mistakes.length > 0)
    return errorReply(
      400,
      `Failed to ${route.method} ${root}${route.path}: ${endSentence(mistakes.map(describeMistake).join('; '))}`,
    );
  const result: unknown = await route.run(control, { params, body: route.input.parse(given), signal });
  const made = route.id === 'sessions.create' ? params.name : undefined;
  return { ...(result === undefined ? { status: 204, headers: {}, body: '' } : toJson(result)), made };
};

interface Found {
  readonly route: AnyRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** The routes of a path; those without parameters first, so that `/requests/count` is no record. */
const findRoutes = (below: string): Found[] =>
  allRoutes
    .flatMap((route) => {
      const params = matchRoute(route.path, below);
      return params === undefined ? [] : [{ route, params }];
    })
    .sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);

const matchRoute = (path: string, below: string): Record<string, string> | undefined => {
  const [expected, given] = [path.split('/'), below.split('/')];
  if (expected.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, segment] of expected.entries()) {
    const found = given[at] ?? '';
    if (segment.startsWith('{') && found !== '') params[segment.slice(1, -1)] = decodeURIComponent(found);
    else if (segment !== found) return undefined;
  }
  return params;
};

const refuseQuery = (path: string, { method, query }: RawCall): AdminReply =>
  errorReply(400, `${method} ${root}${path} takes no query, but got "?${truncate(query)}".`);

const refuseMiss = (method: string, below: string, found: readonly Found[]): AdminReply => {
  const methods = [...new Set(found.map(({ route }) => route.method))];
  if (methods.length > 0)
    return errorReply(
      405,
      `${root}${truncate(below)} is not served by ${method}, but by ${methods.join(', ')}.`,
      {
        allow: methods.join(', '),
      },
    );
  const paths = [...new Set(allRoutes.map(({ path }) => path)), '/health', '/openapi.json', '/events'];
  return errorReply(
    404,
    `The admin API has no path ${root}${truncate(below)}.${didYouMean(below.slice(0, 200), paths, `${root}…`)} All of them: ${root}/openapi.json`,
  );
};

/** A body is a JSON object, under the limits of every other one; none at all is an empty one. */
const readBody = (call: RawCall): object => {
  if (isEmpty(call)) return {};
  const type = call.header('content-type') ?? 'none';
  return parseBody({ ...call, header: (name) => (name === 'content-type' ? type : call.header(name)) });
};

const isEmpty = ({ body }: RawCall): boolean => typeof body !== 'string' && body.byteLength === 0;

const toJson = (value: unknown): AdminReply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: toJsonText(value),
});

const toErrorReply = (error: unknown): AdminReply => {
  if (error instanceof GatewayError) return errorReply(error.refusal.status, error.refusal.message);
  if (error instanceof ScenarioError) return errorReply(400, error.message, {}, error.mistakes);
  if (error instanceof URIError) return errorReply(400, 'The path is no valid percent-encoding.');
  return errorReply(400, messageOf(error));
};

const errorReply = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  mistakes?: readonly ScenarioMistake[],
): AdminReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ ...toErrorBody({ status, message }), ...(mistakes && { mistakes }) }),
});
