import type { ServerResponse } from 'node:http';
import { onceClosed } from '../faces/node-http.ts';
import { toErrorBody } from '../protocol/errors.ts';
import type { WorldEvent } from '../sessions.ts';

/** Where events come from. Returns how to stop. */
export interface EventSource {
  readonly subscribe: (listener: (session: string, event: WorldEvent) => void) => () => void;
}

/** The streams that are open at the most. */
const maxStreams = 100;

/** What a client may be behind, in bytes: beyond that its stream ends, and it may come again. */
const maxBehind = 4_000_000;

/** A comment keeps proxies from taking a silent stream for a dead one. */
const heartbeat = 15_000;

let open = 0;

/** Sends the events of one session as they happen (server-sent events), until the client goes. */
export const streamEvents = (
  source: EventSource,
  session: string,
  response: ServerResponse,
  { bodies }: { readonly bodies: boolean },
): void => {
  if (open >= maxStreams) {
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '5' });
    const message = `There are ${maxStreams} streams of events already.`;
    response.end(JSON.stringify(toErrorBody({ status: 503, message })));
    return;
  }
  open += 1;
  response.writeHead(200, {
    'cache-control': 'no-store',
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
  });
  response.write(': gateway-mock\n\n');
  const send = (text: string): void => {
    response.write(text);
    if (response.writableLength > maxBehind) response.req.socket.destroy();
  };
  const stop = source.subscribe((name, event) => {
    if (name === session) send(`event: ${event.type}\ndata: ${JSON.stringify(toData(event, bodies))}\n\n`);
  });
  const timer = setInterval(() => send(': still here\n\n'), heartbeat);
  onceClosed(response, () => {
    open -= 1;
    stop();
    clearInterval(timer);
  });
};

const toData = (event: WorldEvent, bodies: boolean): object =>
  event.type === 'request' ? event.request(bodies) : { what: event.what };
