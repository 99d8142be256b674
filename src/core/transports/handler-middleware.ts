import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { createMiddleware } from '@mswjs/http-middleware';
import type { RequestHandler as ExpressHandler } from 'express';
import * as msw from 'msw';

type Handlers = readonly msw.RequestHandler[];

/**
 * Serves MSW handlers in Express. MSW 3 has no `handleRequest`, which the middleware needs. Requests that no handler answers go to the next
 * middleware.
 */
export const createHandlerMiddleware = (handlers: Handlers): ExpressHandler =>
  'handleRequest' in msw ? byHttpMiddleware(handlers) : byGetResponse(handlers);

/** @param library the installed MSW. @throws Error under MSW 3 */
export const checkHttpMiddleware = (library: object = msw): void => {
  if (!('handleRequest' in library))
    throw new Error(
      'Failed to start the server: the transport "msw" needs MSW 2, since @mswjs/http-middleware does not work with MSW 3. Install it: npm install --save-dev msw@2. Or leave the transport out: "direct" sends the same bytes.',
    );
};

export const byHttpMiddleware = (handlers: Handlers): ExpressHandler =>
  // Its types are those of an older Express and of MSW's CommonJS build, which have the same methods.
  createMiddleware(...(handlers as never[])) as unknown as ExpressHandler;

/** Makes a middleware of handlers with `getResponse`, which MSW 2 and 3 have. */
export const byGetResponse =
  (handlers: Handlers): ExpressHandler =>
  async (request, response, next) => {
    const origin = `${request.protocol}://${request.get('host')}`;
    const isBodiless = request.method === 'GET' || request.method === 'HEAD';
    const fetchRequest = new Request(new URL(request.url, origin), {
      method: request.method,
      headers: new Headers(request.headers as Record<string, string>), // repeated headers are joined, as they should be
      ...(!isBodiless && ({ body: Readable.toWeb(request), duplex: 'half' } as object)), // not in TypeScript's DOM library
    });
    const reply = await msw.getResponse([...handlers], fetchRequest, { baseUrl: origin });
    if (reply === undefined || reply.headers.get('x-msw-intention') === 'passthrough') {
      next();
      return;
    }
    response.statusCode = reply.status;
    response.statusMessage = reply.statusText;
    reply.headers.forEach((value, name) => {
      response.appendHeader(name, value); // there may be several `set-cookie` headers
    });
    // Browsers and Node have separate types for web streams.
    if (reply.body) Readable.fromWeb(reply.body as unknown as NodeStream).pipe(response);
    else response.end();
  };
