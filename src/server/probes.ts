import type { IncomingMessage, ServerResponse } from 'node:http';
import { probeOf } from '../transports/base-url.ts';
import { sendWhole, splitTarget } from '../transports/node-http.ts';

/** Answers `/healthz` and `/readyz`, for any host and without a token. Returns false for any other request. */
export const answerProbe = (request: IncomingMessage, response: ServerResponse): boolean => {
  const { url = '', method = '' } = request;
  if (!/^\/[hr][^/]*z/.test(url)) return false; // most calls end here
  if (probeOf(splitTarget(url).path) === undefined || !['GET', 'HEAD'].includes(method)) return false;
  const headers = { 'cache-control': 'no-store', 'content-type': 'application/json' };
  sendWhole(response, 200, headers, '{"status":"ok"}', method);
  return true;
};
