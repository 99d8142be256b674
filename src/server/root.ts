import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Guard } from '../admin/guard.ts';
import { mayOpenPage } from '../admin/page.ts';
import { splitTarget, toCall } from '../transports/node-http.ts';

/**
 * Redirects a browser that opens the root of the server to the page at `/__admin/`. Returns false for any other request,
 * and if the page is not served to this host.
 */
export const createRootListener =
  (guard: Guard) =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!/^\/(?:\?|$)/.test(request.url ?? '') || !['GET', 'HEAD'].includes(request.method ?? ''))
      return false;
    const { path, query } = splitTarget(request.url ?? '/');
    const { header } = toCall(request, path, query, new Uint8Array());
    if (!header('accept')?.includes('text/html') || !mayOpenPage(header, guard)) return false;
    // Relative, like all links of the page, so that it works behind a proxy that adds a path.
    response.writeHead(302, { location: '__admin/', 'cache-control': 'no-store', vary: 'accept' }).end();
    return true;
  };
