import type * as z from 'zod';
import { bytesOf, parseJsonBody } from '../../core/protocol/body.ts';
import type { Call } from '../../core/protocol/call.ts';
import { ControlError, GatewayError } from '../../core/protocol/errors.ts';
import { defaultSession, isSessionName, sessionNameRule } from '../../core/protocol/session-name.ts';
import { newWorldHeader, worldHeader } from '../../core/protocol/world-headers.ts';
import { describeJson, parseJson } from '../../core/util/json.ts';
import { isMapping, type Mapping, ownValue } from '../../core/util/mapping.ts';
import { didYouMean } from '../../core/util/nearest.ts';
import { truncate } from '../../core/util/truncate.ts';
import { tryParse } from '../../core/util/try-parse.ts';
import { checkInput, runCommand, toInput } from '../control/call-command.ts';
import type { CommandContext, NamedCommand } from '../control/command.ts';
import { allCommands } from '../control/control.ts';
import type { Sessions } from '../control/sessions.ts';
import { type AdminReply, replyToAdminError, toAdminError, toJson } from './admin-replies.ts';
import { answerControlRoom } from './control-room-page.ts';
import { furtherRoutes } from './further-routes.ts';
import { type Guard, whyRefused } from './guard.ts';
import { adminRoot, pathOf, showCall } from './show-call.ts';

export interface AdminTarget {
  readonly commandContextOf: (session: string) => CommandContext;
  readonly sessions: Sessions;
  readonly guard: Guard;
  /** Reads the metrics of the server, in the format of Prometheus. */
  readonly metrics: () => Promise<{ readonly text: string; readonly type: string }>;
}

/** Whether a path belongs to the admin API, with or without a session. */
export const isAdminPath = (path: string): boolean => /^(?:\/sessions\/[^/]*)?\/__admin/.test(path);

/** Answers one call of the admin API, or a browser with a file of the control room. It throws only if that file cannot be read. */
export const answerAdmin = async (
  target: AdminTarget,
  call: Call,
  signal?: AbortSignal,
): Promise<AdminReply> => {
  const [, prefixed, rest] = /^(?:\/sessions\/([^/]*))?\/__admin(.*)$/s.exec(call.path) ?? [];
  const session = prefixed ?? call.header('x-mock-session') ?? defaultSession;
  const below = rest || '/';
  const file = await answerControlRoom(below, call, target.guard);
  if (file !== undefined) return file; // GET and HEAD only
  const refusal = whyRefused(call.header, target.guard);
  if (refusal !== undefined) return toAdminError(refusal);
  if (!isSessionName(session))
    return toAdminError({
      status: 400,
      message: `Invalid session name '${truncate(session)}': ${sessionNameRule}.`,
    });
  const isRefused = target.sessions.resume(session) !== undefined;
  const worldOf = (name: string) => target.sessions.inMemory.get(name)?.worldId;
  const before = worldOf(session);
  const expected = call.header(worldHeader);
  // Of a session that was removed, the command itself throws the reason when it opens the session.
  if (expected !== undefined && expected !== before && !isRefused)
    return toOtherWorldReply(session, expected, before);
  const { createdSession, ...reply } = await respondToAdmin(target, session, below, call, signal).catch(
    replyToAdminError,
  );
  const world = worldOf(createdSession ?? session);
  const isNew = createdSession !== undefined || world !== before;
  return { ...reply, headers: { ...reply.headers, ...toWorldHeaders(world, isNew) } };
};

/** Refuses a call for another world: one that arrives after its session was deleted would begin the session again. */
const toOtherWorldReply = (session: string, expected: string, world: string | undefined): AdminReply =>
  toAdminError({
    status: 412,
    message: `The session "${session}" does not have the world ${truncate(expected)}, which the header ${worldHeader} names: it has ${world === undefined ? 'none' : `the world ${world}`}. Nothing was done.`,
    headers: toWorldHeaders(world, false),
  });

/** No headers if the session has no world: some calls, such as the list of sessions, do not create a world. */
const toWorldHeaders = (world: string | undefined, isNew: boolean): Record<string, string> =>
  world === undefined ? {} : { [worldHeader]: world, ...(isNew && { [newWorldHeader]: 'yes' }) };

const commandsByPath: ReadonlyMap<string, NamedCommand> = new Map(
  allCommands.map((command) => [pathOf(command), command]),
);

const respondToAdmin = async (
  target: AdminTarget,
  session: string,
  below: string,
  call: Call,
  signal: AbortSignal | undefined,
): Promise<AdminReply> => {
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  const context = target.commandContextOf(session);
  const path = adminRoot + below;
  const route = ownValue(furtherRoutes, below);
  if (route !== undefined) {
    if (method !== route.method) return toMethodReply(path, call.method, [route.method]);
    const schema = route.query;
    const query = checkInput({ name: `${method} ${path}`, schema }, readQuery(call.query, schema()));
    return route.answer({ target, session, context, query, call });
  }
  const command =
    commandsByPath.get(below) ?? context.ownCommands().find((ownCommand) => pathOf(ownCommand) === below);
  if (command === undefined) {
    const paths = [...commandsByPath.keys(), ...Object.keys(furtherRoutes)];
    const hint = didYouMean(findSynonym(below, paths) ?? below, paths, `${adminRoot}…`);
    throw new ControlError(404, `Unknown path ${truncate(path)}.${hint} All paths: GET ${adminRoot}/`);
  }
  const hint = ` An example: ${showCall(command)}`;
  const methods = command.isChange ? ['POST'] : ['GET', 'POST'];
  if (!methods.includes(method)) return toMethodReply(path, call.method, methods, hint);
  if (method === 'POST' && call.query !== '')
    throw new Error(`A POST to ${path} does not take a query, only a JSON body.${hint}`);
  const values = method === 'GET' ? readQuery(call.query, command.schema()) : readInput(command, call, hint);
  // `connect` sends the arguments by position. Its errors are those of the control in process.
  const isObject = isMapping(values);
  const input = isObject ? values : toInput(command, values);
  const result = await runCommand(command, { ...context, signal }, input, isObject ? hint : '');
  const createdSession = command.name === 'sessions.create' ? String(input.name) : undefined;
  return { ...toJson(result), createdSession };
};

/** Verbs that users take for one another. */
const synonyms = [
  'clear reset refill',
  'delete remove clear empty',
  'create add new',
  'list all get',
  'set update patch change',
];

/** The path with another verb of the same meaning, or with the verb alone, if there is one. */
const findSynonym = (below: string, paths: readonly string[]): string | undefined => {
  const at = below.lastIndexOf('/') + 1;
  const [folder, verb] = [below.slice(0, at), below.slice(at)];
  const groups = synonyms.map((text) => text.split(' ')).filter((verbs) => verbs.includes(verb));
  return [...groups.flat().map((other) => folder + other), `/${verb}`].find((path) => paths.includes(path));
};

const toMethodReply = (path: string, method: string, methods: readonly string[], hint = ''): AdminReply => {
  const allow = methods.join(', ');
  const message = `${path} does not support ${truncate(method)}, only ${allow}.${hint}`;
  return toAdminError({ status: 405, message, headers: { allow } });
};

/** The values of a query. Each value is a text; or the value of the text as JSON, where the schema does not accept a text. */
const readQuery = (text: string, schema: z.ZodType): Mapping => {
  const params = new URLSearchParams(text);
  const query = Object.fromEntries(params);
  if (Object.keys(query).length < params.size)
    throw new Error(`A parameter is given twice in the query "?${truncate(text)}".`);
  const wrong = new Set(schema.safeParse(query).error?.issues.map(({ path }) => path[0]));
  const entries = Object.entries(query).map(([name, value]) => [
    name,
    wrong.has(name) ? (tryParse(value, parseJson) ?? value) : value,
  ]);
  return Object.fromEntries(entries);
};

/** A body is a JSON object with the input, or an array of arguments by position. No body is an empty object. */
const readInput = (command: NamedCommand, call: Call, hint: string): Mapping | readonly unknown[] => {
  const fail = (status: number, reason: string): never => {
    throw new ControlError(status, `Failed to call ${command.name}: ${reason}`);
  };
  try {
    if (bytesOf(call).byteLength === 0) return {};
    if (call.header('content-type') === undefined)
      return fail(415, `the content type is missing: send 'application/json'.${hint}`);
    const body = parseJsonBody(call);
    if (isMapping(body) || Array.isArray(body)) return body;
    return fail(400, `the body must be a JSON object, but it is ${describeJson(body)}.${hint}`);
  } catch (error) {
    if (error instanceof GatewayError) fail(error.refusal.status, error.refusal.message + hint);
    throw error;
  }
};
