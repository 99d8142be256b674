import type { IncomingMessage, ServerResponse } from 'node:http';
import { probeOf } from '../transports/base-url.ts';
import { splitTarget } from '../transports/node-http.ts';

/** The health endpoints of a server. */
export interface Probes {
  /** Answers `/healthz` and `/readyz`, for any host and without a token. Returns false for any other request. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** From now on, `/readyz` answers 503: no further calls are wanted. */
  readonly drain: () => void;
}

/** Whether a request may be for a health endpoint, seen at a glance: most are not. */
const isProbe = ({ url = '' }: Pick<IncomingMessage, 'url'>): boolean => /^\/[hr][^/]*z/.test(url);

export const createProbes = (): Probes => {
  let isDraining = false;
  return {
    listener: (request, response) => {
      if (!isProbe(request)) return false;
      const { url = '', method = '' } = request;
      const name = probeOf(splitTarget(url).path);
      if (name === undefined || !['GET', 'HEAD'].includes(method)) return false;
      const isRefused = isDraining && name === 'readyz';
      const body = JSON.stringify({ status: isRefused ? 'draining' : 'ok' });
      response.writeHead(isRefused ? 503 : 200, {
        'cache-control': 'no-store',
        'content-length': body.length,
        'content-type': 'application/json',
      });
      response.end(method === 'HEAD' ? undefined : body);
      return true;
    },
    drain: () => {
      isDraining = true;
    },
  };
};
