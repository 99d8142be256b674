import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RawCall } from '../protocol/call.ts';
import { isSessionName } from '../protocol/session-name.ts';
import { adminMark } from '../protocol/world-headers.ts';
import { onceClosed, readBody, sendWhole, splitTarget, toRawCall } from '../transports/node-http.ts';
import { catchLateBugs } from '../transports/safety-net.ts';
import { tryParse } from '../util/try-parse.ts';
import {
  type AdminReply,
  type AdminTarget,
  answerAdmin,
  isAdminPath,
  locateAdmin,
  toWorldHeaders,
} from './api.ts';
import { createEventStreams, type WorldEvents } from './events.ts';
import { readEventsQuery } from './events-query.ts';
import { refuseStranger } from './guard.ts';
import { answerPage, pageFileOf } from './page.ts';

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
      const { session, below } = locateAdmin(call);
      const isStream =
        below === '/events' &&
        call.method === 'GET' &&
        isSessionName(session) &&
        target.sessions.resumeStored(session) === undefined;
      const asked = isStream ? tryParse(query, readEventsQuery) : undefined; // the admin API reports what is wrong with it
      if (asked !== undefined && refuseStranger(call.header, target.guard) === undefined) {
        const headers = toWorldHeaders(target.sessions.worldOf(session), false);
        streamEvents(asked.isForAll ? undefined : session, response, headers);
        return;
      }
      const disconnected = new AbortController();
      onceClosed(response, () => disconnected.abort(new Error('The client has disconnected.')));
      const answered = answerCall(target, call, below, disconnected.signal);
      const sent = answered.then(({ status, headers, body: text }) => {
        const all = { 'cache-control': 'no-store', [adminMark]: 'yes', ...headers };
        if (status === 204) response.writeHead(status, all).end();
        else sendWhole(response, status, all, text, call.method);
      });
      catchLateBugs(response, sent);
    });
    return true;
  };
};

/** A file of the page, or the reply of the API. */
const answerCall = async (
  target: AdminTarget,
  call: RawCall,
  below: string,
  signal: AbortSignal,
): Promise<AdminReply> => {
  const file = ['GET', 'HEAD'].includes(call.method) ? pageFileOf(below) : undefined;
  const refusal = target.sessions.resumeStored(locateAdmin(call).session);
  const page = file === undefined ? undefined : await answerPage(file, call, target.guard, refusal);
  return page ?? answerAdmin(target, call, signal);
};
