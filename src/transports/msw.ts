import { HttpHandler, type RequestHandler } from 'msw';
import type { RawCall, Reply } from '../protocol/call.ts';
import { toErrorBody } from '../protocol/errors.ts';
import { fromSession, versionPath } from '../protocol/paths.ts';
import type { Routed } from '../protocol/router.ts';
import type { AnswerCall } from './answer.ts';
import { type Locate, type Located, trimSlashes } from './base-url.ts';
import { deliver, readBody, toCall, toResponse, wait } from './fetch.ts';

/** What the handlers are made of. */
export interface HandlerParts {
  readonly answer: AnswerCall;
  readonly locate: Locate;
  /** Each gets a handler. */
  readonly operations: readonly Routed[];
  /** The base URL of which the gateway answers everything; without it, requests that no operation serves are left to others. */
  readonly baseUrl?: string | undefined;
  /** Called with a request that looks like a call and is left to others. */
  readonly onMiss?: ((call: RawCall) => void) | undefined;
  /**
   * Takes a reply that cannot go out by way of MSW's middleware, because a fault acts on its connection. Without it,
   * the middleware's client gets a 502 that says so.
   */
  readonly takeOver?: ((reply: Reply) => void) | undefined;
}

type ParseArguments = Parameters<HttpHandler['parse']>[0];

/**
 * A handler as MSW lists it, by method and path, that decides by itself which requests it answers: MSW's path patterns
 * ignore letter case and a trailing slash, and throw on a broken percent-encoding.
 */
class GatewayHandler extends HttpHandler {
  readonly #takes: (args: ParseArguments) => boolean;

  constructor(
    method: string,
    path: string,
    takes: (args: ParseArguments) => boolean,
    respond: (request: Request) => Promise<Response | undefined>,
  ) {
    super(method, path, ({ request }) => respond(request));
    this.#takes = takes;
  }

  override async parse(args: ParseArguments): ReturnType<HttpHandler['parse']> {
    return { match: { matches: this.#takes(args), params: {} }, cookies: {} };
  }

  override async predicate({ parsedResult }: Parameters<HttpHandler['predicate']>[0]): Promise<boolean> {
    return parsedResult.match.matches;
  }
}

/** The handlers: one for each operation, and one for everything else below the base URL, where there is one. */
export const createHandlers = ({
  answer,
  locate,
  operations,
  baseUrl,
  onMiss,
  takeOver,
}: HandlerParts): RequestHandler[] => {
  /** What the first handler that was asked found out about a request; null where it is for others. */
  const known = new WeakMap<Request, Call | null>();

  const find = ({ request, resolutionContext }: ParseArguments): Call | null => {
    const found = known.get(request);
    if (found !== undefined) return found;
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined; // that of a CONNECT is a host and its port
    const located = url && locate(url, request.method);
    if (url !== undefined && located === undefined) reportMiss(request, url);
    // A request that MSW's middleware made of one over HTTP names the server's origin; one in process names none.
    const call = located && url && { ...located, url, isOverHttp: resolutionContext?.baseUrl !== undefined };
    known.set(request, call ?? null);
    return call ?? null;
  };

  const reportMiss = (request: Request, { pathname, search }: URL): void => {
    const at = pathname.indexOf(`${versionPath}/`);
    if (at !== -1) onMiss?.(toCall(request, fromSession(pathname, at), search, new Uint8Array()));
  };

  const respond = async (request: Request): Promise<Response | undefined> => {
    const call = known.get(request);
    if (!call) return undefined;
    const reply = answer(toCall(request, call.path, call.url.search, await readBody(request)));
    const { delivery } = reply;
    if (delivery === undefined) return toResponse(reply, request.method);
    if (!call.isOverHttp) return deliver(reply, delivery, request);
    if (takeOver !== undefined) {
      takeOver(reply);
      return undefined;
    }
    await wait(delivery.delay ?? 0, request);
    delivery.onEnd?.();
    return toResponse(delivery.breaks === undefined ? reply : refuseBreak(reply), request.method);
  };

  const base = baseUrl === undefined ? `*${versionPath}` : trimSlashes(baseUrl);
  const handlers = operations.map(
    ({ id, method, path }) =>
      new GatewayHandler(method, base + toPattern(path), (args) => find(args)?.operation === id, respond),
  );
  if (baseUrl === undefined) return handlers;
  const isRest = (args: ParseArguments): boolean => {
    const call = find(args);
    return call !== null && call.operation === undefined;
  };
  return [...handlers, new GatewayHandler('ALL', `${base}/*`, isRest, respond)];
};

interface Call extends Located {
  readonly url: URL;
  readonly isOverHttp: boolean;
}

/** A path of the contract as MSW writes it: `/threads/:thread_id/runs`. */
const toPattern = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Where there is no connection to break, a client is told what would have happened. */
const refuseBreak = ({ headers }: Reply): Reply => {
  const message = `The fault "${headers['x-mock-fault']}" acts on the connection, which MSW's middleware does not reach. Use startServer() or gateway.middleware() for it.`;
  const body = JSON.stringify(toErrorBody({ status: 502, message }));
  return { status: 502, headers: { ...headers, 'content-type': 'application/json' }, body };
};
