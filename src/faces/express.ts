import { createMiddleware } from '@mswjs/http-middleware';
import express, {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler as ExpressHandler,
} from 'express';
import type { RequestHandler } from 'msw';
import type { NodeListener } from './node-http.ts';

/**
 * An Express app that serves MSW handlers. What they cannot be given, because no fetch `Request` can hold it, and what
 * none of them answers, goes the direct way.
 */
export const createApp = (handlers: readonly RequestHandler[], direct: NodeListener): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.use(onlyFetchable(direct));
  // Its types are those of an older Express and of MSW's CommonJS build, which are called the same way.
  app.use(createMiddleware(...(handlers as never[])) as unknown as ExpressHandler);
  app.use((request, response) => direct(request, response));
  app.use(toJsonError);
  return app;
};

/** The middleware makes a `Request` of each call outside of its own error handling: what would throw there stays out. */
const onlyFetchable =
  (direct: NodeListener): ExpressHandler =>
  (request, response, next) => {
    const isFetchable =
      !['CONNECT', 'TRACE', 'TRACK'].includes(request.method) &&
      !request.url.startsWith('//') &&
      URL.canParse(request.url, 'http://localhost');
    if (!isFetchable) {
      direct(request, response);
      return;
    }
    if (!URL.canParse(`http://${request.get('host')}`)) request.headers.host = 'localhost'; // no answer depends on it
    next();
  };

/** A handler of the user's that throws is told so, in JSON. */
const toJsonError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const message = `A handler of your own threw: ${error instanceof Error ? error.message : String(error)}`;
  response
    .status(500)
    .json({ success: false, status: 'failure', message, error: { message, type: 'server_error' } });
};
