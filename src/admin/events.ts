import type { ServerResponse } from 'node:http';
import type { WorldEvent } from '../control/world-events.ts';
import { toErrorBody } from '../protocol/errors.ts';
import { onceClosed } from '../transports/node-http.ts';

/** The worlds whose events are streamed. */
export interface WorldEvents {
  /** Returns a function that unsubscribes. */
  readonly subscribe: (listener: (session: string, event: WorldEvent) => void) => () => void;
  /** Keeps a session from being removed. Returns a function that ends this. */
  readonly hold: (session: string) => () => void;
  /** How many requests the journal of each session keeps. With 0, there are no events of requests. */
  readonly journalSize: number;
}

/** The maximum number of open streams: of one session, and of all. */
const [maxInSession, maxInAll] = [25, 100];

/**
 * How far a client may fall behind, in bytes, and all of them together. Beyond that a stream ends, and its client may connect
 * again.
 */
const [maxBehind, maxAllBehind] = [4_000_000, 32_000_000];

/** A comment keeps proxies from closing a silent stream. In milliseconds. */
const heartbeat = 15_000;

/** The open streams in this process, each by its session. */
const open = new Set<{ readonly session: string | undefined }>();

const describeTooMany = (session: string | undefined): string | undefined => {
  const own = [...open].filter((stream) => stream.session === session).length;
  if (open.size >= maxInAll) return `Too many event streams: ${maxInAll} are open. Close one first.`;
  return own < maxInSession
    ? undefined
    : `Too many event streams: ${maxInSession} ${session === undefined ? 'of all sessions' : `of the session "${session}"`} are open. Close one first.`;
};

/**
 * Sends the events of one session as they happen (server-sent events), until the client disconnects.
 *
 * @param session undefined for the events of all sessions, each with the name of its session. One such stream serves all pages
 * of a browser, which has only six connections to a host. It begins with the event `open`.
 */
export const streamEvents = (
  events: WorldEvents,
  session: string | undefined,
  response: ServerResponse,
  { bodies, headers }: { readonly bodies: boolean; readonly headers: Readonly<Record<string, string>> },
): void => {
  const tooMany = describeTooMany(session);
  if (tooMany !== undefined) {
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '5' });
    response.end(JSON.stringify(toErrorBody({ status: 503, message: tooMany })));
    return;
  }
  const stream = { session };
  open.add(stream);
  const release = session === undefined ? () => {} : events.hold(session);
  response.writeHead(200, {
    'cache-control': 'no-store',
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
    ...headers,
  });
  response.write(': gateway-mock\n\n');
  if (session === undefined) response.write(toText('open', { journal: events.journalSize }));
  const send = (text: string): void => {
    response.write(text);
    if (response.writableLength > Math.min(maxBehind, maxAllBehind / open.size))
      response.req.socket.destroy();
  };
  const stop = events.subscribe((name, event) => {
    if (event.type === 'dropped') return;
    if (event.type === 'closed') {
      response.end();
      return;
    }
    const data = session === undefined ? { session: name } : {};
    if (name === (session ?? name)) send(toText(event.type, { ...data, ...toData(event, bodies) }));
  });
  const timer = setInterval(() => send(': still here\n\n'), heartbeat);
  onceClosed(response, () => {
    open.delete(stream);
    release();
    stop();
    clearInterval(timer);
  });
};

const toText = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

const toData = (event: Exclude<WorldEvent, { type: 'dropped' | 'closed' }>, bodies: boolean): object => {
  if (event.type === 'request') return event.request(bodies);
  const { type: _, ...data } = event;
  return data;
};
