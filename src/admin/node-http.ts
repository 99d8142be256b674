import type { IncomingMessage, ServerResponse } from 'node:http';
import { adminMark } from '../protocol/world-headers.ts';
import { readBody, splitTarget, toCall } from '../transports/node-http.ts';
import { onceClosed, sendWhole } from '../transports/node-replies.ts';
import { catchLateBugs } from '../transports/safety-net.ts';
import { type AdminTarget, answerAdmin, isAdminPath } from './api.ts';
import { createEventStreams } from './events.ts';

/** Answers requests to the admin API. Returns false for any other. */
export type AdminListener = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The admin API over HTTP. */
export const createAdminListener = (target: AdminTarget): AdminListener => {
  const streamEvents = createEventStreams(target.sessions);
  return (request, response) => {
    if (!request.url?.includes('/__admin')) return false; // most calls end here
    const { path, query } = splitTarget(request.url);
    if (!isAdminPath(path)) return false;
    readBody(request, response, (body) => {
      const call = toCall(request, path, query, body);
      const disconnected = new AbortController();
      onceClosed(response, () => disconnected.abort(new Error('The client has disconnected.')));
      const sent = answerAdmin(target, call, disconnected.signal).then(
        ({ status, headers, body: text, stream }) => {
          if (stream !== undefined && call.method === 'GET') {
            streamEvents(stream.session, response, headers);
            return;
          }
          const all = { 'cache-control': 'no-store', [adminMark]: 'yes', ...headers };
          sendWhole(response, status, all, text, call.method);
        },
      );
      catchLateBugs(response, sent);
    });
    return true;
  };
};
