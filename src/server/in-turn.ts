import type { IncomingMessage, RequestListener } from 'node:http';

/** How many requests of one connection may wait. Beyond that, the connection is closed. */
const maxWaiting = 100;

/**
 * Answers the requests of each connection one after the other, each when the client has got the reply before it. Node would
 * begin hundreds that arrive at once (HTTP pipelining), keep all their replies, and let every other connection wait.
 */
export const answerInTurn = (listener: RequestListener): RequestListener => {
  /** How many requests wait, by connection. */
  const waiting = new WeakMap<IncomingMessage['socket'], number>();
  return (request, response) => {
    // Node gives the connection to one reply after the other.
    if (response.socket !== null) {
      listener(request, response);
      return;
    }
    const { socket } = request;
    const count = waiting.get(socket) ?? 0;
    if (count === maxWaiting) {
      socket.destroy(); // Node reads on even if the socket is paused (measured)
      return;
    }
    waiting.set(socket, count + 1);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      setImmediate(() => {
        if (!socket.destroyed) listener(request, response);
      });
    });
  };
};
