import type { IncomingMessage, ServerResponse } from 'node:http';
import { gateway } from 'virtual:openapi';
import { sendWhole, splitTarget } from '../transports/node-http.ts';

/** Answers GET and HEAD of `/openapi.json`, and returns whether it did. Any web page may read it: it contains no records. */
export const openapiListener = (request: IncomingMessage, response: ServerResponse): boolean => {
  const { url, method = '' } = request;
  if (!url?.includes('/openapi.json')) return false; // a fast exit for most calls
  if (splitTarget(url).path !== '/openapi.json' || !['GET', 'HEAD'].includes(method)) return false;
  const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
  sendWhole(response, 200, headers, gateway, method);
  return true;
};
