import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import { getResponse, HttpResponse, http, type RequestHandler } from 'msw';
import type { Answer, LateReply, Reply } from '../protocol/call.ts';
import { toErrorBody } from '../protocol/errors.ts';
import { clientMessageOf } from '../util/message-of.ts';
import type { Locate } from './base-url.ts';
import { followReply } from './follow-reply.ts';
import { createHandlerMiddleware } from './handler-middleware.ts';
import { type HandlerParts, toHandlers } from './msw.ts';
import { type NodeListener, send } from './node-http.ts';
import { isLarge, sizeOf } from './pieces.ts';
import { unsentBodies } from './read-body.ts';

/**
 * An Express app that serves MSW handlers: the user's, then the gateway's. The direct route answers requests that no
 * handler answers, and those that a fetch `Request` cannot represent.
 */
export const createApp = (
  own: readonly RequestHandler[],
  answer: Answer,
  direct: NodeListener,
): NodeListener => {
  /** The current request, with a reply that the middleware cannot send because it is large, late, a stream, delayed or broken. */
  const current = new AsyncLocalStorage<{ response: ServerResponse; reply?: Reply | LateReply }>();
  const answerWhole: HandlerParts['answer'] = (call) => {
    const reply = answer(call);
    const request = current.getStore();
    if (request === undefined) throw new Error('The request is not known.');
    if ('wait' in reply || isForNode(reply)) {
      request.reply = reply;
      return undefined;
    }
    const progress = followReply(request.response, reply.onSettled);
    if (call.method !== 'HEAD') progress.written = sizeOf(reply);
    return { ...reply, onSettled: undefined };
  };
  // On a server of our own, every request is for the gateway.
  const locate: Locate = ({ pathname }) => ({ path: pathname, operation: undefined });
  const gateway = toHandlers({ answer: answerWhole, locate, operations: [], baseUrl: '*' });
  const handlers = own.length === 0 ? gateway : [guard(own), ...gateway];
  const app = express();
  app.disable('x-powered-by');
  app.use(createHandlerMiddleware(handlers));
  app.use((request, response) => {
    const reply = current.getStore()?.reply;
    if (reply === undefined) direct(request, response);
    else send(response, reply, request.method);
  });
  app.use(toJsonError);
  return (request, response) => {
    if (!isFetchable(request) || unsentBodies.has(request)) {
      direct(request, response);
      return;
    }
    if (!isPlainUrl(`http://${request.headers.host}`)) request.headers.host = 'localhost'; // no reply depends on it
    current.run({ response }, () => app(request, response));
  };
};

const isForNode = (reply: Reply): boolean =>
  [reply.delivery, reply.stream, reply.cookies].some((part) => part !== undefined) || isLarge(reply);

/**
 * Whether a fetch `Request` can be made of a call. The middleware does not catch errors of its constructor, which would also
 * resolve `..` in the path.
 */
const isFetchable = ({ method = '', url = '' }: IncomingMessage): boolean =>
  !['CONNECT', 'TRACE', 'TRACK'].includes(method) &&
  !/^[/\\]{2}/.test(url) &&
  !/[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)/i.test(url) &&
  isPlainUrl(url);

const isPlainUrl = (url: string): boolean => {
  if (!URL.canParse(url, 'http://localhost')) return false;
  const { username, password } = new URL(url, 'http://localhost');
  return username === '' && password === '';
};

/** Runs the user's handlers and catches their errors: in the middleware, an error would stop the server. */
const guard = (handlers: readonly RequestHandler[]): RequestHandler =>
  http.all(/.*/, async ({ request }) => {
    try {
      const { origin } = new URL(request.url);
      const response = await getResponse([...handlers], request, { baseUrl: origin });
      if (response === undefined) return undefined;
      if (response.type === 'error')
        return errorResponse(502, 'One of your handlers returned a network error.');
      if (!Object(response).headers) return errorResponse(500, 'One of your handlers returned no Response.');
      const sent = new HttpResponse(response.body && endingOnError(response.body), response);
      sent.headers.delete('trailer'); // Node throws at this header if the body is not sent in chunks
      return sent;
    } catch (error) {
      console.error('gateway-mock: one of your handlers threw.', error);
      return errorResponse(500, `One of your handlers threw: ${clientMessageOf(error)}`);
    }
  });

const errorResponse = (status: number, message: string): Response =>
  HttpResponse.json(toErrorBody({ status, message }), { status });

/** Ends a body at its first error. Nobody handles that error: without this, it would end the process. */
const endingOnError = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
  const reader = body.getReader();
  return new ReadableStream({
    pull: async (controller) => {
      const { value } = await reader.read().catch(() => ({ value: undefined }));
      // A chunk that is not bytes counts as an error.
      if (ArrayBuffer.isView(value)) controller.enqueue(value);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
};

const toJsonError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const message = `Failed to pass the call to MSW: ${clientMessageOf(error)}`;
  response.status(500).json(toErrorBody({ status: 500, message }));
};
