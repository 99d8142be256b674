import type { ServerResponse } from 'node:http';
import { toErrorBody } from '../../core/protocol/errors.ts';
import { onceClosed } from '../../core/transports/follow-reply.ts';
import { limits } from '../../core/util/limits.ts';
import type { Sessions } from '../control/sessions.ts';
import { type ClientEvent, isForClients } from '../control/world-events.ts';
import type { AdminReply } from './admin-replies.ts';

/** A comment keeps proxies from closing a silent stream. In milliseconds. */
const heartbeat = 15_000;

/**
 * The shortest time between two writes to a stream, in milliseconds: a write to a socket costs more than a call. An event after a
 * pause is sent at once.
 */
const interval = 100;

export const createEventStreams = (sessions: Pick<Sessions, 'events' | 'journalSize'>) => {
  const streams = new Set<{ readonly session: string; readonly response: ServerResponse }>();
  let collected: { readonly session: string; readonly text: string }[] = [];
  let timer: NodeJS.Timeout | undefined;

  const sendCollected = (): void => {
    for (const { session, response } of streams) {
      const own = collected.filter((event) => session === event.session);
      if (response.writableLength > limits.unreadEvents)
        response.req.socket.destroy(); // the client has not read the earlier events
      else if (own.length > 0) response.write(own.map(({ text }) => text).join(''));
    }
    collected = [];
  };

  const sendAndWait = (): void => {
    timer = collected.length === 0 ? undefined : setTimeout(sendAndWait, interval);
    sendCollected();
  };

  sessions.events.subscribe((session, event) => {
    if (streams.size === 0 || !isForClients(event)) return;
    if (event.type === 'closed') {
      sendCollected();
      for (const { response } of streams) response.end();
      return;
    }
    collected.push({ session, text: toText(event.type, { session, ...toData(event) }) });
    if (timer === undefined) timer = setTimeout(sendAndWait, 0);
  });

  /** Sends the event `open`, and the events of one session as they happen (server-sent events), until the client disconnects. */
  return (session: string, response: ServerResponse, headers: AdminReply['headers']): void => {
    if (streams.size >= limits.streams) {
      const message = `Too many event streams: ${limits.streams} are open. Close one first.`;
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '5' });
      response.end(JSON.stringify(toErrorBody({ status: 503, message })));
      return;
    }
    sendCollected(); // the stream begins now: earlier events are not for it
    const stream = { session, response };
    streams.add(stream);
    response.writeHead(200, {
      'cache-control': 'no-store',
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
      ...headers,
    });
    response.write(': gateway-mock\n\n');
    response.write(toText('open', { session, journal: sessions.journalSize }));
    const beating = setInterval(() => response.write(': still here\n\n'), heartbeat);
    onceClosed(response, () => {
      streams.delete(stream);
      clearInterval(beating);
    });
  };
};

/** A request event has no bodies and no ids of the page, which would make streams large. `requests.get` returns them. */
const toData = (event: Exclude<ClientEvent, { type: 'closed' }>): object => {
  if (event.type === 'settled') {
    const { id, ordinal, outcome, status, bytes, duration } = event.request();
    return { id, ordinal, outcome, status, bytes, duration };
  }
  if (event.type !== 'request') return { ...event, type: undefined };
  const request = event.request();
  const reply = request.reply && { headers: request.reply.headers, body: null };
  return { ...request, page: null, body: null, reply };
};

const toText = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
