import type { IncomingMessage, ServerResponse } from 'node:http';
import { type NodeListener, sendWhole, splitTarget, toCall } from '../../core/transports/node-http.ts';
import { catchBugs, catchLateBugs } from '../../core/transports/safety-net.ts';
import { isAdminPath } from '../admin/api.ts';
import { mayOpenPage } from '../admin/control-room-page.ts';
import type { Guard } from '../admin/guard.ts';

interface ListenerParts {
  readonly callListener: NodeListener;
  readonly adminListener: NodeListener;
  /** Returns the OpenAPI document of the gateway, as JSON. */
  readonly document: () => Promise<string>;
  readonly guard: Guard;
  /** Whether `/` is for the user's own handlers. */
  readonly hasHandlers: boolean;
  readonly isStopping: () => boolean;
  /** The last error that a user's own call left behind. */
  readonly lastStrayError?: (() => string | undefined) | undefined;
}

/** The listener of a server: first its own paths, then calls. A bug gets 500. */
export const createServerListener =
  (parts: ListenerParts): NodeListener =>
  (request, response) => {
    if (request.socket.destroyed) return; // one packet may contain a thousand calls
    catchBugs(response, () => {
      if (parts.isStopping()) response.setHeader('connection', 'close');
      // For most calls, this skips the check of the server's own paths.
      if (request.url?.startsWith('/v1/') || !answerServerPath(parts, request, response))
        parts.callListener(request, response);
    });
  };

/** Answers the admin API, health checks, `/openapi.json`, and a browser that opens `/`. Returns false for any other request. */
const answerServerPath = (
  { adminListener, document, guard, hasHandlers, lastStrayError }: ListenerParts,
  request: IncomingMessage,
  response: ServerResponse,
): boolean => {
  const { url = '/', method = '' } = request;
  const { path } = splitTarget(url);
  const send = (body: string, headers: Readonly<Record<string, string>>): void =>
    void sendWhole(response, 200, { 'content-type': 'application/json', ...headers }, body, method);
  if (isAdminPath(path)) adminListener(request, response);
  else if (!['GET', 'HEAD'].includes(method)) return false;
  else if (path === '/healthz' || path === '/readyz')
    send(JSON.stringify({ status: 'ok', lastError: lastStrayError?.() }), { 'cache-control': 'no-store' });
  // Any web page may read it: of the records, it has no more than an id and names of variables.
  else if (path === '/openapi.json')
    catchLateBugs(
      response,
      document().then((text) => send(text, { 'access-control-allow-origin': '*' })),
    );
  else if (path === '/' && !hasHandlers && opensPage(request, guard))
    // Relative, like all links of the control room, so that it works behind a proxy that adds a path.
    response.writeHead(302, { location: '__admin/', 'cache-control': 'no-store', vary: 'accept' }).end();
  else return false;
  return true;
};

/** Whether a browser asks for a page, at a host where it may open the control room. */
const opensPage = (request: IncomingMessage, guard: Guard): boolean => {
  const { header } = toCall(request, '/', '', new Uint8Array());
  return header('accept')?.includes('text/html') === true && mayOpenPage(header, guard);
};
