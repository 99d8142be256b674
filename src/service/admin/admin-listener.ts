import { adminMark } from '../../core/protocol/world-headers.ts';
import { onceClosed } from '../../core/transports/follow-reply.ts';
import { type NodeListener, sendWhole, splitTarget, toCall } from '../../core/transports/node-http.ts';
import { readBody } from '../../core/transports/read-body.ts';
import { catchLateBugs } from '../../core/transports/safety-net.ts';
import { type AdminTarget, answerAdmin } from './api.ts';
import { createEventStreams } from './events.ts';

export const createAdminListener = (target: AdminTarget): NodeListener => {
  const streamEvents = createEventStreams(target.sessions);
  return (request, response) => {
    const { path, query } = splitTarget(request.url ?? '');
    readBody(request, response, (body) => {
      const call = toCall(request, path, query, body);
      const disconnected = new AbortController();
      onceClosed(response, () => disconnected.abort(new Error('The client has disconnected.')));
      const sent = answerAdmin(target, call, disconnected.signal).then(
        ({ status, headers, body: text, streamed }) => {
          if (streamed !== undefined && call.method === 'GET') {
            streamEvents(streamed, response, headers);
            return;
          }
          const all = { 'cache-control': 'no-store', [adminMark]: 'yes', ...headers };
          sendWhole(response, status, all, text, call.method);
        },
      );
      catchLateBugs(response, sent);
    });
  };
};
