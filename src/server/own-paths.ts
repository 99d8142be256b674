// What a server answers beside calls and the admin API. Each listener returns whether it has answered.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Guard } from '../admin/guard.ts';
import { mayOpenPage } from '../admin/page.ts';
import { probeOf } from '../transports/base-url.ts';
import { splitTarget, toCall } from '../transports/node-http.ts';
import { sendWhole } from '../transports/node-replies.ts';

const isRead = ({ method = '' }: IncomingMessage): boolean => ['GET', 'HEAD'].includes(method);

/** Answers `/healthz` and `/readyz`, for any host and without a token. */
export const answerProbe = (request: IncomingMessage, response: ServerResponse): boolean => {
  const { url = '', method } = request;
  if (!/^\/[hr][^/]*z/.test(url)) return false; // most calls end here
  if (probeOf(splitTarget(url).path) === undefined || !isRead(request)) return false;
  const headers = { 'cache-control': 'no-store', 'content-type': 'application/json' };
  sendWhole(response, 200, headers, '{"status":"ok"}', method);
  return true;
};

/** Answers `/openapi.json`. Any web page may read it: it contains no records. */
export const answerOpenapi = (
  request: IncomingMessage,
  response: ServerResponse,
  document: string,
): boolean => {
  const { url = '', method } = request;
  if (!url.includes('/openapi.json')) return false; // most calls end here
  if (splitTarget(url).path !== '/openapi.json' || !isRead(request)) return false;
  const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
  sendWhole(response, 200, headers, document, method);
  return true;
};

/** Redirects a browser that opens the root of the server to the page at `/__admin/`, if the page is served to this host. */
export const redirectRoot = (request: IncomingMessage, response: ServerResponse, guard: Guard): boolean => {
  const { url = '/' } = request;
  if (!/^\/(?:\?|$)/.test(url) || !isRead(request)) return false;
  const { header } = toCall(request, '/', '', new Uint8Array());
  if (!header('accept')?.includes('text/html') || !mayOpenPage(header, guard)) return false;
  // Relative, like all links of the page, so that it works behind a proxy that adds a path.
  response.writeHead(302, { location: '__admin/', 'cache-control': 'no-store', vary: 'accept' }).end();
  return true;
};
