import type { IncomingMessage, RequestListener } from 'node:http';
import { onceClosed } from '../transports/node-http.ts';

/** How many requests of one connection may wait. Beyond that, the connection is closed. */
const maxWaiting = 100;

/**
 * Answers the requests of each connection one after the other, each when the client has got the reply before it. Node would
 * begin hundreds that arrive at once (HTTP pipelining), keep all their replies, and let every other connection wait.
 */
export const answerInTurn = (listener: RequestListener): RequestListener => {
  /** The requests behind the one that is being answered, by connection. */
  const waiting = new WeakMap<IncomingMessage['socket'], (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const begin = (): void => {
      onceClosed(response, () => setImmediate(next));
      listener(request, response);
    };
    const next = (): void => {
      const following = socket.destroyed ? undefined : waiting.get(socket)?.shift();
      if (following === undefined) waiting.delete(socket);
      following?.();
    };
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      begin();
    } else if (queue.length < maxWaiting) queue.push(begin);
    else socket.destroy(); // Node reads on even if the socket is paused (measured)
  };
};
