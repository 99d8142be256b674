import * as msw from 'msw';
import { HttpHandler, type RequestHandler } from 'msw';
import type { Call, LateReply, Reply } from '../protocol/call.ts';
import { toErrorReply } from '../protocol/errors.ts';
import { fromSession, versionPath } from '../protocol/paths.ts';
import type { Route } from '../protocol/router.ts';
import { type Locate, type Located, trimSlashes } from './base-url.ts';
import { deliver, readRequestBody, requestToCall, waitForDelay, waitForReply } from './fetch.ts';

export interface HandlerParts {
  /** If it returns undefined, the request is left to other handlers. */
  readonly answer: (call: Call) => Reply | LateReply | undefined;
  readonly locate: Locate;
  readonly operations: readonly Route[];
  /** The base URL below which the gateway answers everything. Without it, requests that match no operation are left to others. */
  readonly baseUrl?: string | undefined;
  /** Called with a request that looks like a call, but is left to other handlers. */
  readonly onMiss?: ((call: Call, request: Request) => void) | undefined;
}

type ParseArguments = Parameters<HttpHandler['parse']>[0];

/**
 * A handler that MSW lists by method and path, but that decides itself which requests it answers: MSW's path patterns
 * ignore letter case and trailing slashes, and throw on invalid percent-encoding.
 */
class GatewayHandler extends HttpHandler {
  readonly #matches: (args: ParseArguments) => boolean;

  constructor(
    method: string,
    path: string,
    matches: (args: ParseArguments) => boolean,
    respond: (request: Request) => Promise<Response | undefined>,
  ) {
    super(method, path, ({ request }) => respond(request));
    this.#matches = matches;
  }

  override async parse(args: ParseArguments): ReturnType<HttpHandler['parse']> {
    return { match: { matches: this.#matches(args), params: {} }, cookies: {} };
  }

  override async predicate({ parsedResult }: Parameters<HttpHandler['predicate']>[0]): Promise<boolean> {
    return parsedResult.match.matches;
  }
}

/**
 * Throws before MSW 3 intercepts requests under an older Node than it needs: there, each request would fail with
 * `Promise.withResolvers is not a function`.
 */
export const checkMsw = (): void => {
  const isMsw3 = !('handleRequest' in msw);
  if (isMsw3 && !('withResolvers' in Promise))
    throw new Error(
      'Failed to start the gateway: MSW 3 needs Node 22.12 or newer. Update Node, or install MSW 2: npm install --save-dev msw@2. gateway.fetch and startServer() need no MSW.',
    );
};

/** Creates the handlers of a gateway in process. @throws Error if MSW cannot intercept requests under this Node */
export const createHandlers = (parts: HandlerParts): RequestHandler[] => {
  checkMsw();
  return toHandlers(parts);
};

/** Creates a handler for each operation; with a base URL, also a handler for everything else below it. */
export const toHandlers = ({
  answer,
  locate,
  operations,
  baseUrl,
  onMiss,
}: HandlerParts): RequestHandler[] => {
  /**
   * The target of each request, found by the first handler that MSW asks; null if the request is left to other handlers. MSW
   * passes the same request to all handlers.
   */
  const targets = new WeakMap<Request, Target | null>();

  const targetOf = ({ request, resolutionContext }: ParseArguments): Target | null => {
    const earlier = targets.get(request);
    if (earlier !== undefined) return earlier;
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined; // the URL of a CONNECT is only a host and port
    const located = url && locate(url, request.method);
    if (url !== undefined && located === undefined) reportMiss(request, url);
    // Requests from MSW's middleware, over HTTP, have a base URL; those in process have none.
    const isOverHttp = resolutionContext?.baseUrl !== undefined;
    const target = located && url ? { ...located, url, isOverHttp } : null;
    targets.set(request, target);
    return target;
  };

  const reportMiss = (request: Request, { pathname, search }: URL): void => {
    const at = pathname.indexOf(`${versionPath}/`);
    if (at === -1) return;
    onMiss?.(requestToCall(request, fromSession(pathname, at), search, new Uint8Array()), request);
  };

  const answerRequest = async (request: Request): Promise<Response | undefined> => {
    const target = targets.get(request);
    if (!target) return undefined;
    const answered = answer(
      requestToCall(request, target.path, target.url.search, await readRequestBody(request)),
    );
    if (answered === undefined) return undefined;
    const reply = await waitForReply(answered, request);
    const sent = target.isOverHttp ? withoutConnection(reply) : reply;
    await waitForDelay(sent, request);
    return deliver(sent, request);
  };

  const base = baseUrl === undefined ? `*${versionPath}` : trimSlashes(baseUrl);
  const handlers = operations.map(
    ({ id, method, path }) =>
      new GatewayHandler(
        method,
        base + toPattern(path),
        (args) => targetOf(args)?.operation === id,
        answerRequest,
      ),
  );
  if (baseUrl === undefined) return handlers;
  const isRest = (args: ParseArguments): boolean => {
    const target = targetOf(args);
    return target !== null && target.operation === undefined;
  };
  return [...handlers, new GatewayHandler('ALL', `${base}/*`, isRest, answerRequest)];
};

/** The target of a request in the gateway, and how the request arrived. */
interface Target extends Located {
  readonly url: URL;
  readonly isOverHttp: boolean;
}

/** Converts a contract path into MSW's notation: `/threads/:thread_id/runs`. */
const toPattern = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** A reply that MSW's middleware can send. It cannot access the connection, so faults that need it become an error reply. */
const withoutConnection = (reply: Reply): Reply => {
  const { headers, delivery } = reply;
  if (delivery === undefined) return reply;
  const failure = toErrorReply({
    status: 502,
    message: `The fault "${headers['x-mock-fault']}" acts on the connection, which MSW's middleware cannot access. Use startServer() or gateway.middleware() instead.`,
    headers,
  });
  const sent =
    delivery.breaks === undefined ? reply : { ...reply, bytes: undefined, stream: undefined, ...failure };
  return { ...sent, delivery: { delay: delivery.delay } };
};
