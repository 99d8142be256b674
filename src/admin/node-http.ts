import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RawCall } from '../protocol/call.ts';
import { adminMark } from '../protocol/world-headers.ts';
import { onceClosed, readBody, sendWhole, splitTarget, toRawCall } from '../transports/node-http.ts';
import { catchLateBugs } from '../transports/safety-net.ts';
import { type AdminTarget, answerAdmin, isAdminPath, locateAdmin } from './api.ts';
import { createEventStreams, type WorldEvents } from './events.ts';
import { answerPage, pageFileOf } from './page.ts';
import type { AdminReply } from './replies.ts';

/** Answers requests to the admin API. Returns false for any other. */
export type AdminListener = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The admin API over HTTP. */
export const createAdminListener = (target: AdminTarget, events: WorldEvents): AdminListener => {
  const streamEvents = createEventStreams(events);
  return (request, response) => {
    if (!request.url?.includes('/__admin')) return false; // most calls end here
    const { path, query } = splitTarget(request.url);
    if (!isAdminPath(path)) return false;
    readBody(request, response, (body) => {
      const call = toRawCall(request, path, query, body);
      const disconnected = new AbortController();
      onceClosed(response, () => disconnected.abort(new Error('The client has disconnected.')));
      const answered = answerCall(target, call, disconnected.signal);
      const sent = answered.then(({ status, headers, body: text, stream }) => {
        if (stream !== undefined && call.method === 'GET') {
          streamEvents(stream.session, response, headers);
          return;
        }
        const all = { 'cache-control': 'no-store', [adminMark]: 'yes', ...headers };
        sendWhole(response, status, all, text, call.method);
      });
      catchLateBugs(response, sent);
    });
    return true;
  };
};

/** A file of the page, or the reply of the API. */
const answerCall = async (target: AdminTarget, call: RawCall, signal: AbortSignal): Promise<AdminReply> => {
  const { session, below } = locateAdmin(call);
  const file = ['GET', 'HEAD'].includes(call.method) ? pageFileOf(below, call.header('accept')) : undefined;
  const refusal = target.sessions.resumeStored(session);
  const page = file === undefined ? undefined : await answerPage(file, call, target.guard, refusal);
  return page ?? answerAdmin(target, call, signal);
};
