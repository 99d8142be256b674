import { controlArguments } from '../control/arguments.ts';
import type { Control } from '../control/control.ts';
import type { RecordControl, RecordsControl } from '../control/records.ts';
import { LostWorldError, WorldGuard } from '../control/world-guard.ts';
import { maxTimeout } from '../journal/max-timeout.ts';
import { checkArguments } from '../protocol/arguments.ts';
import { defaultSession, isSessionName, sessionNameRule } from '../protocol/session-name.ts';
import { worldHeader } from '../protocol/world-headers.ts';
import { type Mistake, ScenarioError } from '../scenario/scenario-error.ts';
import { parseJson, toJsonText } from '../util/json.ts';
import { messageOf } from '../util/message-of.ts';
import { checkOptions } from '../util/options.ts';
import { tryParse } from '../util/try-parse.ts';
import type { Resource } from '../world/kind.ts';
import { adminMark, type CallId, maxRecords, readCall } from './calls.ts';
import { toQueryText } from './query.ts';
import type { Routes } from './routes.ts';

/** How a server is reached. */
export interface ConnectOptions {
  /** The session that is steered. Default: the default one. */
  readonly session?: string | undefined;
  /** What the server asks for, where it was started with `--admin-token`. */
  readonly token?: string | undefined;
}

/**
 * The control of a server's world, over HTTP: the same as the one in process. It stays with the world that answers its
 * first call: once another one answers, or the session was removed, each call throws, unless this control has called
 * `sessions.create` or `sessions.delete` for its own session.
 *
 * @param url the server's, with or without `/v1` or `/__admin`: `http://127.0.0.1:4010`
 * @throws Error where there is no such option; from each of its methods, with what the server says, or where it cannot be reached, or its world is lost
 * @example
 * const control = connect('http://127.0.0.1:4010', { session: 'checkout-test' });
 * await control.faults.add('listRuns#3: reset');
 */
export const connect = (url: string, options: ConnectOptions = {}): Control => {
  checkOptions(options, { session: 'text', token: 'text' });
  const { session, base } = locate(url, options.session);
  return createRemote(base, session, options.token, new WorldGuard(session));
};

/** The same, for a session and the URL of its admin API, with a guard that outlives it. */
export const createRemote = (
  base: string,
  session: string,
  token: string | undefined,
  guard: WorldGuard,
): Control => {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };

  const send = async <Id extends CallId>(
    id: Id,
    params: Readonly<Record<string, string>> = {},
    input?: object,
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<Routes[Id]['run']>>> => {
    const { method, path } = readCall(id);
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const query = method === 'GET' ? toQueryText(input ?? {}) : '';
    const hasBody = method !== 'GET' && input !== undefined;
    const target = `${base}${filled}${query === '' ? '' : `?${query}`}`;
    const isRemake = (id === 'sessions.create' || id === 'sessions.delete') && params.name === session;
    const checkWorld = guard.watch(isRemake);
    const [response, text] = await fetch(target, {
      method,
      headers: hasBody ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(hasBody && { body: toJsonText(input) }),
      signal: AbortSignal.any([AbortSignal.timeout(maxTimeout + 10_000), ...(signal ? [signal] : [])]),
    })
      .then(async (reply) => [reply, await reply.text()] as const)
      .catch((error: unknown) => {
        checkWorld(undefined, false);
        if (signal?.aborted) throw signal.reason; // as the control in process does
        throw new Error(`Failed to reach ${target}: ${reasonOf(error)}. Is the server running?`, {
          cause: error,
        });
      });
    // The reply to the making of another session names the world of that one.
    const isOther = id === 'sessions.create' && !isRemake && response.ok;
    checkWorld((isOther ? null : response.headers.get(worldHeader)) ?? undefined, response.ok);
    if (response.status === 431)
      throw new Error(
        `Failed to steer ${base}: what was named is too long for a URL, of ${target.length} characters (431).`,
      );
    if (!response.headers.has(adminMark))
      throw new Error(`Failed to steer ${target}: it answered ${response.status}. Is a gateway-mock there?`);
    const type = response.headers.get('content-type') ?? 'nothing';
    if (text !== '' && !type.startsWith('application/json'))
      throw new Error(`Failed to steer ${target}: it answered ${response.status} with ${type}, not JSON.`);
    if (!response.ok) throw toError(target, response.status, text);
    // The server ran the very method that this route names.
    return (text === '' ? undefined : parseJson(text)) as Awaited<ReturnType<Routes[Id]['run']>>;
  };

  const kind = <Name extends keyof RecordsControl>(name: Name): RecordsControl[Name] => {
    const one = (id: string) => ({ kind: name, id });
    const records: RecordControl<Resource> = {
      create: (values) => send('records.create', { kind: name }, values),
      update: (id, values) => send('records.update', one(id), values),
      delete: (id) => send('records.delete', one(id)),
      get: (id) => send('records.get', one(id)),
      list: async (query = {}) => {
        const listed: Resource[] = [];
        for (;;) {
          const limit = Math.min(maxRecords, (query.limit ?? Number.POSITIVE_INFINITY) - listed.length);
          const after = listed.at(-1)?.id ?? query.after;
          const page = await send('records.list', { kind: name }, { ...query, limit, after });
          listed.push(...page);
          if (page.length < maxRecords) return listed; // that was all, or as many as were asked for
        }
      },
    };
    return records as unknown as RecordsControl[Name]; // the server answers with records of this kind
  };

  const control: Control = {
    scenario: {
      current: () => send('scenario.current'),
      load: (scenario) => send('scenario.load', {}, { scenario }),
      list: () => send('scenario.list'),
    },
    clock: {
      now: () => send('clock.now'),
      set: (now) => send('clock.set', {}, { now }),
      advance: (duration) => send('clock.advance', {}, { duration }),
      run: (speed) => send('clock.run', {}, speed === undefined ? {} : { speed }),
      freeze: () => send('clock.freeze'),
      next: () => send('clock.next'),
      upcoming: () => send('clock.upcoming'),
      timeline: (options) => send('clock.timeline', {}, options),
    },
    records: {
      threads: kind('threads'),
      runs: kind('runs'),
      batches: kind('batches'),
      jobs: kind('jobs'),
      checkpoints: kind('checkpoints'),
      policies: kind('policies'),
      prompts: {
        ...kind('prompts'),
        render: (id, variables) =>
          send('records.prompts.render', { id }, variables === undefined ? {} : { variables }),
      },
    },
    faults: {
      add: (...faults) => send('faults.add', {}, { faults }),
      list: (options) => send('faults.list', {}, options),
      remove: (id) => send('faults.remove', { id }),
      clear: () => send('faults.clear'),
    },
    quotas: {
      isEnforced: () => send('quotas.isEnforced'),
      enforce: () => send('quotas.enforce'),
      lift: () => send('quotas.lift'),
      list: () => send('quotas.list'),
      refill: () => send('quotas.refill'),
    },
    requests: {
      list: (filter, options) => send('requests.list', {}, { ...filter, ...options }),
      get: (id) => send('requests.get', { id }),
      count: (filter) => send('requests.count', {}, filter),
      clear: () => send('requests.clear'),
      wait: (filter, { signal, ...options } = {}) =>
        send('requests.wait', {}, { ...filter, ...options }, signal),
      walk: (operation, options) => send('requests.walk', {}, { operation, ...options }),
    },
    state: {
      save: (name = 'saved') => send('state.save', { name }),
      restore: (name = 'saved') => send('state.restore', { name }),
      export: () => send('state.export'),
      changes: () => send('state.changes'),
      import: (scenario) => send('state.import', {}, scenario),
    },
    sessions: {
      list: () => send('sessions.list'),
      create: (name, from) => send('sessions.create', { name }, from),
      delete: (name) => send('sessions.delete', { name }),
    },
    assumptions: { list: () => send('assumptions.list') },
    reset: () => send('reset'),
  };
  return checkArguments(control, controlArguments);
};

const locate = (url: string, session: string | undefined): { session: string; base: string } => {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new Error(`Failed to connect to "${url}": it is no URL, such as http://127.0.0.1:4010.`);
  const root = url.replace(/\/+$/, '').replace(/\/(?:v1|__admin)$/, '');
  const [, server = root, prefixed] = /^(.*)\/sessions\/([^/]+)$/.exec(root) ?? [];
  const name = session ?? prefixed;
  if (name === undefined) return { session: defaultSession, base: `${root}/__admin` };
  if (!isSessionName(name)) throw new Error(`Failed to open the session "${name}": ${sessionNameRule}.`);
  if (prefixed !== undefined && prefixed !== name)
    throw new Error(`Failed to connect to "${url}": it is of the session "${prefixed}", not "${name}".`);
  return { session: name, base: `${server}/sessions/${name}/__admin` };
};

const reasonOf = (error: unknown): string => {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  return messageOf(cause);
};

/** What the server says of a mistake, as the control in process throws it. */
const toError = (target: string, status: number, text: string): Error => {
  const body = tryParse(text);
  const message: unknown = Object(Object(body).error).message;
  if (typeof message !== 'string')
    return new Error(`Failed to steer ${target}: it answered ${status}. Is a gateway-mock there?`);
  const mistakes: unknown = Object(body).mistakes;
  if (status === 410) return new LostWorldError(message, { isRemoved: true });
  if (!Array.isArray(mistakes)) return new Error(message);
  return Object.assign(new ScenarioError('', mistakes as Mistake[]), { message }); // the server's own list
};
