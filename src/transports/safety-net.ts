import type { ServerResponse } from 'node:http';
import { toErrorBody } from '../protocol/errors.ts';
import { describeBug, reportBug } from '../util/bug.ts';

/**
 * Runs a step on the way of a request. If it throws, which is a bug, the client gets 500 in JSON, or its connection ends if the
 * reply has begun. The process and all other connections continue.
 */
export const catchBugs = (response: ServerResponse, step: () => void): void => {
  try {
    step();
  } catch (error) {
    answerBug(response, error);
  }
};

/** The same for a step that ends later. */
export const catchLateBugs = (response: ServerResponse, step: Promise<unknown>): void => {
  step.catch((error: unknown) => answerBug(response, error));
};

const answerBug = (response: ServerResponse, error: unknown): void => {
  reportBug(error);
  if (response.headersSent || response.destroyed) {
    response.req.socket.destroy();
    return;
  }
  const body = JSON.stringify(toErrorBody({ status: 500, message: describeBug(error) }));
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(500, headers).end(response.req.method === 'HEAD' ? undefined : body);
};
