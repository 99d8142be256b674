import type { ServerResponse } from 'node:http';
import { toErrorReply } from '../protocol/errors.ts';
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

/** Answers a request with 500 if an asynchronous step fails. */
export const catchLateBugs = (response: ServerResponse, step: Promise<unknown>): void => {
  step.catch((error: unknown) => answerBug(response, error));
};

const answerBug = (response: ServerResponse, error: unknown): void => {
  reportBug(error);
  if (response.headersSent || response.destroyed) {
    response.req.socket.destroy();
    return;
  }
  const { status, headers, body } = toErrorReply({ status: 500, message: describeBug(error) });
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body); // Node sends none for HEAD
};
