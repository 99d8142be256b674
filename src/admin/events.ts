import type { ServerResponse } from 'node:http';
import type { WorldEvent } from '../control/sessions.ts';
import { toErrorBody } from '../protocol/errors.ts';
import { onceClosed } from '../transports/node-http.ts';

/** Where events come from. */
export interface WorldEvents {
  /** Returns a function that unsubscribes. */
  readonly subscribe: (listener: (session: string, event: WorldEvent) => void) => () => void;
  /** How many requests the journal of each session keeps; with 0, no event tells of one. */
  readonly journalSize: number;
}

/** The streams that are open at the most. */
const maxStreams = 100;

/** What a client may be behind, in bytes: beyond that its stream ends, and it may come again. */
const maxBehind = 4_000_000;

/** A comment keeps proxies from taking a silent stream for a dead one. */
const heartbeat = 15_000;

let open = 0;

/**
 * Sends the events of one session as they happen (server-sent events), until the client goes.
 *
 * @param session undefined for those of all sessions, of which each names its own: one stream does for all pages of a
 * browser, which has six connections to a host in all. It begins with the event `open`.
 */
export const streamEvents = (
  source: WorldEvents,
  session: string | undefined,
  response: ServerResponse,
  { bodies, headers }: { readonly bodies: boolean; readonly headers: Readonly<Record<string, string>> },
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
    ...headers,
  });
  response.write(': gateway-mock\n\n');
  if (session === undefined) response.write(toText('open', { journal: source.journalSize }));
  const send = (text: string): void => {
    response.write(text);
    if (response.writableLength > maxBehind) response.req.socket.destroy();
  };
  const stop = source.subscribe((name, event) => {
    if (event.type === 'dropped') return;
    const data = session === undefined ? { session: name } : {};
    if (name === (session ?? name)) send(toText(event.type, { ...data, ...toData(event, bodies) }));
  });
  const timer = setInterval(() => send(': still here\n\n'), heartbeat);
  onceClosed(response, () => {
    open -= 1;
    stop();
    clearInterval(timer);
  });
};

const toText = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

const toData = (event: Exclude<WorldEvent, { type: 'dropped' }>, bodies: boolean): object =>
  event.type === 'request' ? event.request(bodies) : { what: event.what };
