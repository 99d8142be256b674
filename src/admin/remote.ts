import { shapes } from 'virtual:commands';
import type { Control } from '../control/control.ts';
import { type CommandShape, type Input, toInput } from '../control/input.ts';
import { makeControl } from '../control/make-control.ts';
import { isRemakeOf, LostWorldError, WorldGuard } from '../control/world-guard.ts';
import { droppedCode } from '../journal/dropped-requests.ts';
import { maxTimeout } from '../journal/max-timeout.ts';
import { ControlError } from '../protocol/errors.ts';
import { fillPath } from '../protocol/paths.ts';
import { defaultSession, isSessionName, sessionNameRule } from '../protocol/session-name.ts';
import { adminMark, worldHeader } from '../protocol/world-headers.ts';
import { ScenarioError, type ScenarioMistake } from '../scenario/scenario-error.ts';
import { parseJson, toJsonText } from '../util/json.ts';
import { messageOf } from '../util/message-of.ts';
import { checkOptions } from '../util/options.ts';
import { tryParse } from '../util/try-parse.ts';
import { wait } from '../util/wait.ts';

/** Options of `connect`. */
export interface ConnectOptions {
  /** The session to control. Default: the default session. */
  readonly session?: string | undefined;
  /** The admin token, if the server was started with one. */
  readonly token?: string | undefined;
}

/**
 * Connects to a server. Returns the same control as in process. It belongs to the world that answers its first call: if
 * another world answers later, or the session was removed, every method throws, unless this control itself called
 * `sessions.create` or `sessions.delete` for its session.
 *
 * @param url the address of the server, with or without `/v1` or `/__admin`: `http://127.0.0.1:4010`
 * @throws Error on unknown options. Every method throws what the same method in process throws, and if the server cannot be
 * reached or its world is lost
 * @example
 * const control = connect('http://127.0.0.1:4010', { session: 'checkout-test' });
 * await control.faults.add('listRuns#3: reset');
 */
export const connect = (url: string, options: ConnectOptions = {}): Control => {
  checkOptions(options, { session: 'text', token: 'text' });
  const { session, base } = locate(url, options.session);
  return createRemote(base, session, () => options.token, new WorldGuard(session));
};

const neverAborted = new AbortController().signal;

/** How often a call is repeated while its session moves from another server. One that has died is noticed after ten seconds. */
const maxRepeats = 15;

/**
 * The same for a session, by the URL of its admin API, with a guard that outlives the control.
 *
 * @param readToken called before each request
 * @param stop aborts all open calls
 */
export const createRemote = (
  base: string,
  session: string,
  readToken: () => string | undefined,
  guard: WorldGuard,
  stop?: AbortSignal,
): Control => {
  const send = async (shape: CommandShape, input: Input, repeats = maxRepeats): Promise<unknown> => {
    const { name, method, path } = shape;
    const { params, values, signal } = input;
    const isGet = method === 'GET';
    const json = Object.keys(values).length === 0 ? '' : toJsonText(values);
    const target = `${base}${fillPath(path, params)}${isGet && json !== '' ? `?json=${encodeURIComponent(json)}` : ''}`;
    const isRemake = isRemakeOf(session, name, params.name);
    const checkWorld = guard.watch(isRemake);
    const token = readToken();
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(guard.world !== undefined && { [worldHeader]: guard.world }),
    };
    const signals = [AbortSignal.timeout(maxTimeout + 10_000), signal, stop];
    const [response, text] = await fetch(target, {
      method,
      headers: isGet ? headers : { ...headers, 'content-type': 'application/json' },
      ...(!isGet && { body: json || '{}' }),
      signal: AbortSignal.any(signals.filter((one) => one !== undefined)),
    })
      .then(async (reply) => [reply, await reply.text()] as const)
      .catch((error: unknown) => {
        checkWorld(undefined, false);
        if (signal?.aborted) throw signal.reason; // as the control in process does
        throw new Error(`Failed to reach ${target}: ${reasonOf(error)}. Is the server running?`, {
          cause: error,
        });
      });
    // The reply to the creation of another session names the world of that one.
    const isOther = name === 'sessions.create' && !isRemake && response.ok;
    const isRefused = response.status === 412 && response.headers.has(adminMark);
    const world = (isOther ? null : response.headers.get(worldHeader)) ?? (isRefused ? 'none' : undefined);
    checkWorld(world, response.ok);
    if (isRefused) return send(shape, input, repeats - 1); // this control has begun a new world meanwhile
    if (repeats > 0 && isMoving(response)) {
      await wait(Number(response.headers.get('retry-after')) * 1000, { signal: signal ?? neverAborted });
      signal?.throwIfAborted();
      return send(shape, input, repeats - 1);
    }
    if (response.status === 431)
      throw new Error(
        `Failed to call ${name}: the URL is too long for the server, with ${target.length} characters (431).`,
      );
    const found = `${target} answered ${response.status}`;
    if (!response.headers.has(adminMark))
      throw new Error(`Failed to call ${name}: ${found}. Is it a gateway-mock?`);
    const type = response.headers.get('content-type') ?? 'no content type';
    if (text !== '' && !type.startsWith('application/json'))
      throw new Error(`Failed to call ${name}: ${found} with ${type} instead of JSON.`);
    if (!response.ok) throw toError(`Failed to call ${name}: ${found}.`, response.status, text);
    return text === '' ? undefined : parseJson(text);
  };

  return makeControl(
    shapes,
    (shape) =>
      async (...args) =>
        send(shape, toInput(shape, args)),
  );
};

/** Whether the session of a call is in another server. Nothing was done, so any call can be repeated. */
const isMoving = ({ status, headers }: Response): boolean =>
  status === 503 && headers.has(adminMark) && headers.get('x-should-retry') === 'true';

const locate = (url: string, session: string | undefined): { session: string; base: string } => {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new Error(`Failed to connect to "${url}": it is not a URL such as http://127.0.0.1:4010.`);
  const root = url.replace(/\/+$/, '').replace(/\/(?:v1|__admin)$/, '');
  const [, server = root, prefixed] = /^(.*)\/sessions\/([^/]+)$/.exec(root) ?? [];
  const name = session ?? prefixed;
  if (name === undefined) return { session: defaultSession, base: `${root}/__admin` };
  if (!isSessionName(name)) throw new Error(`Failed to open the session "${name}": ${sessionNameRule}.`);
  if (prefixed !== undefined && prefixed !== name)
    throw new Error(
      `Failed to connect to "${url}": the URL names the session "${prefixed}", but the option "session" names "${name}".`,
    );
  return { session: name, base: `${server}/sessions/${name}/__admin` };
};

const reasonOf = (error: unknown): string => {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  return messageOf(cause);
};

/** What the server says is wrong, as the control in process throws it. */
const toError = (otherwise: string, status: number, text: string): Error => {
  const body = tryParse(text);
  const message: unknown = Object(Object(body).error).message;
  if (typeof message !== 'string') return new Error(otherwise);
  const mistakes: unknown = Object(body).mistakes;
  if (Object(Object(body).error).code === droppedCode) return new ControlError(status, message, droppedCode);
  if (status === 410) return new LostWorldError(message, { isRemoved: true });
  if (!Array.isArray(mistakes)) return new Error(message);
  return Object.assign(new ScenarioError('', mistakes as ScenarioMistake[]), { message }); // the server's own list
};
