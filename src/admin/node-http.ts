import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, splitTarget, toRawCall } from '../faces/node-http.ts';
import { type AdminTarget, answerAdmin, isAdminPath, locateAdmin } from './api.ts';
import { type EventSource, streamEvents } from './events.ts';
import { refuseStranger } from './guard.ts';

/** Answers what is meant for the admin API; false where it is not. */
export type AdminListener = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The admin API over HTTP. */
export const createAdminListener =
  (target: AdminTarget, events: EventSource): AdminListener =>
  (request, response) => {
    if (!isAdminPath(request.url ?? '')) return false;
    const { path, query } = splitTarget(request.url ?? '');
    readBody(request, (body) => {
      const call = toRawCall(request, path, query, body);
      const { session, below } = locateAdmin(call);
      if (
        below === '/events' &&
        call.method === 'GET' &&
        refuseStranger(call.header, target.guard) === undefined
      ) {
        streamEvents(events, session, response);
        return;
      }
      void answerAdmin(target, call).then(({ status, headers, body: text }) => {
        const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(text) };
        response.writeHead(status, { 'cache-control': 'no-store', ...headers, ...length });
        response.end(call.method === 'HEAD' ? undefined : text);
      });
    });
    return true;
  };
