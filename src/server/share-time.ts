import { isDisconnected, type NodeListener } from '../transports/node-http.ts';
import { readStopwatch } from '../util/stopwatch.ts';

/** For how long calls are begun before the server looks for new connections, in milliseconds. */
const longestTurn = 10;

/**
 * Begins calls in the order in which they arrive, for a short time in each turn of the event loop. Node takes one new connection
 * in each turn, so if it answered all calls of many busy connections first, new ones would wait for minutes.
 */
export const shareTime = (listener: NodeListener): NodeListener => {
  const waiting: (() => void)[] = [];
  let turnBegan: number | undefined;
  const hasTime = (): boolean => {
    if (turnBegan === undefined) {
      turnBegan = readStopwatch();
      setImmediate(beginNext);
      return true;
    }
    return readStopwatch() - turnBegan < longestTurn;
  };
  const beginNext = (): void => {
    turnBegan = undefined;
    while (waiting.length > 0 && hasTime()) waiting.shift()?.();
  };
  return (request, response) => {
    if (waiting.length === 0 && hasTime()) listener(request, response);
    else
      waiting.push(() => {
        if (!isDisconnected(request)) listener(request, response);
      });
  };
};
