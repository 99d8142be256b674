// Follows a reply over HTTP, and reports its outcome.
import type { ServerResponse } from 'node:http';
import { lostReply, type Reply } from '../protocol/call.ts';
import { catchBugs } from './safety-net.ts';

export interface Progress {
  /** How many bytes of its body were given to Node. */
  written: number;
  /** How many of them the operating system has taken. */
  taken: number;
  /** Whether the operating system has taken the head (assumed of a stream); not known of a reply that is sent whole, so such a reply is never `cut`. */
  hasHead: boolean;
}

/** Follows a reply, and reports what became of it. Call this before its first byte is written. */
export const followReply = (response: ServerResponse, onSettled: Reply['onSettled']): Progress => {
  const progress: Progress = { written: 0, taken: 0, hasHead: false };
  let isFinished = false;
  // Not `writableFinished`, which is also true if the connection was destroyed before.
  response.once('finish', () => {
    isFinished = true;
  });
  onceClosed(response, () => {
    const { written, taken, hasHead } = progress;
    const { statusCode: status } = response;
    if (isFinished) onSettled?.({ status, bytes: written, outcome: 'sent' });
    else onSettled?.(hasHead ? { status, bytes: taken, outcome: 'cut' } : lostReply);
  });
  return progress;
};

/** Calls back once, when a reply has been sent or its connection has closed. */
export const onceClosed = (response: ServerResponse, done: () => void): void => {
  const { socket: connection } = response.req;
  let isClosed = false;
  const close = (): void => {
    if (isClosed) return; // both events may arrive
    isClosed = true;
    connection.off('close', close);
    catchBugs(response, done);
  };
  if (connection.destroyed) {
    close();
    return;
  }
  response.once('close', close);
  // A reply that is queued behind another reply on the same connection gets no event.
  if (response.socket !== null) return;
  connection.setMaxListeners(0); // a listener for each pipelined call
  connection.once('close', close);
};
