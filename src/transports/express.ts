import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import { getResponse, HttpResponse, http, type RequestHandler } from 'msw';
import type { Reply } from '../protocol/call.ts';
import { toErrorBody } from '../protocol/errors.ts';
import { messageOf } from '../util/message-of.ts';
import type { AnswerCall } from './answer.ts';
import { everything } from './base-url.ts';
import { createHandlerMiddleware } from './handler-middleware.ts';
import { createHandlers } from './msw.ts';
import { type NodeListener, send } from './node-http.ts';

/**
 * An Express app that serves MSW handlers: the user's, then the gateway's. What they cannot be given, because no fetch
 * `Request` can hold it, and what none of them answers, goes the direct way.
 */
export const createApp = async (
  own: readonly RequestHandler[],
  answer: AnswerCall,
  direct: NodeListener,
): Promise<NodeListener> => {
  /** For the request under way: a reply that the middleware cannot send, because a fault acts on its connection. */
  const taken = new AsyncLocalStorage<{ reply?: Reply }>();
  const takeOver = (reply: Reply): void => {
    const request = taken.getStore();
    if (request !== undefined) request.reply = reply;
  };
  const gateway = createHandlers({ answer, locate: everything, operations: [], baseUrl: '*', takeOver });
  const handlers = own.length === 0 ? gateway : [guard(own), ...gateway];
  const app = express();
  app.disable('x-powered-by');
  app.use(await createHandlerMiddleware(handlers));
  app.use((request, response) => {
    const reply = taken.getStore()?.reply;
    if (reply === undefined) direct(request, response);
    else send(response, reply, request.method);
  });
  app.use(toJsonError);
  return (request, response) => {
    if (!isFetchable(request)) {
      direct(request, response);
      return;
    }
    if (!isPlainUrl(`http://${request.headers.host}`)) request.headers.host = 'localhost'; // no answer depends on it
    taken.run({}, () => app(request, response));
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
        return errorResponse(502, 'A handler of your own answered with a network error.');
      return response?.body ? new HttpResponse(endingOnError(response.body), response) : response;
    } catch (error) {
      return errorResponse(500, `A handler of your own threw: ${messageOf(error)}`);
    }
  });

const errorResponse = (status: number, message: string): Response =>
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
  const message = `The call could not be handed to MSW: ${messageOf(error)}`;
  response.status(500).json(toErrorBody({ status: 500, message }));
};
