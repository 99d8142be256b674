import { ControlError, droppedCode } from '../../core/protocol/errors.ts';
import { defaultSession, isSessionName, sessionNameRule } from '../../core/protocol/session-name.ts';
import { adminMark, worldHeader } from '../../core/protocol/world-headers.ts';
import { ScenarioError } from '../../core/scenario/scenario-error.ts';
import { blameCaller } from '../../core/util/caller.ts';
import { parseJson } from '../../core/util/json.ts';
import { ownValue } from '../../core/util/mapping.ts';
import { messageOf } from '../../core/util/message-of.ts';
import { unknownOption, wrongOption } from '../../core/util/parse-options.ts';
import { readStopwatch } from '../../core/util/stopwatch.ts';
import { tryParse } from '../../core/util/try-parse.ts';
import type { ValidationError } from '../../core/util/validation-error.ts';
import { wait } from '../../core/util/wait.ts';
import { isSignal, toArguments } from '../control/arguments.ts';
import type { Control } from '../control/control-interface.ts';
import { followEvents, type ServerEvent } from './event-stream.ts';
import { findFetch } from './find-fetch.ts';

/** Options of `connect`. */
export interface ConnectOptions {
  /** The session to control. Default: the default session. */
  readonly session?: string | undefined;
  /** The admin token, if the server was started with a token; or a function that returns it, called before each call. */
  readonly token?: string | (() => string | undefined) | undefined;
  /** Aborts all open calls and event streams, and all later ones. */
  readonly signal?: AbortSignal | undefined;
}

/** The control of a server, with the members that only a control over HTTP has. */
export interface RemoteControl extends Control {
  /** The id of the world that it belongs to. Undefined until its first call is answered. */
  readonly world: string | undefined;
  /**
   * The same control, of the same world, until the signal aborts: then its open calls end, here and on the server.
   *
   * @example
   * const soon = control.withSignal(AbortSignal.timeout(1000));
   * const found = await soon.records.runs.list({ search: 'abc' });
   */
  readonly withSignal: (signal: AbortSignal) => RemoteControl;
  /**
   * Yields the events of the session: first `open`, then each request and change from then on, also after the session was deleted
   * or has another world. It ends when the server closes.
   *
   * @throws Error if the server cannot be reached, requires another token, or is silent for 40 seconds
   * @example
   * for await (const event of control.events()) if (event.type === 'request') console.log(event.request.path);
   */
  readonly events: () => AsyncGenerator<ServerEvent, void>;
  /**
   * Requests a path of the admin API that is not a command, such as `state/file`, with the token, for this control's world.
   *
   * @example
   * const yaml = await (await control.fetch('state/file?format=yaml')).text();
   */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

/** Thrown if the world of a control is lost: its session has another world or none, or was removed because there were too many sessions. */
export class LostWorldError extends Error {
  override readonly name = 'LostWorldError';
}

/**
 * Connects to a server. Returns the same control as in process. It belongs to the world that answers its first call: if
 * another world answers later, or the session was removed, every method throws, unless this control itself called
 * `sessions.create` or `sessions.delete` for its session. While a server restarts (503 with `retry-after`), calls are
 * repeated for up to 30 seconds.
 *
 * @param url the address of the server, with or without `/v1` or `/__admin`: `http://127.0.0.1:4010`
 * @throws Error on unknown options. Every method throws what the same method in process throws, and if the server cannot be
 * reached or its world is lost
 * @example
 * const control = connect('http://127.0.0.1:4010', { session: 'checkout-test' });
 * await control.faults.add('listRuns#3: reset');
 */
export const connect = (url: string, options: ConnectOptions = {}): RemoteControl => {
  for (const [name, value] of Object.entries(options)) {
    // Checked without zod, which would be most of this client.
    const option = ownValue(optionTypes, name);
    if (option === undefined) throw unknownOption(name, Object.keys(optionTypes));
    if (value !== undefined && !option.test(value)) throw wrongOption(name, option.type, value);
  }
  const { session, base } = locate(url, options.session);
  const { token } = options;
  const readToken = typeof token === 'function' ? token : () => token;
  return createRemote({ base, session, readToken, link: { first: {} }, stop: options.signal });
};

const optionTypes: Readonly<
  Record<string, { readonly type: string; readonly test: (value: unknown) => boolean }>
> = {
  session: { type: 'a string', test: (value) => typeof value === 'string' },
  token: { type: 'a string or a function', test: (value) => ['string', 'function'].includes(typeof value) },
  signal: { type: 'an AbortSignal', test: isSignal },
};

/** The groups of the control, and the method `reset`, which is in no group. */
const parts = 'assumptions clock faults quotas records requests reset scenario sessions state'.split(' ');

const createRemote = (connection: Connection): RemoteControl => {
  const { base, link, stop } = connection;
  const remote: Omit<RemoteControl, keyof Control> = {
    get world() {
      return link.first?.world;
    },
    withSignal: (signal) => {
      const both = stop === undefined ? signal : AbortSignal.any([stop, signal]);
      return createRemote({ ...connection, stop: both });
    },
    events: () => followEvents(`${base}/events`, toHeaders(connection), stop),
    fetch: (path, init) =>
      findFetch(base)(`${base}/${path}`, {
        ...(stop && { signal: stop }),
        ...init,
        headers: {
          ...toHeaders(connection, link.first?.world),
          ...Object.fromEntries(new Headers(init?.headers)),
        },
      }),
  };

  /** A group or a method: the server knows which exist. */
  const at = (path: string): unknown =>
    new Proxy(() => {}, {
      get: (target, key) => {
        // Code that prints or compares a value calls methods that it seems to have, such as `toString` or `hasAttribute`.
        if (typeof key === 'symbol' || key === 'then' || key === 'toJSON' || key in target)
          return Reflect.get(target, key);
        return at(`${path}.${key}`);
      },
      // `afterEach(control.reset)` passes arguments that are not JSON.
      apply: blameCaller((_: unknown, _this: unknown, args: unknown[]) =>
        call(connection, path, path === 'reset' ? [] : args),
      ),
    });
  const control: unknown = Object.fromEntries(parts.map((part) => [part, at(part)]));
  return Object.assign(remote, control as Control); // the server has its methods
};

/** The state that the controls of a session share. */
interface Connection {
  /** The URL of the admin API of the session. */
  readonly base: string;
  readonly session: string;
  /** Called before each request. */
  readonly readToken: () => string | undefined;
  /** The world that answered first, to which the controls belong; `{}` until then. Undefined while one of them creates or deletes the session. */
  readonly link: { first: { world?: string | undefined } | undefined };
  /** Aborts all open calls. */
  readonly stop?: AbortSignal | undefined;
}

/** How long a call is repeated while the server restarts, in milliseconds. */
const maxRepeating = 30_000;

/** Calls a method of the control. @param until the time until which the call is repeated if the server restarts */
const call = async (
  connection: Connection,
  name: string,
  args: readonly unknown[],
  until = readStopwatch() + maxRepeating,
): Promise<unknown> => {
  const { base, session, link, stop } = connection;
  const { json, signal } = toArguments(name, args);
  const ended = AbortSignal.any([signal, stop].filter((signal) => signal !== undefined));
  const isOfThisSession = (name === 'sessions.create' || name === 'sessions.delete') && args[0] === session;
  const { first } = link; // calls may overlap: a reply is compared with the world that had answered when its call was sent
  if (isOfThisSession) link.first = undefined;
  const url = `${base}/${name.replaceAll('.', '/')}`;
  const headers = {
    'content-type': 'application/json',
    ...toHeaders(connection, isOfThisSession ? undefined : first?.world),
  };
  const { reply, body } = await send(url, { headers, body: json, signal: ended }).catch((error: unknown) => {
    if (isOfThisSession) link.first = first ?? {};
    throw signal?.aborted ? signal.reason : error; // as in process, closed controls throw
  });
  // The reply to the creation of another session names the world of the new session.
  const isOther = name === 'sessions.create' && !isOfThisSession && reply.ok;
  const world = (isOther ? null : reply.headers.get(worldHeader)) ?? undefined;
  const isMarked = reply.headers.has(adminMark);
  const isRefused = reply.status === 412 && isMarked;
  if (isOfThisSession) link.first = reply.ok ? { world } : (first ?? {});
  else if (first !== undefined && first === link.first) {
    first.world ??= world;
    if (isRefused || (world ?? first.world) !== first.world)
      throw new LostWorldError(describeLoss(session, first.world, world));
  } else if (isRefused) return call(connection, name, args, until); // this control itself created the session again
  const pause = reply.status === 503 ? Number(reply.headers.get('retry-after')) * 1000 : 0;
  if (pause > 0 && readStopwatch() + pause <= until) {
    await wait(pause, { signal: ended }); // the server did nothing
    return call(connection, name, args, until);
  }
  const found = `Failed to call ${name}: ${url} answered ${reply.status}`;
  if (!isMarked) throw new Error(`${found}. Is it ${pause > 0 ? 'still restarting' : 'a gateway-mock'}?`);
  if (!reply.ok) throw toError(`${found}.`, reply.status, body);
  if (body === undefined) throw new Error(`${found} without JSON.`);
  return body ?? undefined;
};

/** The headers for the token and, unless undefined, the world. */
const toHeaders = ({ readToken }: Connection, world?: string): Record<string, string> => {
  const token = readToken();
  return {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(world !== undefined && { [worldHeader]: world }),
  };
};

/** Sends a call. The body of its reply is undefined if it is not JSON. @throws Error if the server cannot be reached */
const send = async (url: string, request: RequestInit) => {
  const performFetch = findFetch(url);
  try {
    const reply = await performFetch(url, { method: 'POST', ...request });
    return { reply, body: tryParse(await reply.text(), parseJson) };
  } catch (error) {
    const reason = messageOf(Object(error).cause ?? error);
    const advice = /wrong version number|packet length too long/.test(reason)
      ? 'the server speaks HTTP. Write http:// instead of https://.'
      : `${reason}. Is the server running, and does no test mock fetch?`;
    throw new Error(`Failed to reach ${url}: ${advice}`, { cause: error });
  }
};

const describeLoss = (session: string, world: string | undefined, found = 'none'): string =>
  `The world of the session "${session}" is lost, with its records, faults, clock and journal: this control started with the world ${world}, but ${found} answers now. The server was restarted, or it reloaded its files, or the session was deleted or recreated, perhaps by another test, or another server answers. To start again, connect again, or call sessions.create("${session}").`;

/** The session to control, and the URL of its admin API. The option wins over a session in the URL. */
const locate = (url: string, session: string | undefined): { session: string; base: string } => {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new Error(`Failed to connect to "${url}": it is not a URL such as http://127.0.0.1:4010.`);
  const root = url.replace(/\/+$/, '').replace(/\/(?:v1|__admin)$/, '');
  const [, server = root, prefixed] = /^(.*)\/sessions\/([^/]+)$/.exec(root) ?? [];
  const name = session ?? prefixed;
  if (name === undefined) return { session: defaultSession, base: `${root}/__admin` };
  if (!isSessionName(name)) throw new Error(`Failed to open the session "${name}": ${sessionNameRule}.`);
  return { session: name, base: `${server}/sessions/${name}/__admin` };
};

/** The error that the server reports, as the control in process would throw it. */
const toError = (otherwise: string, status: number, body: unknown): Error => {
  const { error, errors } = Object(body);
  const { message, code } = Object(error);
  if (typeof message !== 'string') return new Error(otherwise);
  if (status === 410 && code !== droppedCode) return new LostWorldError(message);
  if (Array.isArray(errors))
    return Object.assign(new ScenarioError('', errors as ValidationError[]), { message }); // the server lists them
  return status === 400 ? new Error(message) : new ControlError(status, message, code ?? undefined);
};
