import type { IncomingMessage } from 'node:http';
import { createMiddleware } from '@mswjs/http-middleware';
import express, { type ErrorRequestHandler, type RequestHandler as ExpressHandler } from 'express';
import { getResponse, HttpResponse, http, type RequestHandler } from 'msw';
import { toErrorBody } from '../protocol/errors.ts';
import type { NodeListener } from './node-http.ts';

/**
 * An Express app that serves MSW handlers: the user's, then the gateway's. What they cannot be given, because no fetch
 * `Request` can hold it, and what none of them answers, goes the direct way.
 */
export const createApp = (
  own: readonly RequestHandler[],
  gateway: readonly RequestHandler[],
  direct: NodeListener,
): NodeListener => {
  const handlers = own.length === 0 ? gateway : [guard(own), ...gateway];
  const app = express();
  app.disable('x-powered-by');
  // Its types are those of an older Express and of MSW's CommonJS build, which are called the same way.
  app.use(createMiddleware(...(handlers as never[])) as unknown as ExpressHandler);
  app.use((request, response) => direct(request, response));
  app.use(toJsonError);
  return (request, response) => {
    if (!isFetchable(request)) {
      direct(request, response);
      return;
    }
    if (!isPlainUrl(`http://${request.headers.host}`)) request.headers.host = 'localhost'; // no answer depends on it
    app(request, response);
  };
};

/** The middleware makes a `Request` of each call outside of its own error handling: what would throw there stays out. */
const isFetchable = ({ method = '', url = '' }: IncomingMessage): boolean =>
  !['CONNECT', 'TRACE', 'TRACK'].includes(method) && !/^[/\\]{2}/.test(url) && isPlainUrl(url);

const isPlainUrl = (url: string): boolean => {
  if (!URL.canParse(url, 'http://localhost')) return false;
  const { username, password } = new URL(url, 'http://localhost');
  return username === '' && password === '';
};

/** Runs the user's handlers so that none of them can take the server down, as the middleware alone would let it. */
const guard = (handlers: readonly RequestHandler[]): RequestHandler =>
  http.all(/.*/, async ({ request }) => {
    try {
      const { origin } = new URL(request.url);
      const response = await getResponse([...handlers], request, { baseUrl: origin });
      if (response?.type === 'error')
        return refuse(502, 'A handler of your own answered with a network error.');
      return response?.body ? new HttpResponse(endingOnError(response.body), response) : response;
    } catch (error) {
      return refuse(
        500,
        `A handler of your own threw: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  });

const refuse = (status: number, message: string): Response =>
  HttpResponse.json(toErrorBody({ status, message }), { status });

/** A body that fails half way ends there: nobody listens to the error, and it would end the process. */
const endingOnError = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
  const reader = body.getReader();
  return new ReadableStream({
    pull: async (controller) => {
      const { value } = await reader.read().catch(() => ({ value: undefined }));
      if (value === undefined) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
};

const toJsonError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const message = `The call could not be handed to MSW: ${error instanceof Error ? error.message : String(error)}`;
  response.status(500).json(toErrorBody({ status: 500, message }));
};
