import type { IncomingMessage, ServerResponse } from 'node:http';
import { gateway } from 'virtual:openapi';
import type { DefinedCall } from '../gateway/own-calls.ts';
import { sendWhole, splitTarget } from '../transports/node-http.ts';
import { addCalls } from './own-calls.ts';

/** Answers GET and HEAD of `/openapi.json`, and returns whether it did. Any web page may read it: it contains no records. */
export const createOpenapiListener = (calls: readonly DefinedCall[]) => {
  const document = addCalls(gateway, calls);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { url, method = '' } = request;
    if (!url?.includes('/openapi.json')) return false; // a fast exit for most calls
    if (splitTarget(url).path !== '/openapi.json' || !['GET', 'HEAD'].includes(method)) return false;
    const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
    sendWhole(response, 200, headers, document, method);
    return true;
  };
};
